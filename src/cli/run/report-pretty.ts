import { formatDuration } from '../../numeric/time-text.ts'
import type { Style } from '../terminal.ts'
import type { FailedCheck } from './run-report.ts'
import { failuresOf, isOverall, type RunReport } from './run-report.ts'

export type Paint = (style: Style, text: string) => string

/** One run for people: what was filled, what is left, what failed, and the digest to compare by. */
export function prettyReport(report: RunReport, sources: ReadonlyMap<string, string>, paint: Paint): string {
  const { name, file, seed, ok, checks } = report
  const mark = ok ? paint('green', '✓') : paint('red', '✗')
  const about = isOverall(report)
    ? ''
    : `  seed "${seed}"  ${formatDuration(report.spanMillis)} of virtual time`
  const lines = [`${mark} ${paint('bold', name)}  ${file}${about}`]
  if (report.fillCount > 0) {
    lines.push(`  fills         ${report.fillCount}`, ...report.fills.map((fill) => `    ${fill}`))
    if (report.fillCount > report.fills.length)
      lines.push(`    and ${report.fillCount - report.fills.length} more`)
  }
  lines.push(...report.refusals.map((refusal) => `  refused       ${refusal}`))
  lines.push(...report.balances.map((balance) => `  balances      ${balance}`))
  for (const { account, name: figure, value } of report.figures)
    lines.push(`  metrics       ${account}  ${figure}  ${value === null ? 'n/a' : figureText(value)}`)
  const failures = failuresOf(report)
  for (const { place, message, failure } of failures) {
    const lead = message === null ? '' : `${message}\n      `
    lines.push(
      `  ${paint('red', '✗')} ${place.file}:${place.line}:${place.column}  ${lead}expected ${failure.expected}`,
      `      got      ${failure.got}`,
      ...codeFrame(sources, place).map((line) => `      ${painted(line, paint)}`),
    )
  }
  lines.push(`  expectations  ${checks.length - failures.length} of ${checks.length} held`)
  if (!isOverall(report)) lines.push(`  digest        ${report.digest}`)
  if (!ok) lines.push(`  replay        ${report.replay}`)
  return `${lines.join('\n')}\n`
}

const painted = (line: string, paint: Paint): string =>
  line.startsWith('>') ? `${paint('red', '>')}${line.slice(1)}` : line

/** Six digits are enough to read; files have all. */
export const figureText = (value: number): string => String(Number(value.toPrecision(6)))

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
function codeFrame(
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
