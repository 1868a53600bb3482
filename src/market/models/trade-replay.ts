import { element } from '../../numeric/columns.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import { integer, kind, type RecordOf, record, rows, words } from '../../shape/shape.ts'
import { hundredYearsMillis } from '../../shape/spec-checks.ts'
import { checkTrades } from '../recordings/check-recording.ts'
import type { PrintTable } from '../recordings/print-table.ts'
import { getTradeTable, type Trades, type TradeTable } from '../recordings/trade-table.ts'
import { defineModel } from './model-definition.ts'
import type { PriceModel, Recording } from './price-model.ts'
import { TrailingActivity } from './trailing-activity.ts'

const shape = record({
  kind: kind('trades'),
  /** Recorded trades in order of time; of several at one instant the last one sets the price. */
  trades: rows<Trades>(),
  gapMillis: integer(1, hundredYearsMillis, 'A longer time without trades is a gap.'),
  gaps: words(['hold', 'halt'], '`halt` stops the market in a gap.'),
})

export type TradeReplaySpec = RecordOf<typeof shape>

/**
 * Model `trades`: the price is that of the last recorded trade, and each trade is printed as it was. Files
 * state it as a `replay`.
 */
export const trades = defineModel<TradeReplaySpec>({
  shape,
  stated: null,
  rule: ({ trades }) => checkTrades(trades),
  path: (_price, spec, { startMillis }) => createTradeReplay(spec, startMillis),
})

/**
 * Creates the path of recorded trades. At any instant the price is that of the last trade at or before it;
 * before the first trade it is the first one's. Every trade is printed once, as it was, at its own time.
 */
function createTradeReplay(spec: TradeReplaySpec, startMillis: number): PriceModel {
  const recording = new TradeRecording(spec, startMillis)
  const fillPrices: PriceModel['fillPrices'] = (minute, grid, prices) => {
    const { firstMillis, stepMillis, count } = grid
    for (let i = 0; i < count; i += 1) {
      prices[i] = recording.priceAt(minute * millisPerMinute + firstMillis + i * stepMillis)
    }
  }
  const activity = new TrailingActivity(
    (minute) => recording.priceAt(minute * millisPerMinute),
    recording.firstMinute,
  )
  return { recording, fillPrices, activityAt: (minute) => activity.at(minute) }
}

class TradeRecording implements Recording {
  readonly firstMinute: number
  private readonly trades: TradeTable
  private readonly spec: TradeReplaySpec
  private readonly startMillis: number
  private cursor = 0

  constructor(spec: TradeReplaySpec, startMillis: number) {
    this.trades = getTradeTable(spec.trades)
    this.spec = spec
    this.startMillis = startMillis
    const firstMillis = this.trades.count === 0 ? startMillis : element(this.trades.atMillis, 0)
    this.firstMinute = Math.ceil((firstMillis - startMillis) / millisPerMinute)
  }

  priceAt(offsetMillis: number): number {
    const last = this.countUntil(this.startMillis + offsetMillis) - 1
    return this.trades.count === 0 ? 1 : element(this.trades.price, Math.max(0, last))
  }

  /**
   * Whether the pair halts before the first trade, after the last one's gap, and wherever no trade follows
   * within `gapMillis`.
   */
  get canHalt(): boolean {
    return this.spec.gaps === 'halt'
  }

  isHaltedAt(offsetMillis: number): boolean {
    if (!this.canHalt) return false
    const atMillis = this.startMillis + offsetMillis
    const count = this.countUntil(atMillis)
    if (count === 0) return true
    const last = element(this.trades.atMillis, count - 1)
    const next = count < this.trades.count ? element(this.trades.atMillis, count) : Number.POSITIVE_INFINITY
    return last !== atMillis && next - last > this.spec.gapMillis
  }

  addPrints(fromMillis: number, toMillis: number, prints: PrintTable): void {
    const from = this.countUntil(this.startMillis + fromMillis)
    const to = this.countUntil(this.startMillis + toMillis)
    const { atMillis, price, quantity } = this.trades
    for (let place = from; place < to; place += 1)
      prints.add(element(atMillis, place), element(price, place), element(quantity, place))
  }

  /**
   * Returns the number of trades at or before an instant. Time mostly moves forward, so the next trades are
   * tried first.
   */
  private countUntil(atMillis: number): number {
    const { atMillis: instants, count } = this.trades
    let low = this.cursor
    if (low > 0 && element(instants, low - 1) > atMillis) low = 0
    let step = 1
    while (low + step <= count && element(instants, low + step - 1) <= atMillis) {
      low += step
      step *= 2
    }
    let high = Math.min(low + step, count)
    while (low < high) {
      const middle = (low + high) >> 1
      if (element(instants, middle) <= atMillis) low = middle + 1
      else high = middle
    }
    this.cursor = low
    return low
  }
}
