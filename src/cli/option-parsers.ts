import { InvalidArgumentError } from 'commander'
import { parseDuration } from '../numeric/time-text.ts'
import { parseOrigins } from '../server/venue/cross-origin.ts'

/** 0 (any free one) to 65535. */
export function parsePort(text: string): number {
  if (!/^[0-9]{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new InvalidArgumentError('a port is a whole number from 0 to 65535')
  }
  return Number(text)
}

/** A token that a caller can send in a header. */
export function parseToken(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text
  throw new InvalidArgumentError('a token is a word of printable ASCII characters without spaces')
}

/** Origins of pages, as a browser writes them. */
export function parseCors(text: string): readonly string[] {
  const origins = parseOrigins(text)
  if (origins !== null) return origins
  throw new InvalidArgumentError('origins such as http://localhost:3000, without a path, by commas; or *')
}

/** A duration above 0 and up to a day, as milliseconds. */
export function parseSpan(text: string): number {
  const span = parseDuration(text)
  if (span !== null && span >= 1 && span <= 86_400_000) return span
  throw new InvalidArgumentError('a duration such as 30s or 10m, up to a day')
}

/** `key=value`, collected over all its uses; the last value of a key counts. */
export function gatherPairs(text: string, previous: unknown): ReadonlyMap<string, string> {
  const split = text.indexOf('=')
  if (split < 1) throw new InvalidArgumentError(`expected KEY=VALUE, found "${text}"`)
  const pairs = new Map<string, string>(isPairs(previous) ? previous : [])
  return pairs.set(text.slice(0, split), text.slice(split + 1))
}

/** The same with commas between several pairs, for values that have none. */
export function gatherPairList(text: string, previous: unknown): ReadonlyMap<string, string> {
  const before: ReadonlyMap<string, string> = isPairs(previous) ? previous : new Map()
  return text.split(',').reduce((pairs, pair) => gatherPairs(pair, pairs), before)
}

export const isPairs = (value: unknown): value is ReadonlyMap<string, string> => value instanceof Map

/** Texts, gathered over all uses of an option. */
export function gatherTexts(text: string, previous: unknown): readonly string[] {
  return [...(Array.isArray(previous) ? previous.map(String) : []), text]
}
