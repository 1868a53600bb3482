import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Workshop } from '../../clients/workshop.ts'
import { randomCandles } from '../backtest/data.ts'
import { median } from '../stopwatch.ts'
import {
  atLeast,
  inProcess,
  names,
  peerPackages,
  peersFolder,
  script,
  thousands,
  workshop,
} from './programs.ts'
import type { PeerReport } from './report.ts'

interface Sender {
  readonly name: string
  readonly workshop: Workshop
  readonly words: (file: string, resting: number) => readonly string[]
  /** As many as take it some seconds at most, all loops together. */
  readonly bars: (resting: number) => number
  /** Orders a second that were promised. */
  readonly least?: number
}

export async function measureOrders(rounds: number): Promise<void> {
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
      packages: peerPackages,
      bars: (resting) => (resting < 100 ? 100 : 10),
      words: (file, resting) => ['python', script('nautilus'), file, '2', 'orders', String(resting)],
    },
    {
      name: 'hftbacktest, compiled',
      // It wants other versions of what the peers stand on.
      workshop: new Workshop(resolve('.otcsim/peers/hftbacktest')),
      packages: ['hftbacktest==2.4.4', 'numba==0.68.1'],
      bars: () => 2000,
      words: (file, resting) => [
        'python',
        resolve('test/bench/peers/orders_hftbacktest.py'),
        file,
        '6',
        String(resting),
      ],
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
  const file = resolve(peersFolder, `minutes-${count}.csv`)
  const rows = randomCandles(count, '7').map(
    ({ atMillis, close, high, low, open }) => `${atMillis},${open},${high},${low},${close},`,
  )
  writeFileSync(file, `ts_ms,open,high,low,close,volume\n${rows.join('\n')}\n`)
  return file
}
