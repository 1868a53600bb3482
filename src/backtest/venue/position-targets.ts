import { toStep } from '../../client/to-step.ts'
import type { AcceptedOrder, StrategyVenue, TargetPosition } from '../strategy.ts'

type TradingPair = Awaited<ReturnType<StrategyVenue['marketData']['tradingPairs']>>['pairs'][number]

/**
 * Trades an asset to a target position. Every strategy would write this again: the venue takes multiples of a step and
 * orders from a minimum on, and sums of fills leave crumbs that nobody can sell.
 */
export class PositionTargets {
  private readonly venue: StrategyVenue
  private readonly readMid: (asset: string) => number
  private pairs: ReadonlyMap<string, TradingPair> | null = null

  /** `readMid` returns the mid that the feed showed of an asset at the last tick, in USD. */
  constructor(venue: StrategyVenue, readMid: (asset: string) => number) {
    this.venue = venue
    this.readMid = readMid
  }

  /**
   * Sends the market order that brings a position to its goal: a signed quantity, a signed value in USD at the mid, or a
   * weight, which is a signed share of the account's whole value. Quantities are rounded toward the position that is
   * held, so that a goal is never exceeded. Returns the order as it was accepted, whose quantity is at most the pair's
   * maximum; null where nothing is to be done, or less than the pair's minimum.
   *
   * Choice: a goal beyond the pair's maximum takes further calls, so that a call is one order, whose answer says its size.
   *
   * Rejects with a RangeError for an unknown asset or a goal that is not one finite number, and with a VenueError for a
   * refusal. Orders at rest do not count: cancel what should not fill besides.
   */
  async trade(asset: string, goal: TargetPosition): Promise<AcceptedOrder | null> {
    const wanted = await this.findQuantity(goal, this.readMid(asset))
    return this.tradeBy(asset, wanted - (await this.readHeld(asset)))
  }

  /**
   * Sends the market orders that close a position: one, or several where the position is larger than the pair's maximum.
   * `side` is 1 for a long position and -1 for a short one; one that has turned meanwhile is left alone. Returns the ids
   * of the orders. What is less than the pair's minimum stays, as does what the book cannot take.
   *
   * Rejects with a VenueError for a refusal.
   */
  async close(asset: string, side: number): Promise<readonly string[]> {
    const orderIds: string[] = []
    let before = Number.POSITIVE_INFINITY
    for (;;) {
      const held = await this.readHeld(asset)
      if (Math.sign(held) !== side || Math.abs(held) >= before) return orderIds
      const order = await this.tradeBy(asset, -held)
      if (order === null) return orderIds
      orderIds.push(order.orderId)
      if (order.quantity < (await this.findPair(asset)).maxQuantity) return orderIds
      before = Math.abs(held)
    }
  }

  /** Asks the venue for the signed quantity that is held of an asset. Rejects with a VenueError for a refusal. */
  async readHeld(asset: string): Promise<number> {
    const { positions } = await this.venue.portfolio.positions({ asset })
    const [position] = positions
    return position === undefined ? 0 : (position.side === 'short' ? -1 : 1) * Math.abs(position.quantity)
  }

  private async tradeBy(asset: string, difference: number): Promise<AcceptedOrder | null> {
    const pair = await this.findPair(asset)
    const mid = this.readMid(asset)
    const quantity = Math.min(pair.maxQuantity, toStep(Math.abs(difference), pair.quantityStep, 'down'))
    if (quantity === 0 || quantity < pair.minQuantity || quantity * mid < pair.minNotional) return null
    const side = difference > 0 ? 'buy' : 'sell'
    return this.venue.orders.create({ asset, side, quantity, orderType: 'market' })
  }

  private async findQuantity(goal: TargetPosition, mid: number): Promise<number> {
    // Strategies in JavaScript may hand in null.
    const stated = Object.entries(Object(goal)).filter(([, value]) => value !== undefined)
    const [[kind, value] = ['', null]] = stated
    if (stated.length !== 1 || typeof value !== 'number' || !Number.isFinite(value))
      throw new RangeError('target: state one of quantity, value and weight, as a finite number')
    if (kind === 'quantity') return value
    if (kind === 'value') return value / mid
    if (kind !== 'weight') throw new RangeError(`target: ${kind} is none of quantity, value and weight`)
    const { totalValue } = await this.venue.portfolio.summary()
    return (value * totalValue) / mid
  }

  private async findPair(asset: string): Promise<TradingPair> {
    if (this.pairs === null) {
      const { pairs } = await this.venue.marketData.tradingPairs()
      this.pairs = new Map(pairs.map((pair) => [pair.base, pair]))
    }
    const pair = this.pairs.get(asset)
    if (pair === undefined) throw new RangeError(`target: the venue does not trade ${asset}`)
    return pair
  }
}
