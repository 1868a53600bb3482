import { buy, goodTillCancelled, immediateOrCancel, limit, market, sell } from '../../src/engine/codes.ts'
import type { Command } from '../../src/engine/command.ts'
import type { VenueConfig } from '../../src/engine/config.ts'
import { topOfBook } from '../../src/engine/reports/top-of-book.ts'
import { Venue } from '../../src/engine/venue.ts'
import { makeRecordedBook } from '../../src/market/books/make-recorded-book.ts'
import type { QueueLawName } from '../../src/market/liquidity/liquidity.ts'
import { createStream } from '../../src/numeric/random.ts'
import { millis, priceTicks, quantitySteps } from '../../src/numeric/units.ts'
import { drawBookRows } from '../engine/recorded/draw-book-rows.ts'
import { coin, createRecordedConfig } from '../engine/recorded/recorded-venue.ts'

const startMillis = 1_767_571_200_050
const accounts = [3, 4, 5]

/** Draws half a minute of a recorded book, and three clients who quote in it, take from it, amend and cancel. */
export function bookMinute(law: QueueLawName, exponent: number): { config: VenueConfig; commands: Command[] } {
  const rows = drawBookRows(law, { startMillis, count: 700, longestMillis: 80, clears: true })
  const config = createRecordedConfig(makeRecordedBook(rows), { queue: { law, exponent } })
  const venue = Venue.open(config, { emit: () => undefined })
  const commands: Command[] = []
  const send = (command: Command): void => {
    commands.push(command)
    venue.execute(command)
  }
  const stream = createStream('1', 'book-minute', law, 0)
  const draw = (below: number): number => Math.floor(stream.uniform() * below)
  const endMillis = (rows.at(-1)?.atMillis ?? 0) + 2_000
  for (let atMillis = startMillis + 500; atMillis < endMillis; atMillis += 100 + draw(300)) {
    const at = millis(atMillis)
    send({ kind: 'advance', at })
    const { state } = venue
    const { askTicks, bidTicks } = topOfBook(state, coin)
    const account = accounts[draw(3)] ?? 3
    const side = draw(2) === 0 ? buy : sell
    const best = side === buy ? bidTicks : askTicks
    const order = draw(state.orders.count)
    const deed = draw(8)
    if (deed === 0 && state.orders.count > 0) {
      const owner = state.orders.account.get(order)
      send({ kind: 'cancel-order', at, account: owner, order })
    } else if (deed === 1 && state.orders.count > 0) {
      const owner = state.orders.account.get(order)
      const ticks = priceTicks(state.orders.priceTicks.get(order) + draw(2))
      send({
        kind: 'amend-order',
        at,
        account: owner,
        order,
        priceTicks: ticks,
        quantitySteps: quantitySteps(1 + draw(20)),
      })
    } else if (best > 0) {
      const isMarket = deed === 2
      send({
        kind: 'place-order',
        at,
        account,
        asset: coin,
        side,
        type: isMarket ? market : limit,
        timeInForce: isMarket ? immediateOrCancel : goodTillCancelled,
        priceTicks: priceTicks(isMarket ? 0 : best + (side === buy ? -draw(3) : draw(3))),
        quantitySteps: quantitySteps(1 + draw(12)),
        clientOrderId: null,
        allowsDuplicateId: false,
        keepsRefused: false,
        metadata: null,
      })
    }
  }
  return { config, commands }
}
