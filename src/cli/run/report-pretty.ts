import { formatDuration } from '../../numeric/time-text.ts'
import type { Style } from '../terminal.ts'
import { codeFrame } from './failure-lines.ts'
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
