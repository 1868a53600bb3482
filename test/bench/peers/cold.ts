import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { createStream } from '../../../src/numeric/random.ts'
import { Workshop } from '../../clients/workshop.ts'
import { median } from '../stopwatch.ts'
import {
  atMost,
  backtestingPackage,
  command,
  type Measured,
  measured,
  peersFolder,
  script,
  strategy,
  typedStrategy,
} from './programs.ts'

/*
 * Whole processes from cold beside backtesting.py: our command with default settings, its strategy in JavaScript and in
 * TypeScript, on a file that it has never seen and on one that it has read before.
 */

const python = new Workshop(resolve('.otcsim/peers/backtesting'))

interface Recording {
  readonly name: string
  readonly bar: string
  readonly bars: number
  readonly spanMillis: number
  /** The most wall time to backtesting.py's: JavaScript, TypeScript, and either the second time. */
  readonly most: { readonly script: number; readonly typed: number; readonly again: number }
}

const recordings: readonly Recording[] = [
  {
    ...{ name: '4h.csv', bar: '4h', bars: 20_695, spanMillis: 14_400_000 },
    most: { script: 0.6, typed: 0.8, again: 0.5 },
  },
  {
    ...{ name: 'hours.csv', bar: '1h', bars: 48_094, spanMillis: 3_600_000 },
    most: { script: 0.6, typed: 0.8, again: 0.5 },
  },
  {
    ...{ name: 'minutes.csv', bar: '1m', bars: 525_600, spanMillis: 60_000 },
    most: { script: 0.75, typed: 0.8, again: 0.6 },
  },
]

/** The most memory of our command on the year of minutes. */
const mostMegabytes = 350

const kinds = [
  'backtesting.py',
  'JavaScript',
  'JavaScript, again',
  'TypeScript',
  'TypeScript, again',
] as const
type Kind = (typeof kinds)[number]

/** Measures on drawn recordings as long as the usual ones, or on those of them that are named. */
export async function measureCold(names: readonly string[], rounds: number): Promise<void> {
  await python.prepare({ pip: [backtestingPackage] })
  mkdirSync(peersFolder, { recursive: true })
  const chosen = names.length === 0 ? recordings : recordings.filter(({ name }) => names.includes(name))
  if (chosen.length === 0)
    throw new Error(`--cold has ${recordings.map(({ name }) => name).join(', ')}, not ${names.join(', ')}`)
  for (const recording of chosen) await measureRecording(recording, rounds)
}

async function measureRecording(recording: Recording, rounds: number): Promise<void> {
  const file = resolve(peersFolder, recording.name)
  writeFileSync(file, drawCandles(recording))
  const taken = new Map<Kind, Measured[]>(kinds.map((kind) => [kind, []]))
  for (let round = 0; round < rounds; round += 1) {
    rmSync(resolve(python.folder, '.otcsim'), { recursive: true, force: true })
    const order = round % 2 === 0 ? kinds : kinds.toSorted((left, right) => (left < right ? 1 : -1))
    // A second run follows its first one in either order.
    for (const kind of order.filter((kind) => !kind.endsWith('again'))) {
      taken.get(kind)?.push(await play(kind, file, recording))
      const again = kinds.find((other) => other === `${kind}, again`)
      if (again !== undefined) taken.get(again)?.push(await play(again, file, recording))
      rmSync(resolve(python.folder, '.otcsim'), { recursive: true, force: true })
    }
  }
  report(recording, basename(file), taken, rounds)
}

async function play(kind: Kind, file: string, { bar }: Recording): Promise<Measured> {
  if (kind === 'backtesting.py')
    return (await measured('python', [script('backtesting'), file, '1', '0.001'], python)).used
  const used = kind.startsWith('JavaScript') ? strategy : typedStrategy
  const words = ['backtest', used, '--data', file, '--cash', '10000000', '--set', `bar=${bar}`]
  return (await measured('node', [command, ...words], python)).used
}

function report(
  { bars, most, name }: Recording,
  file: string,
  taken: ReadonlyMap<Kind, readonly Measured[]>,
  rounds: number,
): void {
  const of = (kind: Kind, figure: keyof Measured): number =>
    median((taken.get(kind) ?? []).map((one) => one[figure]))
  /** Ratios within a round, because the machine's other load changes from one to the next. */
  const ratio = (kind: Kind, figure: keyof Measured): number =>
    median(
      (taken.get(kind) ?? []).map(
        (one, round) => one[figure] / (taken.get('backtesting.py')?.[round]?.[figure] ?? Number.NaN),
      ),
    )
  console.log(`\n${file}, ${bars} bars, whole processes from cold, medians of ${rounds} rounds\n`)
  console.log('| | wall, s | processor, s | memory, MB | wall to backtesting.py | processor to it |')
  console.log('| --- | --- | --- | --- | --- | --- |')
  for (const kind of kinds)
    console.log(
      `| ${kind} | ${of(kind, 'wallSeconds').toFixed(2)} | ${of(kind, 'cpuSeconds').toFixed(2)} | ${of(kind, 'residentMegabytes').toFixed(0)} | ${ratio(kind, 'wallSeconds').toFixed(2)} | ${ratio(kind, 'cpuSeconds').toFixed(2)} |`,
    )
  console.log()
  atMost(`${name}: wall time to backtesting.py, JavaScript`, ratio('JavaScript', 'wallSeconds'), most.script)
  atMost(`${name}: wall time, TypeScript`, ratio('TypeScript', 'wallSeconds'), most.typed)
  atMost(`${name}: wall time, second run`, ratio('JavaScript, again', 'wallSeconds'), most.again)
  if (name === 'minutes.csv')
    atMost(`${name}: memory, MB`, of('JavaScript', 'residentMegabytes'), mostMegabytes)
}

function drawCandles({ bars, name, spanMillis }: Recording): string {
  const stream = createStream('7', 'bench-candles', name, 0)
  const lines = ['ts_ms,open,high,low,close,volume']
  let close = 50_000
  for (let bar = 0; bar < bars; bar += 1) {
    const open = close
    close = open * (1 + 0.0008 * stream.normal())
    const high = Math.max(open, close) * (1 + 0.0002 * stream.uniform())
    const low = Math.min(open, close) * (1 - 0.0002 * stream.uniform())
    const prices = [open, high, low, close].map((price) => price.toFixed(2))
    const at = Date.UTC(2020, 0, 1) + bar * spanMillis
    lines.push(`${at},${prices.join(',')},${(10 * stream.uniform()).toFixed(5)}`)
  }
  return `${lines.join('\n')}\n`
}
