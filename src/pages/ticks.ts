import { log } from '../numeric/portable-math.ts'
import { isoToMillis, millisPerDay, millisToIso, roundSpans, startOfDayMillis } from '../numeric/time-text.ts'
import { withCommas } from '../numeric/units.ts'

/** A tick of an axis, with its label. */
export interface AxisTick {
  readonly value: number
  readonly label: string
  /** The text below the label: the day or the year where it changes, else empty. */
  readonly underLabel: string
}

/** Makes about `count` ticks at round values within [from, to], in steps of 1, 2 or 5 times a power of ten. */
export function makeValueTicks(from: number, to: number, count: number, suffix = ''): readonly AxisTick[] {
  if (!(to > from)) return []
  const { digit, power } = chooseStep((to - from) / Math.max(1, count))
  const step = Number(`${digit}e${power}`)
  const values: number[] = []
  for (let k = Math.ceil(from / step - 1e-9); k <= Math.floor(to / step + 1e-9); k += 1) {
    // Going through decimal text makes three steps of 0.1 equal to 0.3.
    values.push(Number(`${k * digit}e${power}`))
  }
  const decimals = Math.max(0, -power)
  // Millions are shortened only if the labels stay distinct and all of them are shortened.
  const short = values.map((value) => formatValue(value, decimals))
  const isMixed = values.some((value) => value !== 0 && Math.abs(value) < 1e6)
  const label = isMixed || new Set(short).size < values.length ? formatPlainValue : formatValue
  return values.map((value) => ({ value, label: `${label(value, decimals)}${suffix}`, underLabel: '' }))
}

/** Makes ticks at the powers of ten within [from, to], with multiples of them between if there are few decades. */
export function makeLogTicks(from: number, to: number, suffix = ''): readonly AxisTick[] {
  if (!(from > 0 && to > from)) return []
  const decades = (log(to) - log(from)) / Math.LN10
  if (decades < 1) return makeValueTicks(from, to, 5, suffix)
  const digits = decades > 3 ? [1] : decades > 1.5 ? [1, 3] : [1, 2, 5]
  const ticks: AxisTick[] = []
  for (let power = findFloorPower(from); power <= findFloorPower(to); power += 1) {
    for (const digit of digits) {
      const value = Number(`${digit}e${power}`)
      if (value < from || value > to) continue
      ticks.push({ value, label: `${formatValue(value, Math.max(0, -power))}${suffix}`, underLabel: '' })
    }
  }
  return ticks
}

/** Makes about `count` ticks within two instants, on whole UTC seconds, hours, days, months or years. */
export function makeTimeTicks(fromMillis: number, toMillis: number, count: number): readonly AxisTick[] {
  if (!(toMillis > fromMillis)) return []
  const rough = (toMillis - fromMillis) / Math.max(1, count)
  const span = roundSpans.find((step) => step >= rough)
  if (span === undefined) return makeMonthTicks(fromMillis, toMillis, rough)
  const ticks: AxisTick[] = []
  let lastUnder = ''
  for (let at = Math.ceil(fromMillis / span) * span; at <= toMillis; at += span) {
    const iso = millisToIso(at)
    const isDaily = span >= millisPerDay
    const under = isDaily ? iso.slice(0, 4) : iso.slice(0, 10)
    ticks.push({
      value: at,
      label: isDaily ? iso.slice(5, 10) : iso.slice(11, span < 1_000 ? 23 : span < 60_000 ? 19 : 16),
      underLabel: under === lastUnder ? '' : under,
    })
    lastUnder = under
  }
  return ticks
}

/**
 * Formats a figure for people: thousands are grouped, and from a million on it is shortened as `1.5M`; `n/a` if not
 * finite.
 */
export function formatValue(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return 'n/a'
  const size = Math.abs(value)
  const sign = value < 0 ? '−' : ''
  for (const [unit, letter] of largeUnits) {
    if (size >= unit) return `${sign}${(size / unit).toFixed(3).replace(/\.?0+$/, '')}${letter}`
  }
  return formatPlainValue(value, decimals)
}

/** Counts the decimals of a step between figures, such as 2 for 0.25; at most ten. */
export function countDecimals(step: number): number {
  let decimals = 0
  while (decimals < 10 && Math.abs(Number(step.toFixed(decimals)) - step) > step * 1e-6) decimals += 1
  return decimals
}

/** Formats a figure with thousands grouped and at most ten decimals, without shortening millions. */
export function formatPlainValue(value: number, decimals: number): string {
  const size = Math.abs(value)
  const sign = value < 0 ? '−' : ''
  if (size > 0 && size < 1e-6) return `${sign}${size.toExponential(1)}`
  const text = size.toFixed(Math.min(10, decimals))
  return `${Number(text) === 0 ? '' : sign}${withCommas(text)}`
}

const largeUnits = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
] as const

function makeMonthTicks(fromMillis: number, toMillis: number, rough: number): readonly AxisTick[] {
  const months = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600].find((step) => step * 30.5 * millisPerDay >= rough)
  const step = months ?? 1_200
  const ticks: AxisTick[] = []
  const firstYear = Number(millisToIso(fromMillis).slice(0, 4))
  const lastYear = Number(millisToIso(toMillis).slice(0, 4))
  const firstMonth = Math.ceil((firstYear * 12) / step) * step
  let lastYearShown = ''
  for (let month = firstMonth - step; month <= lastYear * 12 + 11; month += step) {
    const year = String(Math.floor(month / 12)).padStart(4, '0')
    const at = isoToMillis(`${year}-${String((month % 12) + 1).padStart(2, '0')}-01`)
    if (at === null || at < fromMillis || at > toMillis) continue
    const name = monthNames[month % 12] ?? ''
    const isYearly = step >= 12
    ticks.push({
      value: startOfDayMillis(at),
      label: isYearly ? year : name,
      underLabel: isYearly || year === lastYearShown ? '' : year,
    })
    lastYearShown = year
  }
  return ticks
}

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Chooses the smallest step that is 1, 2 or 5 times a power of ten and not below `rough`. */
function chooseStep(rough: number): { readonly digit: number; readonly power: number } {
  const power = findFloorPower(rough)
  for (const digit of [1, 2, 5]) {
    if (Number(`${digit}e${power}`) >= rough * 0.999_999) return { digit, power }
  }
  return { digit: 1, power: power + 1 }
}

/** Finds the exponent of the greatest power of ten that is not above a value. */
function findFloorPower(value: number): number {
  let power = Math.floor(log(value) / Math.LN10)
  while (Number(`1e${power + 1}`) <= value) power += 1
  while (Number(`1e${power}`) > value) power -= 1
  return power
}
