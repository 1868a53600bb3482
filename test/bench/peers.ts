import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Workshop } from '../clients/workshop.ts'
import type { PeerReport } from './peers/report.ts'
import { median } from './stopwatch.ts'

/*
 * Backtests beside others': one strategy (long one unit while the 20-bar average is above the 60-bar one) on recordings
 * of one's own, in processes that alternate. `npm run bench:peers -- FILE...` installs the peers into
 * `.otcsim/peers/python` once, and prints the table as Markdown. Processor time counts; wall clocks say what else the
 * machine did. With `--compare` it only holds our fills and final equity, without fees, spread and impact, against
 * backtesting.py's, to the cent: exit code 1 where they differ. CSV files of candles: ts_ms,open,high,low,close,volume.
 */

const { positionals: files, values: flags } = parseArgs({
  allowPositionals: true,
  options: { compare: { type: 'boolean', default: false }, rounds: { type: 'string', default: '5' } },
})
if (files.length === 0) throw new Error('name the recordings: CSV files of candles')

const packages = ['backtesting==0.6.6', 'nautilus_trader==1.221.0', 'backtrader==1.9.78.123']
const workshop = new Workshop(resolve('.otcsim/peers/python'))
await workshop.prepare({ pip: packages }).catch((cause) => {
  throw new Error('the peers need Python 3.11 or later, with venv and pip', { cause })
})

interface Contender {
  readonly name: string
  readonly program: 'node' | 'python'
  readonly words: (file: string) => readonly string[]
}

const inProcess = resolve('.otcsim/bench-peers/peers/in-process.mjs')
const script = (name: string): string => resolve('test/bench/peers', `cross_${name}.py`)
/** Node compiles while it runs: its later loops are what a sweep sees, its first one what a single run does. */
const contenders: readonly Contender[] = [
  { name: 'otcsim', program: 'node', words: (file) => [inProcess, 'cross', file, '12'] },
  { name: 'backtesting.py', program: 'python', words: (file) => [script('backtesting'), file, '5', '0.001'] },
  { name: 'nautilus_trader', program: 'python', words: (file) => [script('nautilus'), file, '2', 'cross'] },
  { name: 'backtrader', program: 'python', words: (file) => [script('backtrader'), file, '1', '0.001'] },
  { name: 'grademark', program: 'node', words: (file) => [inProcess, 'grademark', file, '12'] },
  { name: 'otcsim, a bid follows', program: 'node', words: (file) => [inProcess, 'resting', file, '8'] },
  {
    name: 'nautilus_trader, a bid follows',
    program: 'python',
    words: (file) => [script('nautilus'), file, '2', 'resting'],
  },
]

for (const file of files.map((name) => resolve(name)))
  await (flags.compare ? compare(file) : measure(file, Number(flags.rounds)))

async function measure(file: string, rounds: number): Promise<void> {
  const taken = new Map<string, Taken[]>(contenders.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const contender of round % 2 === 0 ? contenders : contenders.toReversed())
      taken.get(contender.name)?.push(await run(contender, contender.words(file)))
  }
  console.log(`\n${basename(file)}, medians of ${rounds} processes each\n`)
  console.log(
    '| | bars a second, first loop | later loops | process, s | of which processor, s | memory, MB |',
  )
  console.log('| --- | --- | --- | --- | --- | --- |')
  for (const [name, reports] of taken) {
    const figure = (read: (report: Taken) => number): number => median(reports.map(read))
    const first = figure(({ barsPerSecond }) => Number(barsPerSecond[0]))
    const later = figure(({ barsPerSecond }) => median(barsPerSecond.slice(barsPerSecond.length >> 1)))
    const cells = [
      thousands(first),
      thousands(later),
      figure(({ wallSeconds }) => wallSeconds).toFixed(1),
      figure(({ cpuSeconds }) => cpuSeconds).toFixed(1),
      figure(({ residentMegabytes }) => residentMegabytes).toFixed(0),
    ]
    console.log(`| ${name} | ${cells.join(' | ')} |`)
  }
}

async function compare(file: string): Promise<void> {
  const [ours, theirs] = [
    await run(null, [inProcess, 'plain', file, '1']),
    await run({ program: 'python' }, [script('backtesting'), file, '1', '0']),
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

interface Taken extends PeerReport {
  readonly wallSeconds: number
}

async function run(contender: Pick<Contender, 'program'> | null, words: readonly string[]): Promise<Taken> {
  const program = contender?.program ?? 'node'
  const began = performance.now()
  const out = await workshop.must(program === 'node' ? process.execPath : program, words)
  const report: PeerReport = JSON.parse(out.trim().split('\n').at(-1) ?? '')
  return { ...report, wallSeconds: (performance.now() - began) / 1000 }
}

function thousands(value: number): string {
  return Math.round(value).toLocaleString('en')
}
