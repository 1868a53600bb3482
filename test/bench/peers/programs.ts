import { resolve } from 'node:path'
import { Workshop } from '../../clients/workshop.ts'
import type { PeerReport } from './report.ts'

/* The programs that are measured: where they are, how they are run, and what is made of what they took. */

export const peersFolder = resolve('.otcsim/bench-peers')
export const inProcess = resolve(peersFolder, 'peers/in-process.mjs')
export const script = (name: string): string => resolve('test/bench/peers', `cross_${name}.py`)
export const names = {
  otcsim: 'otcsim',
  backtesting: 'backtesting.py',
  nautilus: 'nautilus_trader',
  grademark: 'grademark',
  follows: 'otcsim, a bid follows',
  nautilusFollows: 'nautilus_trader, a bid follows',
} as const

export const backtestingPackage = 'backtesting==0.6.6'
export const peerPackages = [backtestingPackage, 'nautilus_trader==1.221.0', 'backtrader==1.9.78.123']
export const workshop = new Workshop(resolve('.otcsim/peers/python'))

export type Program = 'node' | 'python'

export interface Measured {
  readonly wallSeconds: number
  readonly cpuSeconds: number
  readonly residentMegabytes: number
}

export type Taken = PeerReport & Measured

/** The strategy as a user of JavaScript has it. */
export const strategy = resolve(peersFolder, 'strategy/ema-cross.mjs')
/** Its source, as a user of TypeScript has it. */
export const typedStrategy = resolve('test/bench/peers/ema-cross.ts')
export const command = resolve('dist/cli.cjs')

/** Our command with the strategy, the cash and the fees of the peers. */
export async function runCommand(
  work: 'backtest' | 'sweep',
  file: string,
  words: readonly string[],
): Promise<Measured> {
  const cash = ['--cash', '10000000', '--data', file]
  const { used } = await measured('node', [command, work, strategy, ...cash, ...words])
  return used
}

export async function run(program: Program, words: readonly string[]): Promise<Taken> {
  const { said, used } = await measured(program, words)
  const report: PeerReport = JSON.parse(said)
  return { ...report, ...used }
}

/** The last line that a program printed, and what it took. */
export async function measured(
  program: Program,
  words: readonly string[],
  installed = workshop,
): Promise<{ readonly said: string; readonly used: Measured }> {
  const path = program === 'node' ? process.execPath : 'python3'
  const out = await installed.must('python', [resolve('test/bench/peers/measured.py'), path, ...words])
  const [said = '', used = ''] = out.trim().split('\n').slice(-2)
  return { said, used: JSON.parse(used) }
}

export function atLeast(text: string, value: number, bound: number): void {
  judge(text, value, `at least ${bound}`, value >= bound)
}

export function atMost(text: string, value: number, bound: number): void {
  judge(text, value, `at most ${bound}`, value <= bound)
}

function judge(text: string, value: number, bound: string, isHeld: boolean): void {
  if (!isHeld) process.exitCode = 1
  console.log(`${isHeld ? 'held  ' : 'MISSED'} ${text}: ${value.toFixed(2)}, ${bound}`)
}

export function thousands(value: number): string {
  return Math.round(value).toLocaleString('en')
}
