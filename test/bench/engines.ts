import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Bar } from './bars.ts'
import type { MixName } from './mixes.ts'
import { makeMix, mixNames } from './mixes.ts'
import { barLines, mixLines } from './report.ts'
import type { Timing } from './stopwatch.ts'
import { median } from './stopwatch.ts'
import type { Facts } from './workload.ts'
import { writeWorkload } from './workload.ts'

/*
 * Our whole engine beside exchange-core 0.5.3, a Java exchange that is meant to be fast: both play the commands of
 * `npm run bench` in processes that alternate, and each pass of either must end with the reference book's fills, depth and
 * time priority. exchange-core plays them twice: through its ring, as it is meant, and with its risk and matching called
 * in one thread. It has no positions at average cost, statistics or limits, its fee is a sum a lot, and events are what its
 * matching leaves at the command. What counts is processor time of the whole process, collectors included, which is what
 * "per core" means; wall clocks say what else the machine did. Both runtimes are as they come, but for a heap with room, and
 * the bars were promised of that; its one thread is shown with Java's parallel collector, too, which takes less than the
 * default one for books of many orders. `npm run bench engines` needs a JDK, 17 or later, and Maven, which brings the classes
 * into `.otcsim/peers/java`; where they are missing it says so and measures nothing. Prints Markdown, and whether the bars
 * hold; exit code 1 where one is missed.
 */

const { values: flags } = parseArgs({
  options: {
    commands: { type: 'string', default: '500000' },
    rounds: { type: 'string', default: '5' },
    millis: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '7' },
    mixes: { type: 'string', default: mixNames.join() },
  },
})
const rounds = Number(flags.rounds)
const mixes = mixNames.filter((name) => flags.mixes.split(',').includes(name))
const java = resolve('.otcsim/peers/java')

const playerNames = ['otcsim', 'ring', 'thread', 'thread-parallel'] as const
type PlayerName = (typeof playerNames)[number]

/** Least commands of ours a second of processor time to one of exchange-core's. */
const bars: { readonly [Mix in MixName]: { readonly ring: number; readonly thread: number } } = {
  amend: { ring: 2, thread: 0.5 },
  'place-cancel': { ring: 2, thread: 0.8 },
  deep: { ring: 2, thread: 1 },
}

/** exchange-core's serializer of commands reaches into these packages. */
const access = [
  '--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED',
  '--add-exports=java.base/sun.nio.ch=ALL-UNNAMED',
  '--add-opens=java.base/java.lang=ALL-UNNAMED',
  '--add-opens=java.base/java.nio=ALL-UNNAMED',
  '--add-opens=java.base/sun.nio.ch=ALL-UNNAMED',
]
const heap = ['-Xms3g', '-Xmx3g']
/** A ring whose thread has failed would wait forever. */
const longestMillis = 300_000

type Played = Pick<Timing, 'processMillis' | 'wallMillis'>

if (compileJava()) compareEngines()
else console.log('left out: exchange-core needs javac, a JDK of 17 or later, and Maven (mvn)')

function compileJava(): boolean {
  if ([run('javac', ['-version']), run('mvn', ['-version'])].some(({ error }) => error !== undefined))
    return false
  const project = resolve('test/bench/peers/exchange-core/pom.xml')
  const goals = ['compiler:compile', 'dependency:copy-dependencies']
  must('mvn', ['--quiet', '--batch-mode', '--file', project, `-Doutput=${java}`, ...goals])
  return true
}

function compareEngines(): void {
  const directory = mkdtempSync(join(tmpdir(), 'otcsim-engines-'))
  try {
    const facts = new Map<MixName, Facts>()
    for (const mix of mixes) {
      const workload = makeMix(mix, flags.seed, Number(flags.commands), 1)
      writeWorkload(join(directory, mix), workload)
      facts.set(mix, workload.facts)
    }
    const played = playRounds(directory)
    console.log([...mixLines(mixes, facts), '', ...tableLines(played, facts)].join('\n'))
    const judged = mixes.flatMap((mix) => judge(mix, played))
    console.log(barLines(judged).join('\n'))
    process.exitCode = judged.every((bar) => bar.holds) ? 0 : 1
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** Odd rounds go backwards, so that nobody always follows the same one. */
function playRounds(directory: string): ReadonlyMap<string, Played> {
  const taken = new Map<string, Played[]>()
  const jobs = mixes.flatMap((mix) => playerNames.map((player) => ({ mix, player })))
  for (let round = 0; round < rounds; round += 1) {
    for (const { mix, player } of round % 2 === 0 ? jobs : jobs.toReversed()) {
      const one = play(player, join(directory, mix))
      console.error(`round ${round + 1}: ${mix} ${player} ${one.processMillis.toFixed(1)} ms`)
      taken.set(`${mix} ${player}`, [...(taken.get(`${mix} ${player}`) ?? []), one])
    }
  }
  return new Map(
    [...taken].map(([key, all]) => [
      key,
      {
        processMillis: median(all.map(({ processMillis }) => processMillis)),
        wallMillis: median(all.map(({ wallMillis }) => wallMillis)),
      },
    ]),
  )
}

function play(player: PlayerName, file: string): Played {
  const worker = fileURLToPath(new URL('worker.mjs', import.meta.url))
  const classes = ['-classpath', [join(java, 'classes'), join(java, 'lib', '*')].join(delimiter)]
  if (player === 'otcsim')
    return JSON.parse(must(process.execPath, ['--expose-gc', worker, 'play', 'engine', file, flags.millis]))
  const collector = player === 'thread-parallel' ? ['-XX:+UseParallelGC'] : []
  const way = player === 'ring' ? 'ring' : 'thread'
  const words = [...heap, ...collector, ...access, ...classes, 'Play', way, file, flags.millis]
  return JSON.parse(must('java', words))
}

function tableLines(
  played: ReadonlyMap<string, Played>,
  facts: ReadonlyMap<MixName, Facts>,
): readonly string[] {
  const rows = mixes.map((mix) => {
    const { commands = Number.NaN, fills } = facts.get(mix) ?? {}
    const rate = (player: PlayerName, of: keyof Played): string =>
      (commands / 1e3 / (played.get(`${mix} ${player}`)?.[of] ?? Number.NaN)).toFixed(2)
    const figures = [
      rate('otcsim', 'processMillis'),
      rate('ring', 'processMillis'),
      rate('ring', 'wallMillis'),
      rate('thread', 'processMillis'),
      rate('thread-parallel', 'processMillis'),
    ]
    return `| ${mix} | ${figures.join(' | ')} | ${fills} |`
  })
  return [
    `Million commands a second of processor time, medians of ${rounds} rounds; fills of all are the same`,
    '',
    '| | otcsim | exchange-core, ring, per core | by the clock | exchange-core, one thread | with the parallel collector | fills |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ]
}

function judge(mix: MixName, played: ReadonlyMap<string, Played>): readonly Bar[] {
  const millisOf = (player: PlayerName): number => played.get(`${mix} ${player}`)?.processMillis ?? Number.NaN
  return (['ring', 'thread'] as const).map((player) => {
    const got = millisOf(player) / millisOf('otcsim')
    const least = bars[mix][player]
    return {
      name: `${mix}: per core to exchange-core ${player === 'ring' ? 'through its ring' : 'in one thread'}`,
      bound: `at least x${least}`,
      got: `x${got.toFixed(2)}`,
      holds: got >= least,
    }
  })
}

function must(program: string, words: readonly string[]): string {
  const { status, stdout } = run(program, words)
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${status}:\n${stdout}`)
  return stdout
}

function run(program: string, words: readonly string[]) {
  return spawnSync(program, words, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: longestMillis,
    killSignal: 'SIGKILL',
  })
}
