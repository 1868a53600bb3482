import { formatDuration, millisPerMinute, parseDuration } from '../numeric/time-text.ts'
import { textToScaled } from '../numeric/units.ts'
import { notAPrice } from './spec-checks.ts'

/*
 * Numbers that a file writes in another form: `halfLifeMillis: 600000` of a record is `halfLife: 10m` there.
 *
 * TypeBox has `Type.Codec` for this, which we do not use. Measured with 1.4.3, running a codec adds 97 kB to every bundle
 * (`typebox/value` has a second checker beside ajv, a parser and conversions), while the schema builders alone are 3 kB.
 * And a codec does not learn the key in the file, nor can it say what is wrong in terms of the field. So a record's schema
 * describes its numbers, and the keyword `unit` names the functions here that convert them.
 */
interface Unit {
  /** The ending that the key has in a record and not in a file, such as `Millis`. */
  readonly ending: string
  /** The name of the text's schema among the definitions of the file format. */
  readonly definition: string
  /** Returns the number that a file's text stands for, or a message that says why it is none. */
  read(text: string): number | string
  /**
   * Returns what the file's schema states of a range. The schema of a text has no range, but its title can state one.
   */
  describeRange(
    least: number,
    most: number,
  ): { readonly title?: string; readonly minimum?: number; readonly maximum?: number }
  /** Returns the message for a number that is not from `least` to `most`. */
  refusal(least: number, most: number): string
  /** Returns what a file writes for the number. */
  write(value: number): string | number
}

export type UnitName = 'duration' | 'minutes' | 'amount' | 'price'

export const units: { readonly [Name in UnitName]: Unit } = {
  duration: {
    ending: 'Millis',
    definition: 'duration',
    read: (text) => parseDuration(text) ?? describeBadDuration(text),
    describeRange: (least, most) => ({ title: describeDurationRange(least, most) }),
    refusal: (least, most) => `is not ${formatRange(least, most)}`,
    write: formatDuration,
  },
  minutes: {
    ending: 'Minutes',
    definition: 'duration',
    read: (text) => {
      const millis = parseDuration(text)
      return millis === null ? describeBadDuration(text) : millis / millisPerMinute
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
  /** A price of one unit of an asset, in USD. */
  price: {
    ending: '',
    definition: 'price',
    read: parsePositive,
    describeRange: () => ({}),
    refusal: () => notAPrice,
    write: (value) => value,
  },
}

/**
 * Parses a relative change to parts per million: `-4%` is -40000, `+25bps` is 2500. Returns null for a text that is not a
 * change, and a message for a change that is too fine or leaves no price.
 */
export function parseChange(text: string): number | string | null {
  const match = /^\+?(-?[0-9.]+)(%|bps)$/.exec(text)
  if (match === null) return null
  const change = textToScaled(match[1] ?? '', match[2] === '%' ? 4 : 2)
  if (change === null) return 'must be a multiple of 0.0001 %'
  return change <= -1_000_000 ? 'a fall of 100 % or more leaves no price' : change
}

/** Describes a range of durations: `a duration from 1s to 1h`. */
export function describeDurationRange(leastMillis: number, mostMillis: number): string {
  return `a duration ${formatRange(leastMillis, mostMillis)}`
}

const formatRange = (leastMillis: number, mostMillis: number): string =>
  `from ${formatDuration(leastMillis)} to ${formatDuration(mostMillis)}`

const formatMinuteRange = (least: number, most: number): string =>
  formatRange(least * millisPerMinute, most * millisPerMinute)

/** Returns the message for a text that `parseDuration` does not accept. */
export const describeBadDuration = (text: string): string =>
  `${text} is not a duration; units stand from large to small, as in 1h30m, down to whole ms`

function parsePositive(text: string): number | string {
  const value = Number(text)
  return value > 0 ? value : 'must be above 0'
}
