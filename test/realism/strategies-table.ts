import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { mean } from '../support/statistics.ts'
import { strategies } from './strategies.ts'
import { collectResults, computeT, type Earned, judge, runSeed } from './strategy-trial.ts'

/*
 * `npm run soak strategies`: 48 seeds of 90 days, on bars of a minute, five, fifteen and an hour; `-- 8 30` for less.
 * Each seed is written down when it is done, so a run that was stopped goes on where it was. A changed program begins anew.
 */

const [seedCount = 48, days = 90] = process.argv.slice(2).map(Number)
const barMinutes = [1, 5, 15, 60]
const seeds = Array.from({ length: seedCount }, (_, place) => `${place + 1}`)

const program = createHash('sha256')
  .update(readFileSync(fileURLToPath(import.meta.url)))
  .digest('hex')
const keptFile = `.otcsim/strategies/${program.slice(0, 16)}-${days}.jsonl`
const kept = readKept()
mkdirSync('.otcsim/strategies', { recursive: true })
const rows = seeds.map((seed) => {
  const known = kept.get(seed)
  if (known !== undefined) return known
  const row = runSeed(seed, days, barMinutes)
  appendFileSync(keptFile, `${JSON.stringify({ seed, row })}\n`)
  process.stderr.write(`seed ${seed}\n`)
  return row
})
const results = collectResults(rows, barMinutes)
process.stdout.write(
  `${seedCount} seeds of ${days} days, ${2 * strategies.length} strategies with their mirrors\n`,
)
process.stdout.write('                                        before costs        after costs\n')
for (const { barMinutes: minutes, costs, gross, name } of results) {
  const net = gross.map((value, place) => value - (costs[place] ?? 0))
  const text = (values: Float64Array): string =>
    `${(100 * mean([...values])).toFixed(2).padStart(9)} % t ${computeT(values).toFixed(2).padStart(6)}`
  process.stdout.write(`${`${minutes} min`.padEnd(8)}${name.padEnd(28)}${text(gross)} ${text(net)}\n`)
}
const { best, bestT, beyondThree, chanceT, probability } = judge(results, 1000)
process.stdout.write(
  `the best after costs: ${best}, t ${bestT.toFixed(2)}; by chance the best of so many is beyond it in ${(100 * probability).toFixed(1)} of 100, and beyond ${chanceT.toFixed(2)} in 5\n`,
)
process.stdout.write(
  beyondThree.length === 0
    ? 'before costs every strategy on price alone is within three standard errors of nothing\n'
    : `before costs beyond three standard errors: ${beyondThree.join('; ')}\n`,
)
process.exitCode = probability >= 0.05 && beyondThree.length === 0 ? 0 : 1

function readKept(): ReadonlyMap<string, readonly Earned[]> {
  const lines = existsSync(keptFile) ? readFileSync(keptFile, 'utf8').split('\n') : []
  const whole = lines.slice(0, -1).map((line): KeptSeed => JSON.parse(line))
  return new Map(whole.map(({ row, seed }) => [seed, row]))
}

interface KeptSeed {
  readonly seed: string
  readonly row: readonly Earned[]
}
