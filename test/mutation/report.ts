import { changeOf } from './mutants.ts'
import type { Verdict } from './mutation-run.ts'

/** `src/x.ts:12 in walk: a < b → a <= b`, and its result. */
export function describeVerdict({ mutant, outcome, test, asked, importing }: Verdict): string {
  const place = `${mutant.path}:${mutant.line} in ${mutant.within}: ${changeOf(mutant)}`
  switch (outcome) {
    case 'survived':
      return `SURVIVED ${place} (${asked} of ${importing} test files)`
    case 'late':
      return `out of time ${place}`
    default:
      return `killed ${place} by ${test}`
  }
}

export interface Score {
  readonly name: string
  readonly mutants: number
  readonly killed: number
  /** Killed by a golden digest only, by no other test. */
  readonly goldenOnly: number
  readonly late: number
  readonly survived: number
  /** Killed and timed-out ones among all, in percent. */
  readonly score: number
}

/** The score of each file or room, by name, and of all. */
export function scoresBy(verdicts: readonly Verdict[], nameOf: (path: string) => string): readonly Score[] {
  const names = [...new Set(verdicts.map(({ mutant }) => nameOf(mutant.path)))].sort()
  const each = names.map((name) =>
    scoreOf(
      name,
      verdicts.filter(({ mutant }) => nameOf(mutant.path) === name),
    ),
  )
  return names.length === 1 ? each : [...each, scoreOf('all', verdicts)]
}

export function scoreLine({ name, mutants, killed, goldenOnly, late, survived, score }: Score): string {
  return (
    `${score.toFixed(1).padStart(5)} ${name}: ${mutants} mutants, ${killed} killed (${goldenOnly} by golden digests alone),` +
    ` ${late} out of time, ${survived} survived`
  )
}

function scoreOf(name: string, verdicts: readonly Verdict[]): Score {
  const count = (outcome: Verdict['outcome']) =>
    verdicts.filter((verdict) => verdict.outcome === outcome).length
  const [killed, late, survived] = [count('killed'), count('late'), count('survived')]
  const goldenOnly = verdicts.filter(({ test }) => test?.startsWith('test/golden/') === true).length
  const score = verdicts.length === 0 ? 100 : (100 * (killed + late)) / verdicts.length
  return { name, mutants: verdicts.length, killed, goldenOnly, late, survived, score }
}
