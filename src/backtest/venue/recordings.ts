import { type State, stateOf } from '../../engine/state.ts'
import { findBookMids } from '../../market/books/book-mids.ts'
import type { ModelSpec } from '../../market/models/price-models.ts'
import { type CandleTable, getCandleTable } from '../../market/recordings/candle-table.ts'
import { getTradeTable, type TradeTable } from '../../market/recordings/trade-table.ts'
import { bisectPlaces, element } from '../../numeric/columns.ts'
import type { World } from '../../world/world.ts'
import type { ReadVolume } from '../bars.ts'

/**
 * Lists, by place of the asset, the candles that it replays; null for an asset whose price is generated or that a
 * script moves.
 */
export function listRecordedCandles({ scenario }: World): readonly (CandleTable | null)[] {
  const moved = new Set(
    scenario.timeline.flatMap(({ action }) => (action.kind === 'path' ? [action.asset] : [])),
  )
  return scenario.venue.market.assets.map(({ model }, place) =>
    model.kind === 'replay' && !moved.has(place + 1) ? getCandleTable(model.candles) : null,
  )
}

/**
 * Creates the reader of a world's recorded volumes. The reader returns null for a price that a script has switched to
 * another model.
 */
export function createVolumeReader(world: World): ReadVolume {
  const volumes = world.scenario.venue.market.assets.map(({ model }) => createRecordedVolume(model))
  return (place, fromMillis, toMillis) => {
    const between = volumes[place] ?? null
    if (between === null || hasOtherModel(world.venue.state, place + 1)) return null
    return between(fromMillis, toMillis)
  }
}

function hasOtherModel(state: State, asset: number): boolean {
  return stateOf(state, asset).overrides.some((one) => one.kind === 'switch' || one.base !== undefined)
}

/** Returns what a recording traded in (from, to], in units of the asset. */
type SumVolume = (fromMillis: number, toMillis: number) => number

/**
 * Creates the function that sums the volume of a recording; returns null for generated markets and for recordings
 * without volumes.
 *
 * Choice: a candle's volume is spread evenly over its span, so a bar of the candles' own span has exactly the recorded
 * volume, and a shorter one its share. A gap in the recording has a volume of 0.
 */
function createRecordedVolume(model: ModelSpec): SumVolume | null {
  if (model.kind === 'trades') {
    const trades = getTradeTable(model.trades)
    return (fromMillis, toMillis) => sumTradeVolume(trades, fromMillis, toMillis)
  }
  if (model.kind === 'book') {
    const mids = findBookMids(model.book.index)
    return (fromMillis, toMillis) => mids.tradesIn(fromMillis, toMillis).steps * model.stepUnits
  }
  if (model.kind !== 'replay') return null
  const table = getCandleTable(model.candles)
  return table.hasVolume ? (fromMillis, toMillis) => sumCandleVolume(table, fromMillis, toMillis) : null
}

function sumCandleVolume(table: CandleTable, fromMillis: number, toMillis: number): number {
  const { atMillis, count, endMillis, volume } = table
  let total = 0
  let place = bisectPlaces(count, (candidate) => element(endMillis, candidate) > fromMillis)
  for (; place < count; place += 1) {
    const begin = element(atMillis, place)
    const end = element(endMillis, place)
    if (begin >= toMillis) break
    const own = element(volume, place)
    const within = Math.min(end, toMillis) - Math.max(begin, fromMillis)
    total += within === end - begin ? own : (own * within) / (end - begin)
  }
  return total
}

function sumTradeVolume(trades: TradeTable, fromMillis: number, toMillis: number): number {
  const { atMillis, count, quantity } = trades
  let total = 0
  let place = bisectPlaces(count, (candidate) => element(atMillis, candidate) > fromMillis)
  for (; place < count && element(atMillis, place) <= toMillis; place += 1) total += element(quantity, place)
  return total
}
