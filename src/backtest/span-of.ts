import { parseDuration } from '../numeric/time-text.ts'

/** Milliseconds, from a text such as `5s` or a whole number of them. Throws a RangeError for anything else. */
export function spanOf(span: string | number): number {
  const spanMillis = typeof span === 'string' ? parseDuration(span) : span
  if (spanMillis === null || !Number.isSafeInteger(spanMillis) || spanMillis < 0) {
    throw new RangeError(`${span} is not a span: 5s, 250ms, or whole milliseconds`)
  }
  return spanMillis
}

/** Milliseconds above 0, from the text of an option. Throws a RangeError that names the option. */
export function spanOfOption(text: string, option: string): number {
  const spanMillis = parseDuration(text)
  if (spanMillis === null || spanMillis <= 0)
    throw new RangeError(`${option}: expected a span such as 1s, found "${text}"`)
  return spanMillis
}
