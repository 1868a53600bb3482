import { bisectPlaces, byteElement, element, integerElement } from '../../../numeric/columns.ts'
import { type BookIndex, bookIndexMillis, bookRowSides } from '../recorded-book.ts'

/** Trades of a recording, of which only every n-th is kept when there are many. */
export class TradeSample {
  atMillis = new Float64Array(sampleSize)
  priceTicks = new Float64Array(sampleSize)
  sides = new Uint8Array(sampleSize)
  count = 0
  /** How many trades with a side there were. */
  seen = 0
  private stride = 1

  add(atMillis: number, side: number, priceTicks: number): void {
    if (side === bookRowSides.none) return
    const isKept = this.seen % this.stride === 0
    this.seen += 1
    if (!isKept) return
    if (this.count === sampleSize) this.halve()
    this.atMillis[this.count] = atMillis
    this.priceTicks[this.count] = priceTicks
    this.sides[this.count] = side
    this.count += 1
  }

  private halve(): void {
    this.stride *= 2
    this.count = sampleSize / 2
    for (let place = 0; place < this.count; place += 1) {
      this.atMillis[place] = element(this.atMillis, 2 * place)
      this.priceTicks[place] = element(this.priceTicks, 2 * place)
      this.sides[place] = byteElement(this.sides, 2 * place)
    }
  }
}

const sampleSize = 16_384

/** How well trades and book go together, as they are and when the trades are moved. */
export interface ClockComparison {
  /** How many trades were compared. */
  readonly trades: number
  /** Share of trades that are at the best price of the side that they take. */
  readonly share: number
  /** The share if the sides of trades are those of makers. */
  readonly otherSideShare: number
  /** The shift of the times of trades with the best fit, in milliseconds. */
  readonly bestShiftMillis: number
  readonly bestShare: number
}

/** The farthest shift that is tried in steps of a tenth of a second, and the most hours: a zone, milliseconds. */
const farthestMillis = 5_000
const mostHours = 14

/** Compares trades with the best prices in an index, at many shifts. Null without trades. */
export function fitClocks(index: BookIndex, sample: TradeSample): ClockComparison | null {
  if (sample.count === 0) return null
  const own = measureShare(index, sample, 0)
  let best = { shiftMillis: 0, ...own }
  const leastCompared = Math.max(1, own.compared / 2)
  for (const shiftMillis of listShifts()) {
    const { compared, share } = measureShare(index, sample, shiftMillis)
    if (compared >= leastCompared && share > best.share) best = { shiftMillis, compared, share }
  }
  return {
    trades: own.compared,
    share: own.share,
    otherSideShare: measureShare(index, sample, 0, true).share,
    bestShiftMillis: best.shiftMillis,
    bestShare: best.share,
  }
}

/** Lists the shifts, the nearest first: of equal ones the first is the best. */
function listShifts(): readonly number[] {
  const shifts: number[] = []
  for (let shift = bookIndexMillis; shift <= farthestMillis; shift += bookIndexMillis)
    shifts.push(shift, -shift)
  for (let hour = 1; hour <= mostHours; hour += 1) shifts.push(hour * 3_600_000, hour * -3_600_000)
  return shifts
}

function measureShare(
  { askTicks, bidTicks, count, firstMillis }: BookIndex,
  sample: TradeSample,
  shiftMillis: number,
  isOfMakers = false,
): { readonly compared: number; readonly share: number } {
  let compared = 0
  let atTouch = 0
  for (let place = 0; place < sample.count; place += 1) {
    // What a trade took stood there before its instant.
    const before = element(sample.atMillis, place) + shiftMillis - 1
    const entry = Math.floor((before - firstMillis) / bookIndexMillis)
    if (entry < 0 || entry >= count) continue
    const isBuy = (sample.sides[place] === bookRowSides.bid) !== isOfMakers
    const ticks = isBuy ? askTicks : bidTicks
    const touch = integerElement(ticks, entry)
    if (touch === 0) continue
    compared += 1
    if (touch === sample.priceTicks[place]) atTouch += 1
  }
  return { compared, share: compared === 0 ? 0 : atTouch / compared }
}

/** Returns the middle one of the ratios of trades to mids; null where they share no time. */
export function compareLevels(
  { askTicks, bidTicks, count, firstMillis }: BookIndex,
  sample: TradeSample,
): number | null {
  const ratios: number[] = []
  for (let place = 0; place < sample.count; place += 1) {
    const entry = Math.floor((element(sample.atMillis, place) - firstMillis) / bookIndexMillis)
    const mid = ((askTicks[entry] ?? 0) + (bidTicks[entry] ?? 0)) / 2
    if (entry >= 0 && entry < count && mid > 0) ratios.push(element(sample.priceTicks, place) / mid)
  }
  ratios.sort((left, right) => left - right)
  return ratios[bisectPlaces(ratios.length, (place) => place >= ratios.length / 2)] ?? null
}
