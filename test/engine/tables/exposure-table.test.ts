import { expect, it } from 'vitest'
import type { Side } from '../../../src/engine/codes.ts'
import { buy, sell } from '../../../src/engine/codes.ts'
import { priceTicks, quantitySteps } from '../../../src/numeric/units.ts'
import { alice, bob, btc, SmallVenue, usd } from '../fixtures/small-venue.ts'

type Act = (small: SmallVenue, side: Side, order: number) => void

const cancel: Act = ({ venue, now }, _side, order) =>
  venue.execute({ kind: 'cancel-order', at: now, account: alice, order })
const amend = (price: number, quantity: number): Act => {
  const terms = { priceTicks: priceTicks(price * 100), quantitySteps: quantitySteps(quantity * 10_000) }
  return ({ venue, now }, _side, order) =>
    venue.execute({ kind: 'amend-order', at: now, account: alice, order, ...terms })
}
const fill =
  (quantity: number): Act =>
  (small, side) =>
    small.place(bob, side === buy ? sell : buy, btc, 50_000, quantity)

it.each<[what: string, acts: readonly Act[], open: number, change: number]>([
  ['that rests', [], 2, 0],
  ['that is cancelled', [cancel], 0, 0],
  ['that is filled', [fill(2)], 0, 2],
  ['that is filled in part', [fill(0.5)], 1.5, 0.5],
  ['that is filled in part and cancelled', [fill(0.5), cancel], 0, 0.5],
  ['that is amended', [amend(50_000, 3)], 3, 0],
  ['that is amended, filled in part and cancelled', [amend(50_000, 3), fill(1), cancel], 0, 1],
])('open interest of an order %s', (_what, acts, open, change) => {
  for (const side of [buy, sell] as const) {
    const small = new SmallVenue()
    const placed = small.place(alice, side, btc, 50_000, 2)
    for (const act of acts) act(small, side, placed.ok ? placed.row : -1)
    const { exposures, holdings } = small.state
    const row = holdings.rowOf(alice, btc)
    const [bids, asks] = side === buy ? [open, 0] : [0, open]
    expect(holdings.openBuySteps.get(row)).toBe(bids * 10_000)
    expect(holdings.openSellSteps.get(row)).toBe(asks * 10_000)
    expect(holdings.openBuyAtoms.get(row)).toBe(usd(bids * 50_000))
    expect(holdings.openSellAtoms.get(row)).toBe(usd(asks * 50_000))
    const held = 10 + (side === buy ? change : -change)
    const worst = Math.max((held + bids) * 50_000, (asks - held) * 50_000) + 100 * 2000
    expect(exposures.totalWorstAtoms(alice)).toBe(usd(worst))
  }
})
