import { InvalidArgumentError } from 'commander'

const reporterKinds = ['pretty', 'json', 'junit', 'github', 'html'] as const
export type ReporterKind = (typeof reporterKinds)[number]

export interface ReporterChoice {
  readonly kind: ReporterKind
  /** Null: stdout. */
  readonly file: string | null
}

/** At most one reporter writes to stdout: each writes a document of its own. */
const documents: readonly ReporterKind[] = ['json', 'junit', 'html']

/** `pretty,junit:report.xml`. */
export function parseReporters(text: string): readonly ReporterChoice[] {
  const choices = text.split(',').map((part): ReporterChoice => {
    const colon = part.indexOf(':')
    const name = colon === -1 ? part : part.slice(0, colon)
    const kind = reporterKinds.find((known) => known === name)
    if (kind === undefined)
      throw new InvalidArgumentError(`"${name}" is not a reporter; there are ${reporterKinds.join(', ')}`)
    const file = colon === -1 ? null : part.slice(colon + 1)
    if (file === '') throw new InvalidArgumentError(`"${part}" names no file`)
    return { kind, file }
  })
  const onStdout = choices.filter(({ file }) => file === null)
  const document = onStdout.find(({ kind }) => documents.includes(kind))
  if (document !== undefined && onStdout.length > 1)
    throw new InvalidArgumentError(
      `${document.kind} is a document: give it a file, as in ${document.kind}:FILE`,
    )
  return choices
}
