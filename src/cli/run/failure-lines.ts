import type { FailedCheck, RunReport } from './run-report.ts'

/** What was expected and what there was, with the place in the file, and how to repeat the run. */
export function failureLines(
  { failure, place }: FailedCheck,
  { replay }: RunReport,
  sources: ReadonlyMap<string, string>,
): readonly string[] {
  return [
    `expected ${failure.expected}`,
    `got      ${failure.got}`,
    ...codeFrame(sources, place),
    `replay   ${replay}`,
  ]
}

/** The line at fault, marked, between its neighbours; nothing where the source is not available. */
export function codeFrame(
  sources: ReadonlyMap<string, string>,
  place: { readonly file: string; readonly line: number },
): readonly string[] {
  const source = sources.get(place.file)
  if (source === undefined || place.line === 0) return []
  const lines = source.split(/\r?\n/)
  const shown: string[] = []
  for (let line = Math.max(1, place.line - 1); line <= Math.min(lines.length, place.line + 1); line += 1) {
    const marker = line === place.line ? '>' : ' '
    shown.push(`${marker} ${String(line).padStart(4)} | ${lines[line - 1] ?? ''}`.trimEnd())
  }
  return shown
}
