import { eventType } from '../../engine/events.ts'
import { describeEvent } from '../logs/describe-event.ts'
import { publicName, type RawEvent } from '../logs/event-log.ts'
import type { World } from '../world.ts'
import { countUntil, eventItem, type HistoryItem, type Moment } from './history-item.ts'

/** A price or a trade in an asset. */
export interface PricePoint extends Moment {
  readonly price: number
}

export interface PriceLine {
  /** Marks, one for each step of the grid. */
  readonly marks: readonly PricePoint[]
  /** Trades, including those in which no client took part. */
  readonly trades: readonly PricePoint[]
}

/** How much is kept; the older half goes when there is twice as much. */
const maximumItems = 50_000
const maximumPoints = 20_000

/** What happened in a world, in order: prices as lines, everything else as items. */
export class HistoryIndex {
  private items: HistoryItem[] = []
  private firstIndex = 0
  private readonly lines = new Map<string, { marks: PricePoint[]; trades: PricePoint[] }>()

  get nextIndex(): number {
    return this.firstIndex + this.items.length
  }

  add(item: Omit<HistoryItem, 'index'>): void {
    this.items.push({ ...item, index: this.nextIndex })
    if (this.items.length < 2 * maximumItems) return
    this.items = this.items.slice(maximumItems)
    this.firstIndex += maximumItems
  }

  /** Choice: trades in which no client took part become points of a line, like prices. */
  addEvents(events: readonly RawEvent[], sequence: number, { venue, idScheme }: World): void {
    for (const raw of events) {
      const event = describeEvent(raw, venue.state, idScheme)
      const moment = { sequence, atMillis: raw.atMillis }
      const name = publicName(raw.type)
      if (name === 'price' || name === 'trade')
        this.addPoint(name, String(event['asset']), Number(event['price']), moment)
      if (name !== 'price' && raw.type !== eventType.print) this.add(eventItem(event, moment))
    }
  }

  /** The items from an index on, oldest first, up to a number. */
  since(index: number, most: number): readonly HistoryItem[] {
    const from = Math.max(0, index - this.firstIndex)
    return this.items.slice(from, from + most)
  }

  /** The last points of an asset up to a moment, at most this many, in order of time. */
  priceLine(asset: string, moment: Moment, most: number): PriceLine {
    const { marks = [], trades = [] } = this.lines.get(asset) ?? {}
    return { marks: lastRun(marks, moment, most), trades: lastRun(trades, moment, most) }
  }

  private addPoint(name: 'price' | 'trade', asset: string, price: number, moment: Moment): void {
    const line = this.lines.get(asset) ?? { marks: [], trades: [] }
    this.lines.set(asset, line)
    const points = name === 'price' ? line.marks : line.trades
    points.push({ ...moment, price })
    if (points.length >= 2 * maximumPoints) points.splice(0, maximumPoints)
  }
}

/** A restore or a reset takes the world back: what came before belongs to another time. */
function lastRun(points: readonly PricePoint[], moment: Moment, most: number): readonly PricePoint[] {
  const end = countUntil(points, moment)
  let start = end
  while (start > 0 && end - start < most) {
    const earlier = points[start - 1]
    const later = points[start]
    if (earlier === undefined || (start < end && later !== undefined && earlier.atMillis > later.atMillis))
      break
    start -= 1
  }
  return points.slice(start, end)
}
