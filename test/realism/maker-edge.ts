import { buy, sell } from '../../src/engine/codes.ts'
import type { Arrival, HawkesFlowSpec } from '../../src/market/flow/flow-spec.ts'
import { LivelyVenue, traders } from '../engine/fixtures/lively-venue.ts'

/*
 * The profit of a passive maker from synthetic takers: the table of market.md section 3, "Edge of a passive maker", with
 * the whole engine. The maker is alone, h basis points to either side of the fundamental price, with unlimited size.
 *
 * market.md measures the edge after an hour. The price is a martingale, so its expectation is known sooner: after the
 * horizon of an informed taker, at once for an uninformed one. That removes the noise of the rest of the hour.
 */

export interface MakerCase {
  readonly halfSpreadBps: number
  readonly horizonSeconds: number
  readonly informedShare: number
  /**
   * The venue's usual touch, and how fast takers become fewer beyond it: those of BTC, or of SOL for the widest maker.
   */
  readonly touchBps: number
  readonly patiencePerBp: number
  /** The edge that market.md states. */
  readonly notedBps: number
}

const rows: readonly (readonly [
  half: number,
  seconds: number,
  touch: number,
  patience: number,
  noted: readonly number[],
])[] = [
  [2, 60, 2, 0.15, [0.9, -0.3, -1.6]],
  [5, 60, 2, 0.15, [3.7, 2.1, 0.2]],
  [5, 300, 2, 0.15, [1.6, -1.7, -4.8]],
  [10, 300, 5, 0.1, [6.9, 3.4, -0.9]],
]

export const makerCases: readonly MakerCase[] = rows.flatMap(
  ([halfSpreadBps, horizonSeconds, touchBps, patiencePerBp, noted]) =>
    noted.map((notedBps, place) => ({
      halfSpreadBps,
      horizonSeconds,
      informedShare: [0.2, 0.4, 0.6][place] ?? 0,
      touchBps,
      patiencePerBp,
      notedBps,
    })),
)

export interface MakerEdge {
  readonly fills: number
  /** Per fill. */
  readonly edgeBps: number
}

export function measureMakerEdge(of: MakerCase, minutes: number, seed = '7'): MakerEdge {
  const flow: HawkesFlowSpec = {
    kind: 'hawkes',
    ratePerMinute: 12,
    medianUsd: 3000,
    sizeSd: 1.6,
    maximumUsd: 1_000_000,
    informed: { share: of.informedShare, horizonMillis: of.horizonSeconds * 1000, costBps: 0 },
    patiencePerBp: of.patiencePerBp,
    touchBps: of.touchBps,
    snipers: 0,
  }
  const venue = new LivelyVenue({
    seed,
    flow,
    model: { kind: 'gbm', vol: 0.5, drift: 0 },
    liquidity: { kind: 'none' },
    impact: null,
  })
  let fills = 0
  let sumBps = 0
  for (let minute = 0; minute < minutes; minute += 1) {
    const bySecond = bySecondOf(venue.state.market.arrivalsInMinute(0, minute))
    for (const [second, arrivals] of bySecond) {
      const index = minute * 60 + second
      requote(venue, index - 1, of.halfSpreadBps)
      const before = venue.state.fills.count
      venue.advance(1000)
      for (let row = before; row < venue.state.fills.count; row += 1) {
        sumBps += edgeOf(venue, row, index, arrivals)
        fills += 1
      }
    }
  }
  return { fills, edgeBps: sumBps / fills }
}

/** Arrivals by the grid step at which they act. Kept here because the market drops past minutes. */
function bySecondOf(arrivals: readonly Arrival[]): ReadonlyMap<number, readonly Arrival[]> {
  const bySecond = new Map<number, Arrival[]>()
  for (const arrival of arrivals) {
    const second = Math.ceil(arrival.offsetMillis / 1000)
    bySecond.set(second, [...(bySecond.get(second) ?? []), arrival])
  }
  return bySecond
}

const { alice } = traders

function requote(venue: LivelyVenue, index: number, halfSpreadBps: number): void {
  venue.cancelAll(alice)
  venue.advance(index * 1000 - (venue.venue.now - venue.config.startMillis))
  venue.place(alice, buy, 90_000_000, Math.floor(venue.markTicks * (1 - halfSpreadBps / 10_000)))
  venue.place(alice, sell, 90_000_000, Math.ceil(venue.markTicks * (1 + halfSpreadBps / 10_000)))
}

/** In basis points of the fill's price, at the horizon of its taker. */
function edgeOf(venue: LivelyVenue, fill: number, index: number, arrivals: readonly Arrival[]): number {
  const { fills, market } = venue.state
  const ticks = fills.priceTicks.get(fill)
  const steps = fills.quantitySteps.get(fill)
  const stepUsd = (venue.markTicks / 100) * 0.0001
  const taker = arrivals.find(({ valueUsd }) => Math.floor(valueUsd / stepUsd) === steps)
  if (taker === undefined) throw new Error(`No taker of that second wanted ${steps} steps`)
  const laterIndex = index + Math.ceil(taker.horizonMillis / 1000)
  const sign = fills.side.get(fill) === buy ? 1 : -1
  return sign * ((market.fundamentalAt(0, laterIndex) * 100) / ticks - 1) * 10_000
}
