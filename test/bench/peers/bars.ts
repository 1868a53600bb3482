import { readFileSync, writeFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { readRecordingFile } from '../../../src/cli/recordings/read-recording.ts'
import { candleAt, countCandles } from '../../../src/market/recordings/candle-table.ts'
import { formatDuration } from '../../../src/numeric/time-text.ts'
import { median } from '../stopwatch.ts'
import {
  atLeast,
  atMost,
  inProcess,
  type Measured,
  names,
  type Program,
  peersFolder,
  run,
  runCommand,
  script,
  type Taken,
  thousands,
} from './programs.ts'
import type { PeerReport } from './report.ts'

const yearMillis = 31_536_000_000

interface Contender {
  readonly name: string
  readonly program: Program
  readonly words: (file: string, loops: number) => readonly string[]
  /** How many bars its loops are over together: half of them until it has settled. */
  readonly barsInLoops: number
}

const contenders: readonly Contender[] = [
  {
    name: names.otcsim,
    program: 'node',
    words: (file, loops) => [inProcess, 'cross', file, String(loops)],
    barsInLoops: 1_200_000,
  },
  {
    name: names.backtesting,
    program: 'python',
    words: (file, loops) => [script('backtesting'), file, String(loops), '0.001'],
    barsInLoops: 60_000,
  },
  {
    name: names.nautilus,
    program: 'python',
    words: (file, loops) => [script('nautilus'), file, String(loops), 'cross'],
    barsInLoops: 30_000,
  },
  {
    name: 'backtrader',
    program: 'python',
    words: (file, loops) => [script('backtrader'), file, String(loops), '0.001'],
    barsInLoops: 0,
  },
  {
    name: names.grademark,
    program: 'node',
    words: (file, loops) => [inProcess, 'grademark', file, String(loops)],
    barsInLoops: 1_200_000,
  },
  {
    name: names.follows,
    program: 'node',
    words: (file, loops) => [inProcess, 'resting', file, String(loops)],
    barsInLoops: 600_000,
  },
  {
    name: names.nautilusFollows,
    program: 'python',
    words: (file, loops) => [script('nautilus'), file, String(loops), 'resting'],
    barsInLoops: 30_000,
  },
]

/** What a contender's processes came to, medians. */
interface Row {
  readonly oneLoop: number
  readonly settled: number
  readonly wallSeconds: number
  readonly cpuSeconds: number
  readonly megabytes: number
}

interface Runs {
  readonly once: Taken
  readonly often: PeerReport
}

export async function measureBars(file: string, rounds: number): Promise<void> {
  const { bar, bars } = facts(file)
  const taken = new Map<string, Runs[]>(contenders.map(({ name }) => [name, []]))
  const commands: Measured[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const { barsInLoops, name, program, words } of round % 2 === 0
      ? contenders
      : contenders.toReversed()) {
      const once = await run(program, words(file, 1))
      const loops = Math.ceil(barsInLoops / bars)
      const often = loops < 2 ? once : await run(program, words(file, loops))
      taken.get(name)?.push({ once, often })
    }
    commands.push(await runCommand('backtest', file, ['--set', `bar=${bar}`]))
  }
  const rows = new Map([...taken].map(([name, runs]) => [name, rowOf(runs)]))
  const wholeCommand = processOf(commands)
  console.log(`\n${basename(file)}, medians of ${rounds} rounds\n`)
  console.log('| | bars a second, one loop | settled | process, s | of which processor, s | memory, MB |')
  console.log('| --- | --- | --- | --- | --- | --- |')
  for (const [name, row] of rows)
    console.log(`| ${name} | ${thousands(row.oneLoop)} | ${thousands(row.settled)} | ${processCells(row)} |`)
  console.log(`| otcsim backtest, the command | | | ${processCells(wholeCommand)} |\n`)
  const figure = (name: string, of: keyof Row): number => rows.get(name)?.[of] ?? Number.NaN
  const ours = figure(names.otcsim, 'settled')
  const isYearOfMinutes = bars > 500_000
  if (!isYearOfMinutes)
    atLeast('bars a second to nautilus_trader', ours / figure(names.nautilus, 'settled'), 10)
  atLeast('bars a second to backtesting.py', ours / figure(names.backtesting, 'settled'), 1.5)
  if (isYearOfMinutes) atLeast('bars a second to grademark', ours / figure(names.grademark, 'settled'), 0.8)
  atLeast('a bid follows', figure(names.follows, 'settled') / figure(names.nautilusFollows, 'settled'), 3)
  atMost(
    'command: processor time to backtesting.py',
    wholeCommand.cpuSeconds / figure(names.backtesting, 'cpuSeconds'),
    1,
  )
  atMost(
    'command: memory to nautilus_trader',
    wholeCommand.megabytes / figure(names.nautilus, 'megabytes'),
    0.5,
  )
}

function rowOf(runs: readonly Runs[]): Row {
  return {
    ...processOf(runs.map(({ once }) => once)),
    oneLoop: median(runs.map(({ once }) => once.barsPerSecond[0] ?? Number.NaN)),
    settled: median(
      runs.map(({ often: { barsPerSecond } }) => median(barsPerSecond.slice(barsPerSecond.length >> 1))),
    ),
  }
}

type Process = Pick<Row, 'wallSeconds' | 'cpuSeconds' | 'megabytes'>

function processOf(runs: readonly Measured[]): Process {
  return {
    wallSeconds: median(runs.map(({ wallSeconds }) => wallSeconds)),
    cpuSeconds: median(runs.map(({ cpuSeconds }) => cpuSeconds)),
    megabytes: median(runs.map(({ residentMegabytes }) => residentMegabytes)),
  }
}

function processCells({ cpuSeconds, megabytes, wallSeconds }: Process): string {
  return `${wallSeconds.toFixed(1)} | ${cpuSeconds.toFixed(1)} | ${megabytes.toFixed(0)}`
}

function facts(file: string): { readonly bar: string; readonly bars: number } {
  const read = readRecordingFile(file)
  if (!read.ok) throw new Error(read.reason)
  return {
    bar: formatDuration(candleAt(read.candles, 0)?.spanMillis ?? Number.NaN),
    bars: countCandles(read.candles),
  }
}

/** Every case alone in its figures, so that nothing but the cases is compared. */
export async function measureSweep(file: string, rounds: number): Promise<void> {
  const [header = '', ...lines] = readFileSync(file, 'utf8').trim().split('\n')
  const millisOf = (line: string | undefined): number => Number(line?.split(',')[0])
  const lastMillis = millisOf(lines.at(-1))
  const kept = lines.filter((line) => millisOf(line) > lastMillis - 2 * yearMillis)
  const short = resolve(peersFolder, `two-years-of-${basename(file)}`)
  writeFileSync(short, `${[header, ...kept].join('\n')}\n`)
  const [fast, slow] = [spans(5, 15, 1), spans(20, 60, 2)]
  const sets = [`bar=${facts(short).bar}`, `fast=${fast}`, `slow=${slow}`].flatMap((text) => ['--set', text])
  const asked = (workers: number): string => JSON.stringify({ workers, fast, slow })
  const sweepers: Readonly<Record<string, (workers: number) => Promise<Measured>>> = {
    [names.otcsim]: (workers) =>
      runCommand('sweep', short, [...sets, '--seeds', '1', '--fresh', '--jobs', String(workers)]),
    [names.backtesting]: (workers) => run('python', [script('backtesting'), short, asked(workers), '0.001']),
    [names.nautilus]: (workers) => run('python', [script('nautilus'), short, asked(workers), 'cross']),
  }
  const taken = new Map<string, Measured[]>()
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, play] of Object.entries(sweepers)) {
      for (const workers of [1, 2]) {
        const key = `${name}, ${workers}`
        taken.set(key, [...(taken.get(key) ?? []), await play(workers)])
      }
    }
  }
  console.log(`\n200 cases on ${kept.length} bars of ${basename(file)}, medians of ${rounds} rounds\n`)
  console.log('| workers | s | of which processor, s | memory, MB |')
  console.log('| --- | --- | --- | --- |')
  for (const [key, runs] of taken) console.log(`| ${key} | ${processCells(processOf(runs))} |`)
  console.log()
  const seconds = (name: string, workers: number): number =>
    median((taken.get(`${name}, ${workers}`) ?? []).map(({ wallSeconds }) => wallSeconds))
  for (const workers of [1, 2]) {
    const ours = seconds(names.otcsim, workers)
    atLeast(`speed to nautilus_trader, workers: ${workers}`, seconds(names.nautilus, workers) / ours, 8)
    atLeast(`speed to backtesting.py, workers: ${workers}`, seconds(names.backtesting, workers) / ours, 1)
  }
  atLeast('two workers to one', seconds(names.otcsim, 1) / seconds(names.otcsim, 2), 1.9)
}

function spans(from: number, to: number, step: number): readonly number[] {
  return Array.from({ length: (to - from) / step }, (_, place) => from + place * step)
}

export async function compareFills(file: string): Promise<void> {
  const [ours, theirs] = [
    await run('node', [inProcess, 'plain', file, '1']),
    await run('python', [script('backtesting'), file, '1', '0']),
  ]
  const own = ours.fills ?? []
  const other = theirs.fills ?? []
  // What is still held at the end is none of backtesting.py's trades, and counts in both equities.
  const differences = own.filter(([atMillis, price], place) => {
    const [theirMillis, theirPrice] = other[place] ?? [atMillis, price]
    return atMillis !== theirMillis || Math.abs(price - theirPrice) >= 0.005
  })
  const gap = Math.abs(ours.equity - theirs.equity)
  const isEqual = differences.length === 0 && own.length - other.length <= 1 && gap < 0.005
  if (!isEqual) process.exitCode = 1
  console.log(
    `${isEqual ? 'equal ' : 'DIFFER'} ${basename(file)}: ${own.length} fills, ${differences.length} differ; equity ${ours.equity.toFixed(2)} and ${theirs.equity.toFixed(2)}`,
  )
  for (const [atMillis, price] of differences.slice(0, 3)) {
    const place = own.findIndex(([at]) => at === atMillis)
    console.log(`  at ${atMillis}: ${price}, and there ${other[place]?.join(' at ')}`)
  }
}
