import { parseDuration } from '../numeric/time-text.ts'

/** Of a text such as `5s`, or whole milliseconds. Throws a RangeError for anything else. */
export function spanOf(span: string | number): number {
  const spanMillis = typeof span === 'string' ? parseDuration(span) : span
  if (spanMillis === null || !Number.isSafeInteger(spanMillis) || spanMillis < 0) {
    throw new RangeError(`${span} is no span: 5s, 250ms, or whole milliseconds`)
  }
  return spanMillis
}
