import {
  buy,
  firstClientAccount,
  goodTillCancelled,
  immediateOrCancel,
  limit,
  market,
  sell,
} from '../../../src/engine/codes.ts'
import type { Outcome } from '../../../src/engine/command.ts'
import { Venue } from '../../../src/engine/venue.ts'
import { millis, priceTicks, quantitySteps } from '../../../src/numeric/units.ts'
import type { Level, Met } from '../checksum.ts'
import { EventDigest } from '../event-digest.ts'
import type { Workload } from '../workload.ts'
import { opCancel, opMarket, opMove, opPlace } from '../workload.ts'
import type { Contender, Session } from './contender.ts'
import { benchVenueConfig, startMillis } from './engine-config.ts'

/**
 * Our whole engine: every command is checked, reserved, matched, settled in the ledger, and booked in positions,
 * statistics and risk, and each of its events is hashed.
 */
export const wholeEngine: Contender = {
  name: 'engine',
  open: (workload) => new EngineSession(workload),
}

/*
 * As with the other libraries, orders are named by the caller's own numbers: the engine's rows count accepted orders,
 * and so does the workload. This is checked for each order.
 */

/** Ten commands arrive each millisecond. */
const commandsPerMilli = 10

class EngineSession implements Session {
  private readonly workload: Workload
  private readonly sink = new EventDigest()
  private readonly venue: Venue

  constructor(workload: Workload) {
    this.workload = workload
    this.venue = Venue.open(benchVenueConfig(workload), this.sink)
  }

  play(from: number, to: number): void {
    const { workload, venue } = this
    for (let index = from; index < to; index += 1) {
      const at = millis(startMillis + Math.floor(index / commandsPerMilli))
      const order = workload.order[index] ?? 0
      const account = (workload.account[index] ?? 0) + firstClientAccount
      const op = workload.op[index]
      if (op === opCancel) {
        accepted(venue.execute({ kind: 'cancel-order', at, account, order }))
      } else if (op === opMove) {
        const ticks = priceTicks(workload.priceTicks[index] ?? 0)
        accepted(
          venue.execute({
            kind: 'amend-order',
            at,
            account,
            order,
            quantitySteps: null,
            priceTicks: ticks,
          }),
        )
      } else {
        const row = accepted(
          venue.execute({
            kind: 'place-order',
            at,
            account,
            asset: (workload.asset[index] ?? 0) + 1,
            side: workload.side[index] === 0 ? buy : sell,
            type: op === opMarket ? market : limit,
            timeInForce: op === opPlace ? goodTillCancelled : immediateOrCancel,
            quantitySteps: quantitySteps(workload.quantitySteps[index] ?? 0),
            priceTicks: priceTicks(workload.priceTicks[index] ?? 0),
            clientOrderId: null,
            allowsDuplicateId: false,
            keepsRefused: false,
            metadata: null,
          }),
        )
        if (row !== order) throw new Error('orders are numbered as they are accepted')
      }
    }
  }

  levels(asset: number, side: number): readonly Level[] {
    const levels: Level[] = []
    this.bookOf(asset).visitLevels(side === 0 ? buy : sell, (ticks, steps) => {
      levels.push([ticks, steps])
      return true
    })
    return levels
  }

  sweep(asset: number, side: number, steps: number): readonly Met[] {
    const { fills } = this.venue.state
    const met: Met[] = []
    const before = fills.count
    accepted(
      this.venue.execute({
        kind: 'place-order',
        at: this.venue.now,
        account: firstClientAccount,
        asset: asset + 1,
        side: side === 0 ? sell : buy,
        type: market,
        timeInForce: immediateOrCancel,
        quantitySteps: quantitySteps(steps),
        priceTicks: priceTicks(0),
        clientOrderId: null,
        allowsDuplicateId: false,
        keepsRefused: false,
        metadata: null,
      }),
    )
    for (let fill = before; fill < fills.count; fill += 1) {
      if (fills.isMaker.get(fill) === 1) met.push([fills.order.get(fill), fills.quantitySteps.get(fill)])
    }
    return met
  }

  snapshot(): unknown {
    return this.venue.snapshot()
  }

  private bookOf(asset: number) {
    const state = this.venue.state.byAsset[asset + 1]
    if (state === null || state === undefined) throw new Error(`no asset ${asset}`)
    return state.book
  }
}

function accepted(outcome: Outcome): number {
  if (!outcome.ok) throw new Error(`a command was refused: ${outcome.rejection.code}`)
  return outcome.row
}
