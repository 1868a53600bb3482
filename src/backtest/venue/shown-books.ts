import { idScheme, parseId, quantityNumber } from '../../api/answer.ts'
import type { ApiContext } from '../../api/context.ts'
import { buy, type Side, sell } from '../../engine/codes.ts'
import type { PairConfig } from '../../engine/config.ts'
import { findQueuePlace } from '../../engine/reports/queue-place.ts'
import { type State, stateOf } from '../../engine/state.ts'
import { decimalToNumber } from '../../numeric/units.ts'
import type { BookPlace, ShownBook } from '../strategy.ts'

/** How many levels of a side a strategy sees. */
const shownLevels = 50

class ShownLevels {
  readonly prices = new Float64Array(shownLevels)
  readonly quantities = new Float64Array(shownLevels)
  count = 0
}

/** What a venue's own book shows of one asset, in arrays that are used again: reading it allocates nothing. */
class AssetView implements ShownBook {
  atMillis = 0
  readonly asset: string
  private readonly state: State
  private readonly row: number
  private readonly bids = new ShownLevels()
  private readonly asks = new ShownLevels()
  private readonly visitBid: (ticks: number, steps: number) => boolean
  private readonly visitAsk: (ticks: number, steps: number) => boolean

  constructor(state: State, row: number) {
    const { pair, symbol } = state.assets.tradedAsset(row)
    this.state = state
    this.row = row
    this.asset = symbol
    this.visitBid = createVisitor(this.bids, pair)
    this.visitAsk = createVisitor(this.asks, pair)
  }

  get bidCount(): number {
    return this.bids.count
  }

  get askCount(): number {
    return this.asks.count
  }

  get bidPrices(): Float64Array {
    return this.bids.prices
  }

  get bidQuantities(): Float64Array {
    return this.bids.quantities
  }

  get askPrices(): Float64Array {
    return this.asks.prices
  }

  get askQuantities(): Float64Array {
    return this.asks.quantities
  }

  read(): this {
    this.atMillis = this.state.nowMillis
    this.readSide(buy, this.bids, this.visitBid)
    this.readSide(sell, this.asks, this.visitAsk)
    return this
  }

  private readSide(side: Side, levels: ShownLevels, visit: AssetView['visitBid']): void {
    levels.count = 0
    stateOf(this.state, this.row).ladder.visit(side, visit)
  }
}

function createVisitor(levels: ShownLevels, pair: PairConfig): (ticks: number, steps: number) => boolean {
  const toPrice = createConversion(pair.priceStep)
  return (ticks, steps) => {
    const { count } = levels
    levels.prices[count] = toPrice(ticks)
    levels.quantities[count] = quantityNumber(pair, steps)
    levels.count = count + 1
    return count + 1 < shownLevels
  }
}

/**
 * Creates the function that converts a count of steps to a number. Where a unit holds a whole number of steps, it
 * divides by that number, which gives the double nearest to the exact decimal.
 */
function createConversion({ scale, units }: PairConfig['priceStep']): (count: number) => number {
  const step = decimalToNumber(units, scale)
  const perUnit = Math.round(1 / step)
  return perUnit * units === Number(`1e${scale}`) ? (count) => count / perUnit : (count) => count * step
}

/** Reads what the venue's own books show, and where orders of an account stand in recorded ones. */
export class ShownBooks {
  private readonly views: readonly AssetView[]
  private readonly createContext: () => ApiContext
  private readonly accountRow: number

  constructor(state: State, accountRow: number, createContext: () => ApiContext) {
    this.views = Array.from({ length: state.assets.count - 1 }, (_, place) => new AssetView(state, place + 1))
    this.accountRow = accountRow
    this.createContext = createContext
  }

  /** Reads the book of the asset at a place. The next read of it writes into the same arrays. */
  read(place: number): ShownBook {
    const view = this.views[place]
    if (view === undefined) throw new RangeError(`there is no asset ${place}`)
    return view.read()
  }

  /** Copies the book of the asset at a place. */
  copy(place: number): ShownBook {
    const { asset, askCount, askPrices, askQuantities, atMillis, bidCount, bidPrices, bidQuantities } =
      this.read(place)
    return {
      ...{ asset, atMillis, bidCount, askCount },
      ...{ bidPrices: bidPrices.slice(), bidQuantities: bidQuantities.slice() },
      ...{ askPrices: askPrices.slice(), askQuantities: askQuantities.slice() },
    }
  }

  /** Finds where an order of the account stands; null for one that does not rest in a recorded book. */
  findBookPlace(orderId: string): BookPlace | null {
    const context = this.createContext()
    const { state } = context
    const row = parseId(idScheme(context), 'order', orderId)
    if (row < 0 || row >= state.orders.count || state.orders.account.get(row) !== this.accountRow) return null
    const place = findQueuePlace(state, row)
    if (place === null) return null
    const toUnits = createConversion(state.assets.tradedAsset(state.orders.asset.get(row)).pair.quantityStep)
    const { aheadSteps, isBeyond, joinedBehindSteps, law, leftByLawSteps, shownSteps, takenByTradesSteps } =
      place
    return {
      ...{ law, isBeyond, ahead: toUnits(aheadSteps), joinedBehind: toUnits(joinedBehindSteps) },
      ...{ takenByTrades: toUnits(takenByTradesSteps), leftByLaw: toUnits(leftByLawSteps) },
      shown: toUnits(shownSteps),
    }
  }
}
