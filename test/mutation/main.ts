import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { drawn, matching } from './choice.ts'
import { equivalentOf, keyOf, readEquivalents } from './equivalents.ts'
import { filesBelow, repositoryRoot, textOf } from './killing-tests.ts'
import { type Mutant, mutantsOf, mutated } from './mutants.ts'
import { MutationRun, type Verdict } from './mutation-run.ts'
import { describeVerdict, scoreLine, scoresBy } from './report.ts'
import { TypeCheck } from './type-check.ts'

/*
 * `npm run soak mutation`: makes small mistakes in the sources, one at a time, and checks whether a test fails.
 *
 * Flags follow `--`:
 *
 *   --mutate 'src/engine/book/*.ts'  files to change, repeatable; src/x.ts:40 is one line of a file; any pure room will
 *                                    do that tests of `killing-tests.ts` import
 *   --sample 100 --seed 7            this many mutants, drawn by the seed, instead of all
 *   --seconds 20                     seconds of tests per mutant at most; all tests might kill more
 *   --again                          only those that survived the last time
 *   --listed                         only those of the list of equivalent mutants, each of which must survive
 *
 * Exit code 1: an unchanged source fails its tests. Survivors do not affect the exit code.
 */

const rooms = ['src/numeric', 'src/market', 'src/engine', 'src/metrics', 'src/pages']
const folder = join(repositoryRoot, '.otcsim/mutation')

const { values: flags } = parseArgs({
  options: {
    mutate: { type: 'string', multiple: true, default: rooms.map((room) => `${room}/**`) },
    sample: { type: 'string' },
    seed: { type: 'string', default: '7' },
    again: { type: 'boolean', default: false },
    seconds: { type: 'string', default: 'Infinity' },
    listed: { type: 'boolean', default: false },
  },
})

const list = readFileSync(fileURLToPath(new URL('./equivalent.md', import.meta.url)), 'utf8')
const listed = new Set(readEquivalents(list).map(keyOf))
const all = mutantsOfPatterns(flags.mutate)
const isListed = (mutant: Mutant) => listed.has(keyOf(equivalentOf(mutant)))
const survivors = flags.again ? survivorsOf(join(folder, 'report.json')) : null
const wanted = all.filter(
  (mutant) => isListed(mutant) === flags.listed && (survivors?.has(keyOf(equivalentOf(mutant))) ?? true),
)
const order = flags.sample === undefined ? wanted : drawn(wanted, flags.seed)
const most = flags.sample === undefined ? order.length : Number(flags.sample)
console.log(`${wanted.length} mutants; ${all.filter(isListed).length} are on the list of equivalents`)

const verdicts: Verdict[] = []
mkdirSync(folder, { recursive: true })
const run = new MutationRun({
  recordsFile: join(folder, 'records.json'),
  maximumMillis: Number(flags.seconds) * 1000,
  patienceMillis: 15_000,
})
try {
  await judgeAll()
} finally {
  run.close()
}
console.log()
for (const verdict of verdicts) if (verdict.outcome === 'survived') console.log(describeVerdict(verdict))
for (const score of scoresBy(verdicts, (path) => path)) console.log(scoreLine(score))
for (const score of scoresBy(verdicts, (path) => path.split('/')[1] ?? '')) console.log(scoreLine(score))

/** A mutant with a type error is replaced by another. */
async function judgeAll(): Promise<void> {
  const check = new TypeCheck([...new Set(order.map(({ path }) => path.split('/').slice(0, 2).join('/')))])
  const failing = await run.begin(new Set(order.map(({ path }) => path)))
  if (failing !== null) {
    console.error(`${failing} fails without any mutant, so there is no verdict`)
    process.exitCode = 1
    return
  }
  for (const mutant of order) {
    if (verdicts.length >= most) return
    if (!check.fits(mutant.path, mutated(textOf(mutant.path), mutant))) continue
    const verdict = await run.judge(mutant)
    verdicts.push(verdict)
    console.log(`${verdicts.length} ${describeVerdict(verdict)}`)
    writeFileSync(join(folder, 'report.json'), JSON.stringify(verdicts, null, 1))
  }
}

function survivorsOf(file: string): ReadonlySet<string> {
  const last: readonly Verdict[] = JSON.parse(readFileSync(file, 'utf8'))
  const survived = last.filter(({ outcome }) => outcome === 'survived')
  return new Set(survived.map(({ mutant }) => keyOf(equivalentOf(mutant))))
}

function mutantsOfPatterns(patterns: readonly string[]): readonly Mutant[] {
  const files = filesBelow('src')
  return patterns.flatMap((pattern) => {
    const [, glob = '', line] = /^(.*?)(?::(\d+))?$/.exec(pattern) ?? []
    const paths = matching(files, glob)
    if (paths.length === 0) {
      console.error(`no file is named by ${pattern}`)
      process.exitCode = 1
    }
    return paths
      .flatMap((path) => mutantsOf(path, textOf(path)))
      .filter((mutant) => line === undefined || mutant.line === Number(line))
  })
}
