import type { Bar, Figures } from './bars.ts'
import type { MixName } from './mixes.ts'
import { mixTitles } from './mixes.ts'
import type { Plan } from './plan.ts'
import type { Facts } from './workload.ts'

/** What each mix is, as the reference book measured it. */
export function mixLines(mixes: readonly MixName[], facts: ReadonlyMap<string, Facts>): readonly string[] {
  return mixes.flatMap((mix) => {
    const fact = facts.get(mix)
    if (fact === undefined) return []
    const share = (fact.tradingShare * 100).toFixed(1)
    const crossing = (fact.crossingLimitShare * 100).toFixed(1)
    return [
      `${mix}: ${mixTitles[mix]}`,
      `  ${share} % of commands trade, ${crossing} % of limit orders cross, ${fact.fills} fills;` +
        ` resting ${fact.restingAtStart} to ${fact.restingAtEnd} in ${fact.levelsAtEnd} levels`,
    ]
  })
}

/** One line per contender and workload: medians over the rounds. */
export function figureLines(
  plan: Plan,
  figures: Figures,
  facts: ReadonlyMap<string, Facts>,
): readonly string[] {
  const rows = plan.jobs.map((job) => {
    const figure = figures.get(job.key)
    const commands = facts.get(job.workload)?.commands ?? 0
    if (figure === undefined) return [job.key]
    const nanos = (figure.cpuMillis * 1e6) / commands
    return [
      job.task === 'snapshot' ? `${job.workload} (snapshot)` : job.workload,
      job.contender,
      figure.cpuMillis.toFixed(1),
      figure.wallMillis.toFixed(1),
      job.task === 'snapshot' ? '' : nanos.toFixed(0),
      job.task === 'snapshot' ? '' : Math.round(1e9 / nanos).toLocaleString('en'),
      (figure.instanceBytes / 1e6).toFixed(1),
      String(figure.passes),
    ]
  })
  const head = ['workload', 'contender', 'CPU ms', 'wall ms', 'CPU ns/command', 'commands/s', 'MB', 'passes']
  return ['', ...table([head, ...rows])]
}

export function barLines(bars: readonly Bar[]): readonly string[] {
  const rows = bars.map((bar) => [bar.holds ? 'holds' : 'MISSED', bar.name, bar.bound, bar.got])
  return ['', ...table([['bar', '', 'bound', 'got'], ...rows])]
}

/** Pads columns to the width that they need. */
export function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length)
  }
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
