import type { Command, Outcome } from '../../src/engine/command.ts'
import { millisPerDay } from '../../src/numeric/time-text.ts'
import { computeNaivePosition } from '../reference/naive-positions.ts'
import type { NaiveVenue } from '../reference/naive-venue.ts'
import type { NaiveEvent, NaiveWorld } from '../reference/naive-world.ts'
import { accountOf, haltOf } from '../reference/naive-world.ts'

/*
 * What a differential test must have met for its silence to mean something: rules that only matter together. Counted on
 * the twin, by name.
 */
export class Combinations {
  readonly counts = new Map<string, number>()

  /** Executes a command and counts what came together in it. */
  execute(venue: NaiveVenue, command: Command): Outcome {
    const { world } = venue
    const before = remembered(world, command)
    const seen = world.events.length
    const outcome = venue.execute(command)
    const events = world.events.slice(seen)
    this.countFlips(world, before)
    this.countSelfTrades(world, command, events)
    this.countInstants(world, events)
    if (command.kind === 'amend-order') this.countAmendment(world, command, before, outcome, events)
    if (command.kind === 'withdraw' && !outcome.ok && outcome.rejection.code === 'insufficient-balance')
      this.countIf(outcome.rejection.availableAtoms >= command.atoms, 'a withdrawal that leverage forbids')
    if (command.kind === 'update-quote' && outcome.ok)
      this.countIf(events.length === 0, 'a quote updated to what it is')
    return outcome
  }

  private countFlips(world: NaiveWorld, before: Remembered): void {
    for (const fill of world.fills.slice(before.fillCount)) {
      const after = computeNaivePosition(world, fill.account, fill.asset).quantity
      const held = before.positions.get(`${fill.account}/${fill.asset}`) ?? 0n
      if (held === 0n || after === 0n || held > 0n === after > 0n) continue
      const fee = fill.fee < 0n ? 'a rebate' : fill.fee > 0n ? 'a fee' : 'no fee'
      this.count(
        `a flip to ${after > 0n ? 'long' : 'short'} with ${fee} in ${fill.feeAsset === 0 ? 'cash' : 'kind'}`,
      )
    }
  }

  /** Orders and quotes are cancelled by these commands only where an account met itself. */
  private countSelfTrades(world: NaiveWorld, command: Command, events: readonly NaiveEvent[]): void {
    if (command.kind.startsWith('cancel')) return
    const how = waysToMeetOneself[command.kind] ?? 'something else'
    for (const event of events) {
      if (event.name === 'order-cancelled') this.count(`${world.selfTrade} ends an order by ${how}`)
      if (event.name === 'quote-cancelled') this.count(`${world.selfTrade} ends a quote by ${how}`)
      if (event.name !== 'trade') continue
      const [maker, taker] = [world.orders[event.subject], world.orders[event.account]]
      if (maker === undefined || taker === undefined || maker.account !== taker.account) continue
      const isLeg = maker.quote !== -1 || taker.quote !== -1
      this.count(`allow lets an account trade with itself${isLeg ? ' by a quote' : ''}`)
    }
  }

  /** Different things that came due at the same millisecond. */
  private countInstants(world: NaiveWorld, events: readonly NaiveEvent[]): void {
    const kinds = new Map<number, Set<string>>()
    for (const { at, name } of events) {
      const kind = dueKinds[name]
      if (kind === undefined) continue
      const found = kinds.get(at) ?? new Set()
      kinds.set(at, found.add(kind))
    }
    for (const [instant, found] of kinds) {
      if ((instant - world.startMillis) % world.gridMillis === 0) found.add('a step of the grid')
      const names = [...found].toSorted()
      for (const [place, one] of names.entries())
        for (const other of names.slice(place + 1)) this.count(`${one} with ${other}`)
      if (instant % millisPerDay === 0) for (const one of names) this.count(`${one} at midnight`)
    }
  }

  private countAmendment(
    world: NaiveWorld,
    command: Extract<Command, { readonly kind: 'amend-order' }>,
    before: Remembered,
    outcome: Outcome,
    events: readonly NaiveEvent[],
  ): void {
    const order = world.orders[command.order]
    if (order === undefined || before.filled === null) return
    if (!outcome.ok) {
      this.countIf(outcome.rejection.code === 'quantity-below-filled', 'an amendment below what has filled')
      return
    }
    const total = command.quantitySteps === null ? null : BigInt(command.quantitySteps)
    if (before.filled > 0n) {
      this.countIf(total === before.filled, 'an amendment to what has filled')
      this.countIf(total === before.filled + 1n, 'an amendment to a step more than has filled')
      const { makerRate, takerRate } = accountOf(world, order.account)
      const isOld = order.makerRate !== makerRate || order.takerRate !== takerRate
      this.countIf(isOld, 'an amendment of what filled in part under other fees')
    }
    this.countIf(events.length === 0, 'an amendment to what the order is')
    this.countIf(
      events.some(({ name }) => name === 'trade'),
      'an amendment that crosses',
    )
    this.countIf(haltOf(world, order.asset) !== undefined, 'an amendment during a halt')
  }

  private countIf(holds: boolean, name: string): void {
    if (holds) this.count(name)
  }

  private count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
  }
}

const waysToMeetOneself: Readonly<Partial<Record<Command['kind'], string>>> = {
  'place-order': 'an order',
  'place-orders': 'an order',
  'amend-order': 'an amendment',
  'submit-quote': 'a quote',
  'update-quote': 'an update',
  'update-quotes': 'an update',
  resume: 'a resumption',
}

const dueKinds: Readonly<Record<string, string>> = {
  'quote-expired': 'an expiry',
  'deposit-settled': 'a transfer',
  'withdrawal-settled': 'a transfer',
  'pair-resumed': 'the end of a halt',
  trade: 'a trade',
}

interface Remembered {
  readonly fillCount: number
  readonly positions: ReadonlyMap<string, bigint>
  /** What has filled of the order that is to be amended. */
  readonly filled: bigint | null
}

function remembered(world: NaiveWorld, command: Command): Remembered {
  const positions = new Map<string, bigint>()
  for (const { row } of world.accounts) {
    for (const asset of world.assets.slice(1))
      positions.set(`${row}/${asset.row}`, computeNaivePosition(world, row, asset.row).quantity)
  }
  const filled = command.kind === 'amend-order' ? (world.orders[command.order]?.filled ?? null) : null
  return { fillCount: world.fills.length, positions, filled }
}
