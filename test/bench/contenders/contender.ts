import { requireOwn } from '../../support/own-packages.ts'
import type { Level, Met } from '../checksum.ts'
import type { Workload } from '../workload.ts'

/** One library under the benchmark, behind the few calls that a run needs. */
export interface Contender {
  readonly name: ContenderName
  /** A fresh, empty instance with whatever the workload needs (accounts, books), not timed. */
  open(workload: Workload): Session
}

export const contenderNames = ['nodejs-order-book', 'orderbook-match-engine', 'book', 'engine'] as const
export type ContenderName = (typeof contenderNames)[number]

export interface Session {
  /** Plays the commands [from, to); this is what is timed. */
  play(from: number, to: number): void
  /** Price and quantity of each level of a side, best first. */
  levels(asset: number, side: number): readonly Level[]
  /** Sends a market order into `side`; returns the makers that it met, in order. */
  sweep(asset: number, side: number, steps: number): readonly Met[]
  /** The whole state as a value that can be restored; only the engine has this. */
  snapshot?(): unknown
}

/** The books from npm that ours is measured against. */
export const requireBookPeers = (): NodeJS.Require =>
  requireOwn('bench-books', ['nodejs-order-book@10.1.1', 'orderbook-match-engine@2.0.0'])
