import { priceNumber, quantityNumber } from '../../api/answer.ts'
import { buy, none, type Side, sell } from '../../engine/codes.ts'
import { findQueuePlace } from '../../engine/reports/queue-place.ts'
import { type State, stateOf } from '../../engine/state.ts'
import { type BookIndex, bookIndexMillis } from '../../market/books/recorded-book.ts'
import { integerElement } from '../../numeric/columns.ts'
import type { OwnPlaces, RecordedTouch, TouchSeries } from '../result.ts'

/** How many points are kept of a run: of more, every second one goes, as often as needed. */
const maximumPoints = 8_192

/**
 * Notes at observations where an account's best orders stand in recorded books: their prices, and what stands ahead of
 * them. Nothing is noted where the account has no open order.
 */
export class QueueRecorder {
  private readonly account: number
  private readonly assets: readonly number[]
  private readonly points: Point[] = []
  private stride = 1
  private seen = 0
  private wasResting = false

  constructor(state: State, account: number) {
    this.account = account
    this.assets = listRecordedAssets(state)
  }

  observe(state: State, atMillis: number): void {
    if (this.assets.length === 0) return
    const isResting = state.accounts.openOrders.get(this.account) !== 0
    if (!isResting && !this.wasResting) return
    this.wasResting = isResting
    this.seen += 1
    if ((this.seen - 1) % this.stride !== 0) return
    for (const asset of this.assets) {
      const bid = this.findOwnBest(state, asset, buy)
      const ask = this.findOwnBest(state, asset, sell)
      this.points.push({ atMillis, asset, bid: readPlace(state, bid), ask: readPlace(state, ask) })
    }
    if (this.points.length > maximumPoints * this.assets.length) this.thin()
  }

  /** Builds the series of each asset with a recorded book, with its touch between two instants. */
  build(state: State, fromMillis: number, toMillis: number): readonly RecordedTouch[] {
    return this.assets.map((asset) => {
      const { pair, symbol } = state.assets.tradedAsset(asset)
      const index = stateOf(state, asset).recorded?.rows.recorded.index
      const price = (ticks: number): number | null => (ticks > 0 ? priceNumber(pair, ticks) : null)
      const own = this.points.filter((point) => point.asset === asset)
      const quantity = (place: OwnBest | null) =>
        place === null ? null : quantityNumber(pair, place.aheadSteps)
      const places: OwnPlaces = {
        atMillis: own.map(({ atMillis }) => atMillis),
        bid: own.map(({ bid }) => price(bid?.ticks ?? 0)),
        bidAhead: own.map(({ bid }) => quantity(bid)),
        ask: own.map(({ ask }) => price(ask?.ticks ?? 0)),
        askAhead: own.map(({ ask }) => quantity(ask)),
      }
      return {
        asset: symbol,
        touch: index === undefined ? emptyTouch : sampleTouch(index, fromMillis, toMillis, price),
        own: places,
      }
    })
  }

  /** Keeps every second observation. */
  private thin(): void {
    const perObservation = this.assets.length
    const kept = this.points.filter((_, place) => Math.floor(place / perObservation) % 2 === 0)
    this.points.splice(0, this.points.length, ...kept)
    this.stride *= 2
  }

  /** Returns the account's best order of a side; `none` without one. */
  private findOwnBest(state: State, asset: number, side: Side): number {
    const { book } = stateOf(state, asset)
    let best: number = none
    book.visitLevels(side, (_ticks, _steps, head) => {
      for (let row = head; row !== none && best === none; row = book.rowAfter(row))
        if (state.orders.account.get(row) === this.account) best = row
      return best === none
    })
    return best
  }
}

interface OwnBest {
  readonly ticks: number
  readonly aheadSteps: number
}

interface Point {
  readonly atMillis: number
  readonly asset: number
  readonly bid: OwnBest | null
  readonly ask: OwnBest | null
}

function readPlace(state: State, order: number): OwnBest | null {
  const place = order === none ? null : findQueuePlace(state, order)
  return place === null ? null : { ticks: state.orders.priceTicks.get(order), aheadSteps: place.aheadSteps }
}

function listRecordedAssets(state: State): readonly number[] {
  const rows = Array.from({ length: state.assets.count - 1 }, (_, place) => place + 1)
  return rows.filter((asset) => stateOf(state, asset).recorded !== null)
}

const emptyTouch: TouchSeries = { atMillis: [], bid: [], ask: [] }

/** The most points of the recorded touch; between two of them it may have moved. */
const maximumTouches = 4_096

/** Reads the recorded best prices at even steps of time, by the record's index. */
function sampleTouch(
  { askTicks, bidTicks, count, firstMillis }: BookIndex,
  fromMillis: number,
  toMillis: number,
  price: (ticks: number) => number | null,
): TouchSeries {
  const first = Math.max(0, Math.ceil((fromMillis - firstMillis) / bookIndexMillis))
  const last = Math.min(count - 1, Math.floor((toMillis - firstMillis) / bookIndexMillis))
  const stride = Math.max(1, Math.ceil((last - first + 1) / maximumTouches))
  const places: number[] = []
  for (let place = first; place <= last; place += stride) places.push(place)
  return {
    atMillis: places.map((place) => firstMillis + place * bookIndexMillis),
    bid: places.map((place) => price(integerElement(bidTicks, place))),
    ask: places.map((place) => price(integerElement(askTicks, place))),
  }
}
