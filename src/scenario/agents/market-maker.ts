import { buy, isLiveQuote, sell } from '../../engine/codes.ts'
import type { State } from '../../engine/state.ts'
import { millis, type PriceTicks, quantitySteps } from '../../numeric/units.ts'
import { integer, number, record, span } from '../../shape/shape.ts'
import { hundredYearsMillis } from '../../shape/spec-checks.ts'
import { type AgentSpec, defineAgent, type ReadParameter, type ScriptedVenue } from './behaviour.ts'
import { computeStepsWorth, computeUsdWorth, positionSteps, roundLimitTicks } from './trading.ts'

/**
 * Quotes both sides around the venue's mark, moves its quotes with it, and leans against its inventory: with too much
 * of the asset both sides go down, and with a full inventory there is no bid. A side that the agent cannot pay for is
 * left out too.
 */
export const marketMaker = defineAgent({
  shape: record(
    {
      every: span(1, hundredYearsMillis, 'How often it checks its quotes.', { default: 1_000 }),
      levels: integer(1, 20, 'How many quotes it keeps, each wider than the one before.', { default: 1 }),
      spreadBps: number(
        0.01,
        5_000,
        'Spread of the best quote; each further quote is wider by the same amount.',
        { default: 10 },
      ),
      valueUsd: number(0.01, 1e9, 'Value of each side of a quote.', { default: 10_000 }),
      repriceBps: number(0, 5_000, 'How far a price may be from its target before the quote is moved.', {
        default: 1,
      }),
      maxInventoryUsd: number(
        0.01,
        1e12,
        'It stops quoting the side that would make its inventory larger than this.',
        { default: 100_000 },
      ),
      targetUsd: number(-1e12, 1e12, 'The inventory that it wants to have.', { default: 0 }),
      skewBps: number(0, 5_000, 'How far a full inventory moves both sides against it.', { default: 5 }),
      validFor: span(1_000, hundredYearsMillis, 'How long a quote is valid unless it is renewed.', {
        default: 60_000,
      }),
    },
    'Quotes both sides about the mark, follows it, and skews its quotes against its inventory.',
  ),
  /** The row of each level's quote, -1 when there is none. */
  initial: (): { quotes: readonly number[] } => ({ quotes: [] }),
  act: ({ spec, state, read }, venue) => {
    const { asset } = spec
    // The book's mid includes the agent's own quotes, so that the agent would follow itself.
    const mark = venue.state.markTicks.get(asset)
    const position = positionSteps(venue.state, spec.account, asset)
    const inventory = computeUsdWorth(venue.state, asset, position, mark) - read('targetUsd')
    const share = Math.max(-1, Math.min(1, inventory / read('maxInventoryUsd')))
    const centre = mark * (1 - (share * read('skewBps')) / 10_000)
    const levels = read('levels')
    const quotes = Array.from({ length: Math.max(levels, state.quotes.length) }, (_, level) => {
      const half = (read('spreadBps') * (level + 1)) / 20_000
      return updateQuote(venue, spec, read, state.quotes[level] ?? -1, {
        bidPriceTicks: roundLimitTicks(venue.state, asset, buy, centre * (1 - half)),
        askPriceTicks: roundLimitTicks(venue.state, asset, sell, centre * (1 + half)),
        size: computeStepsWorth(venue.state, asset, read('valueUsd'), mark),
        hasBid: level < levels && share < 1,
        hasAsk: level < levels && share > -1,
        prefersAsk: share > 0,
      })
    })
    state.quotes = quotes.slice(0, levels)
    return venue.state.nowMillis + read('every')
  },
})

/** Keeps, replaces or cancels one quote. Returns the row of the live quote, or -1 when there is none. */
function updateQuote(
  venue: ScriptedVenue,
  spec: AgentSpec,
  read: ReadParameter,
  quote: number,
  wanted: WantedQuote,
): number {
  const { state } = venue
  const at = millis(state.nowMillis)
  const { account, asset } = spec
  const isLive = quote >= 0 && isLiveQuote(state.quotes.status.get(quote))
  const bidSteps = wanted.hasBid ? wanted.size : 0
  const askSteps = wanted.hasAsk ? wanted.size : 0
  if (isLive && isStillGood(state, read, quote, wanted)) return quote
  // A side that has traded would count against a new size, so a new quote replaces it.
  if (isLive) venue.execute({ kind: 'cancel-quote', at, account, quote })
  if (bidSteps + askSteps === 0) return -1
  const submit = (bid: number, ask: number): number => {
    const outcome = venue.execute({
      kind: 'submit-quote',
      at,
      account,
      asset,
      bidPriceTicks: wanted.bidPriceTicks,
      askPriceTicks: wanted.askPriceTicks,
      bidSteps: quantitySteps(bid),
      askSteps: quantitySteps(ask),
      validForMillis: millis(read('validFor')),
      clientQuoteId: null,
      allowsDuplicateId: false,
      metadata: null,
    })
    return outcome.ok ? outcome.row : -1
  }
  const both = submit(bidSteps, askSteps)
  if (both >= 0 || bidSteps === 0 || askSteps === 0) return both
  // A quote is accepted or refused as a whole. Without coins the agent still bids, without cash it still offers.
  const bidAlone = () => submit(bidSteps, 0)
  const askAlone = () => submit(0, askSteps)
  const [first, second] = wanted.prefersAsk ? [askAlone, bidAlone] : [bidAlone, askAlone]
  const alone = first()
  return alone >= 0 ? alone : second()
}

/**
 * Returns whether a live quote is near enough to the wanted prices, has exactly the wanted sides, and stays valid beyond the
 * next look.
 */
function isStillGood(state: State, read: ReadParameter, quote: number, wanted: WantedQuote): boolean {
  const nextLookMillis = state.nowMillis + read('every')
  if (state.quotes.expiresAtMillis.get(quote) <= nextLookMillis) return false
  const sides = [
    [state.quotes.bidLeg.get(quote), wanted.bidPriceTicks, wanted.hasBid],
    [state.quotes.askLeg.get(quote), wanted.askPriceTicks, wanted.hasAsk],
  ] as const
  return sides.every(([leg, ticks, isWanted]) => {
    const left = state.orders.remainingSteps(leg)
    if (!isWanted) return left === 0
    const awayBps = Math.abs(state.orders.priceTicks.get(leg) / ticks - 1) * 10_000
    return left > 0 && awayBps <= read('repriceBps')
  })
}

interface WantedQuote {
  readonly bidPriceTicks: PriceTicks
  readonly askPriceTicks: PriceTicks
  readonly size: number
  readonly hasBid: boolean
  readonly hasAsk: boolean
  /** Whether the ask is more urgent than the bid, where the account cannot pay for both. */
  readonly prefersAsk: boolean
}
