import { readFileSync, writeFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readCandleFile } from '../../src/cli/scenario/read-candles.ts'
import { formatDuration } from '../../src/numeric/time-text.ts'
import { Workshop } from '../clients/workshop.ts'
import { randomCandles } from './backtest/data.ts'
import type { PeerReport } from './peers/report.ts'
import { median } from './stopwatch.ts'

/*
 * Backtests beside others': one strategy (long one unit while the 20-bar average is above the 60-bar one) on recordings
 * of one's own, in processes that alternate. `npm run bench:peers -- FILE...` installs the peers into
 * `.otcsim/peers/python` once, and prints the table as Markdown with the bars that were promised; exit code 1 where one
 * is missed. Processor time counts; wall clocks say what else the machine did. Node compiles while it runs, so there are
 * two processes a contender: one that runs once, as a user's command does, and one that runs over and over, as each
 * worker of a sweep does. With `--sweep`, 200 pairs of averages on the last two years of each file, with one worker and
 * with two. With `--compare` it only holds our fills and final equity, without fees, spread and impact, against
 * backtesting.py's, to the cent. With `--orders`, which needs no files, orders a second from a strategy with 20 and 1,000
 * at rest, beside nautilus_trader and hftbacktest. CSV files of candles: ts_ms,open,high,low,close,volume. Run it after
 * `npm run build`.
 */

const { positionals: files, values: flags } = parseArgs({
  allowPositionals: true,
  options: {
    compare: { type: 'boolean', default: false },
    orders: { type: 'boolean', default: false },
    sweep: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
  },
})
if (files.length === 0 && !flags.orders) throw new Error('name the recordings: CSV files of candles')
const rounds = Number(flags.rounds)

const packages = ['backtesting==0.6.6', 'nautilus_trader==1.221.0', 'backtrader==1.9.78.123']
const workshop = new Workshop(resolve('.otcsim/peers/python'))
if (!flags.orders) {
  await workshop.prepare({ pip: packages }).catch((cause) => {
    throw new Error('the peers need Python 3.11 or later, with venv and pip', { cause })
  })
}

interface Contender {
  readonly name: string
  readonly program: Program
  readonly words: (file: string, loops: number) => readonly string[]
  /** How many bars its loops are over together: half of them until it has settled. */
  readonly barsInLoops: number
}

type Program = 'node' | 'python'

const inProcess = resolve('.otcsim/bench-peers/peers/in-process.mjs')
const script = (name: string): string => resolve('test/bench/peers', `cross_${name}.py`)
const ordersInHftbacktest = resolve('test/bench/peers/orders_hftbacktest.py')
const names = {
  otcsim: 'otcsim',
  backtesting: 'backtesting.py',
  nautilus: 'nautilus_trader',
  grademark: 'grademark',
  follows: 'otcsim, a bid follows',
  nautilusFollows: 'nautilus_trader, a bid follows',
} as const
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

/** The strategy as a user of JavaScript has it. */
const strategy = resolve('.otcsim/bench-peers/strategy/ema-cross.mjs')
const command = resolve('dist/cli.cjs')
const yearMillis = 31_536_000_000

if (flags.orders) await measureOrders()
for (const file of flags.orders ? [] : files.map((name) => resolve(name))) {
  if (flags.compare) await compare(file)
  else if (flags.sweep) await sweep(file)
  else await measure(file)
}

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

async function measure(file: string): Promise<void> {
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
  const read = readCandleFile(file)
  if (!read.ok) throw new Error(read.reason)
  return { bar: formatDuration(read.candles[0]?.spanMillis ?? Number.NaN), bars: read.candles.length }
}

/** Every case alone in its figures, so that nothing but the cases is compared. */
async function sweep(file: string): Promise<void> {
  const [header = '', ...lines] = readFileSync(file, 'utf8').trim().split('\n')
  const millisOf = (line: string | undefined): number => Number(line?.split(',')[0])
  const lastMillis = millisOf(lines.at(-1))
  const kept = lines.filter((line) => millisOf(line) > lastMillis - 2 * yearMillis)
  const short = resolve('.otcsim/bench-peers', `two-years-of-${basename(file)}`)
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

async function compare(file: string): Promise<void> {
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

interface Sender {
  readonly name: string
  readonly workshop: Workshop
  readonly words: (file: string, resting: number) => readonly string[]
  /** As many as take it some seconds at most, all loops together. */
  readonly bars: (resting: number) => number
  /** Orders a second that were promised. */
  readonly least?: number
}

async function measureOrders(): Promise<void> {
  const sizes = [20, 1000]
  const senders = await orderSenders()
  const taken = new Map<string, number[]>()
  for (let round = 0; round < rounds; round += 1) {
    for (const { bars, name, words, workshop } of round % 2 === 0 ? senders : senders.toReversed()) {
      for (const resting of sizes) {
        const [program = '', ...rest] = words(minutes(bars(resting)), resting)
        const said = await workshop.must(program, rest)
        const { bars: played, barsPerSecond, orders = Number.NaN }: PeerReport = JSON.parse(said)
        const settled = median(barsPerSecond.slice(barsPerSecond.length >> 1))
        const key = `${name}, ${resting}`
        taken.set(key, [...(taken.get(key) ?? []), (settled * orders) / played])
      }
    }
  }
  const rates = (name: string): readonly number[] =>
    sizes.map((resting) => median(taken.get(`${name}, ${resting}`) ?? []))
  console.log(`\nOrders made, amended and cancelled a second, settled, medians of ${rounds} rounds\n`)
  console.log(`| | ${sizes.map((resting) => `${thousands(resting)} at rest`).join(' | ')} |`)
  console.log('| --- | --- | --- |')
  for (const { name } of senders) console.log(`| ${name} | ${rates(name).map(thousands).join(' | ')} |`)
  console.log()
  for (const { least, name } of senders) {
    if (least === undefined) continue
    for (const [place, rate] of rates(name).entries())
      atLeast(`${name}, ${sizes[place]} at rest`, rate, least)
  }
}

async function orderSenders(): Promise<readonly Sender[]> {
  const ours = (suffix: string) => (file: string, resting: number) =>
    [process.execPath, inProcess, 'orders', file, '12', `otcsim, orders at ${resting}${suffix}`] as const
  const own = [
    { name: names.otcsim, workshop, bars: () => 2000, words: ours(''), least: 300_000 },
    {
      name: `${names.otcsim}, promises`,
      workshop,
      bars: () => 2000,
      words: ours(', promises'),
      least: 200_000,
    },
  ]
  const others: readonly (Sender & { readonly packages: readonly string[] })[] = [
    {
      name: names.nautilus,
      workshop,
      packages,
      bars: (resting) => (resting < 100 ? 100 : 10),
      words: (file, resting) => ['python', script('nautilus'), file, '2', 'orders', String(resting)],
    },
    {
      name: 'hftbacktest, compiled',
      // It wants other versions of what the peers stand on.
      workshop: new Workshop(resolve('.otcsim/peers/hftbacktest')),
      packages: ['hftbacktest==2.4.4', 'numba==0.68.1'],
      bars: () => 2000,
      words: (file, resting) => ['python', ordersInHftbacktest, file, '6', String(resting)],
    },
  ]
  const installed: Sender[] = []
  for (const { packages, ...sender } of others) {
    try {
      await sender.workshop.prepare({ pip: packages })
      installed.push(sender)
    } catch (cause) {
      console.log(`left out: ${sender.name}, which can't be installed here: ${cause}`)
    }
  }
  return [...own, ...installed]
}

/** A recording of so many minutes, made up. */
function minutes(count: number): string {
  const file = resolve('.otcsim/bench-peers', `minutes-${count}.csv`)
  const rows = randomCandles(count, '7').map(
    ({ atMillis, close, high, low, open }) => `${atMillis},${open},${high},${low},${close},`,
  )
  writeFileSync(file, `ts_ms,open,high,low,close,volume\n${rows.join('\n')}\n`)
  return file
}

interface Measured {
  readonly wallSeconds: number
  readonly cpuSeconds: number
  readonly residentMegabytes: number
}

type Taken = PeerReport & Measured

/** Our command with the strategy, the cash and the fees of the peers. */
async function runCommand(
  work: 'backtest' | 'sweep',
  file: string,
  words: readonly string[],
): Promise<Measured> {
  const cash = ['--cash', '10000000', '--data', file]
  const { used } = await measured('node', [command, work, strategy, ...cash, ...words])
  return used
}

async function run(program: Program, words: readonly string[]): Promise<Taken> {
  const { said, used } = await measured(program, words)
  const report: PeerReport = JSON.parse(said)
  return { ...report, ...used }
}

/** The last line that a program printed, and what it took. */
async function measured(
  program: Program,
  words: readonly string[],
): Promise<{ readonly said: string; readonly used: Measured }> {
  const path = program === 'node' ? process.execPath : 'python3'
  const out = await workshop.must('python', [resolve('test/bench/peers/measured.py'), path, ...words])
  const [said = '', used = ''] = out.trim().split('\n').slice(-2)
  return { said, used: JSON.parse(used) }
}

function atLeast(text: string, value: number, bound: number): void {
  judge(text, value, `at least ${bound}`, value >= bound)
}

function atMost(text: string, value: number, bound: number): void {
  judge(text, value, `at most ${bound}`, value <= bound)
}

function judge(text: string, value: number, bound: string, isHeld: boolean): void {
  if (!isHeld) process.exitCode = 1
  console.log(`${isHeld ? 'held  ' : 'MISSED'} ${text}: ${value.toFixed(2)}, ${bound}`)
}

function thousands(value: number): string {
  return Math.round(value).toLocaleString('en')
}
