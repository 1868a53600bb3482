/** Exit codes: the CLI's contract with scripts and CI (design section 12). */
export const exitCode = {
  ok: 0,
  expectationFailed: 1,
  usage: 2,
  determinismBroken: 3,
  unreachable: 4,
  unusableData: 5,
  internal: 70,
  /** By the first SIGINT or SIGTERM; what was begun is kept. */
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]

/** A foreseen end of a command: lines for the user, and the code. No stack is shown. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure'
  readonly code: ExitCode

  constructor(code: ExitCode, message: string) {
    super(message)
    this.code = code
  }
}

/** The system's short name of a failure such as ENOENT, or its message. */
export function systemReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return systemReasons.get(code) ?? (code === '' ? error.message : code)
}

const systemReasons: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['EISDIR', 'it is a directory'],
  ['EACCES', 'no permission'],
  ['EPERM', 'no permission'],
  ['ENOTDIR', 'a part of its path is no directory'],
  ['ELOOP', 'too many links'],
  ['ECONNREFUSED', 'nothing listens there'],
  ['ENOTFOUND', 'the host is not known'],
  ['EADDRNOTAVAIL', 'the address is not of this machine'],
])
