import { formatDuration, millisPerMinute, parseDuration } from '../numeric/time-text.ts'
import { textToScaled } from '../numeric/units.ts'

/*
 * Numbers that a file writes in another form: `halfLifeMillis: 600000` of a record is `halfLife: 10m` there.
 *
 * TypeBox has `Type.Codec` for this. Measured with 1.4.3: to run a codec, `typebox/value` brings 97 kB into every
 * bundle (a second checker beside ajv, a parser, conversions), where the builders of schemas alone are 3 kB. And a
 * codec is told neither the file's own key nor, by its place, what to say when it fails. So a record's schema is that
 * of its numbers, and the keyword `unit` names the pair of functions here.
 */
interface Unit {
  /** What the key of a record has at its end, and that of a file has not. */
  readonly ending: string
  /** The text's schema, among the definitions of the file's format. */
  readonly definition: string
  read(text: string): number | string
  /** What a file's schema says of a range: a text has none there, but a title can tell it. */
  describeRange(
    least: number,
    most: number,
  ): { readonly title?: string; readonly minimum?: number; readonly maximum?: number }
  /** What a number from `least` to `most` must be and is not. */
  refusal(least: number, most: number): string
  write(value: number): string | number
}

export type UnitName = 'duration' | 'minutes' | 'amount' | 'price'

export const units: { readonly [Name in UnitName]: Unit } = {
  duration: {
    ending: 'Millis',
    definition: 'duration',
    read: (text) => parseDuration(text) ?? notADuration(text),
    describeRange: (least, most) => ({ title: durationFrom(least, most) }),
    refusal: (least, most) => `is not ${formatRange(least, most)}`,
    write: formatDuration,
  },
  minutes: {
    ending: 'Minutes',
    definition: 'duration',
    read: (text) => {
      const millis = parseDuration(text)
      return millis === null ? notADuration(text) : millis / millisPerMinute
    },
    describeRange: (least, most) => ({
      title: `a duration of whole minutes ${formatMinuteRange(least, most)}`,
    }),
    refusal: (least, most) => `is not of whole minutes, ${formatMinuteRange(least, most)}`,
    write: (minutes) => formatDuration(minutes * millisPerMinute),
  },
  amount: {
    ending: '',
    definition: 'positiveAmount',
    read: parsePositive,
    describeRange: (minimum, maximum) => ({ minimum, maximum }),
    refusal: (least, most) => `is not from ${least} to ${most}`,
    write: (value) => value,
  },
  /** Of one unit of an asset, in USD: within the range in which the market keeps every price. */
  price: {
    ending: '',
    definition: 'price',
    read: parsePositive,
    describeRange: () => ({}),
    refusal: () => 'is not a price from 1e-10 to 1e10 USD',
    write: (value) => value,
  },
}

/** `-4%` as -40000 parts per million, `+25bps` as 2500, or what is wrong with it; null for a text that is no change. */
export function readChange(text: string): number | string | null {
  const match = /^\+?(-?[0-9.]+)(%|bps)$/.exec(text)
  if (match === null) return null
  const change = textToScaled(match[1] ?? '', match[2] === '%' ? 4 : 2)
  if (change === null) return 'changes are not finer than 0.0001 %'
  return change <= -1_000_000 ? 'a fall of 100 % or more leaves no price' : change
}

export function durationFrom(leastMillis: number, mostMillis: number): string {
  return `a duration ${formatRange(leastMillis, mostMillis)}`
}

const formatRange = (leastMillis: number, mostMillis: number): string =>
  `from ${formatDuration(leastMillis)} to ${formatDuration(mostMillis)}`

const formatMinuteRange = (least: number, most: number): string =>
  formatRange(least * millisPerMinute, most * millisPerMinute)

export const notADuration = (text: string): string =>
  `${text} is not a duration; units stand from large to small, as in 1h30m, down to whole ms`

function parsePositive(text: string): number | string {
  const value = Number(text)
  return value > 0 ? value : 'must be above 0'
}
