import { none } from '../../engine/codes.ts'
import type { Command } from '../../engine/command.ts'
import type { JournalEntry } from '../../journal/entry.ts'
import { repeatChange, repeatEntry } from '../change-world.ts'
import type { World } from '../world.ts'

/*
 * Carrying out a part of a journal. Rows are given out in order, so what a line makes gets another row when lines
 * before it are left out. Later lines are changed to mean the same things as before; those about things that no
 * longer exist are left out too.
 */

/** A line, and what it made when the whole journal was carried out. */
export interface TracedEntry {
  readonly entry: JournalEntry
  readonly made: Made
}

/** The rows that a line made, by table, in order. */
interface Made {
  readonly orders: readonly number[]
  readonly quotes: readonly number[]
  readonly transfers: readonly number[]
  readonly accounts: readonly number[]
}

/** Carries out a line and notes what it made. Throws when the line cannot be carried out. */
export function trace(world: World, entry: JournalEntry): TracedEntry {
  return { entry, made: making(world, () => repeatEntry(world, entry)) }
}

function making(world: World, act: () => void): Made {
  const before = countsOf(world)
  act()
  const after = countsOf(world)
  return {
    orders: range(before.orders, after.orders),
    quotes: range(before.quotes, after.quotes),
    transfers: range(before.transfers, after.transfers),
    accounts: range(before.accounts, after.accounts),
  }
}

function countsOf({ venue }: World) {
  const { orders, quotes, transfers, accounts } = venue.state
  return { orders: orders.count, quotes: quotes.count, transfers: transfers.count, accounts: accounts.count }
}

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)

/** Where the rows of the whole journal are in a part of it. */
export class RowMap {
  private readonly orders = new Map<number, number>()
  private readonly quotes = new Map<number, number>()
  private readonly transfers = new Map<number, number>()
  private readonly accounts = new Map<number, number>()
  private readonly base: {
    readonly orders: number
    readonly quotes: number
    readonly transfers: number
    readonly accounts: number
  }

  constructor(world: World) {
    this.base = countsOf(world)
  }

  order(row: number): number | null {
    return found(this.orders, row, this.base.orders)
  }

  quote(row: number): number | null {
    return found(this.quotes, row, this.base.quotes)
  }

  transfer(row: number): number | null {
    return found(this.transfers, row, this.base.transfers)
  }

  account(row: number): number | null {
    return found(this.accounts, row, this.base.accounts)
  }

  /** Pairs the rows made then with those made now, as far as there are both. */
  learn(then: Made, now: Made): void {
    pair(this.orders, then.orders, now.orders)
    pair(this.quotes, then.quotes, now.quotes)
    pair(this.transfers, then.transfers, now.transfers)
    pair(this.accounts, then.accounts, now.accounts)
  }
}

/** Rows that were there before the first line keep their numbers. */
const found = (map: ReadonlyMap<number, number>, row: number, base: number): number | null =>
  row < base ? row : (map.get(row) ?? null)

function pair(map: Map<number, number>, then: readonly number[], now: readonly number[]): void {
  for (const [index, row] of then.entries()) {
    const at = now[index]
    if (at !== undefined) map.set(row, at)
  }
}

/**
 * Carries out some of a journal's lines in a world that is at the journal's start. Lines that cannot be carried out
 * without the others are passed over. The map says where everything went.
 */
export function carryOutSome(world: World, lines: readonly TracedEntry[]): RowMap {
  const map = new RowMap(world)
  for (const { entry, made } of lines) {
    if (entry.kind === 'change') {
      const now = making(world, () => attempt(() => repeatChange(world, entry.change)))
      map.learn(made, now)
      continue
    }
    const command = moved(entry.command, map)
    if (command === null || command.at < world.now) continue
    map.learn(
      made,
      making(world, () => attempt(() => world.execute(command))),
    )
  }
  return map
}

/** A line about something that does not exist is passed over. */
function attempt(act: () => unknown): void {
  try {
    act()
  } catch (failure) {
    if (!(failure instanceof Error)) throw failure
  }
}

/** The command with the rows of the part; null when it is about something that does not exist there. */
function moved(command: Command, map: RowMap): Command | null {
  if (command.kind === 'place-orders') {
    const placements = command.placements.flatMap((placement) => {
      const account = map.account(placement.account)
      return account === null ? [] : [{ ...placement, account }]
    })
    return { ...command, placements }
  }
  if (command.kind === 'create-account') return command
  const whose = 'account' in command ? map.account(command.account) : none
  if (whose === null) return null
  if (command.kind === 'update-quotes') {
    const updates = command.updates.flatMap((update) => {
      const quote = map.quote(update.quote)
      return quote === null ? [] : [{ ...update, quote }]
    })
    return { ...command, account: whose, updates }
  }
  return movedTarget('account' in command ? { ...command, account: whose } : command, map)
}

function movedTarget(command: Command, map: RowMap): Command | null {
  if ('order' in command) {
    const order = map.order(command.order)
    return order === null ? null : { ...command, order }
  }
  if ('quote' in command) {
    const quote = map.quote(command.quote)
    return quote === null ? null : { ...command, quote }
  }
  if (command.kind === 'settle-transfer') {
    const transfer = map.transfer(command.transfer)
    return transfer === null ? null : { ...command, transfer }
  }
  return command
}
