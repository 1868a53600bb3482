import { listWords, nearestWord } from '../api/nearest-word.ts'

/** Exit codes: the CLI's contract with scripts and CI (design section 12). */
export const exitCode = {
  ok: 0,
  expectationFailed: 1,
  usage: 2,
  determinismBroken: 3,
  unreachable: 4,
  unusableData: 5,
  internal: 70,
  /** The first SIGINT, SIGTERM or SIGHUP ended the command; what was done so far is kept. */
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]

/** An expected failure of a command: a message for the user and the exit code. No stack is shown. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure'
  readonly code: ExitCode

  constructor(code: ExitCode, message: string) {
    super(message)
    this.code = code
  }
}

/** Creates a failure with exit code 2: the request is unclear or cannot be carried out. */
export const usageFailure = (message: string): CliFailure => new CliFailure(exitCode.usage, message)

/** Creates a failure with exit code 5: a file does not hold what it should. */
export const dataFailure = (message: string): CliFailure => new CliFailure(exitCode.unusableData, message)

/** Returns why a system call failed, in words: those for its code such as ENOENT, else the code or the message. */
export function systemReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return systemReasons.get(code) ?? (code === '' ? error.message : code)
}

/** Returns why a file could not be written or a folder created. ENOENT then means its folder, not the file. */
export function writeReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (code === 'ENOENT') return 'its folder does not exist'
  if (code === 'ERR_FS_EISDIR') return 'it is a directory'
  return code === 'EEXIST' || code === 'ENOTDIR' ? 'a part of its path is not a folder' : systemReason(error)
}

/**
 * Converts an error about a full disk, or an unwritable journal, to a failure with its exit code; null for other
 * errors. Causes are searched as well, because strategies and libraries wrap errors.
 */
export function diskFailure(error: unknown): CliFailure | null {
  if (!(error instanceof Error)) return null
  const path = 'path' in error && typeof error.path === 'string' ? error.path : 'a file'
  const isJournal = error.name === 'JournalUnwritable'
  if (isJournal || ('code' in error && noSpaceCodes.includes(error.code))) {
    const code = isJournal ? exitCode.unusableData : exitCode.usage
    return new CliFailure(code, `cannot write ${path}: ${writeReason(error)}`)
  }
  return diskFailure(error.cause)
}

const noSpaceCodes: readonly unknown[] = ['ENOSPC', 'EFBIG', 'EDQUOT']

const systemReasons: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['EISDIR', 'it is a directory'],
  ['EACCES', 'no permission'],
  ['EPERM', 'no permission'],
  ['ENOTDIR', 'a part of its path is not a directory'],
  ['ELOOP', 'too many links'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['ENOSPC', 'the disk is full'],
  ['EFBIG', 'the file is too large'],
  ['EDQUOT', 'the quota of the disk is used up'],
  ['EROFS', 'the file system is read-only'],
  ['ERR_INVALID_URL', 'this is not an address'],
  ['ECONNREFUSED', 'nothing listens there'],
  ['ENOTFOUND', 'the host is not known'],
  ['EADDRNOTAVAIL', 'the address is not of this machine'],
])

/** Ends a command that ran another program, with that program's exit code. */
export class ChildExit extends Error {
  override readonly name = 'ChildExit'
  readonly code: number

  constructor(code: number) {
    super(`the program ended with ${code}`)
    this.code = code
  }
}

/**
 * Formats the end of a message about an unknown word: the nearest known word and then the others, or all known words when
 * none is near. `noun` says what one of them is.
 */
export function formatSuggestion(word: string, known: Iterable<string>, noun: string): string {
  const words = [...known]
  const nearest = nearestWord(word, words)
  const others = words.filter((other) => other !== nearest)
  if (nearest === null) return others.length === 0 ? '' : `; known ${noun}s: ${listWords(others)}`
  const more = others.length === 0 ? '' : ` Other ${noun}s: ${listWords(others)}`
  return `; did you mean "${nearest}"?${more}`
}
