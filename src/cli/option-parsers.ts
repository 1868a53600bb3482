import { InvalidArgumentError } from 'commander'
import { presetKey } from '../api/readings/presets.ts'
import type { Readings } from '../api/readings/readings.ts'
import { resolveReadings } from '../api/readings/readings.ts'
import { parseDuration } from '../numeric/time-text.ts'
import { parseOrigins } from '../server/cross-origin.ts'
import { CliFailure, exitCode } from './failure.ts'

/** 0 takes any free one. */
export const parsePort = wholeNumber(0, 65_535)

/** The address of a server, without a slash at its end. */
export function parseAddress(text: string): string {
  const address = text.replace(/\/+$/, '')
  if (/^https?:\/\//.test(address) && URL.canParse(address)) return address
  throw new InvalidArgumentError('expected an address with http:// or https://')
}

/** A whole number within bounds. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d{1,15}$/.test(text) && value >= least && value <= most) return value
    throw new InvalidArgumentError(`expected a whole number from ${least} to ${most}`)
  }
}

/** One of several equal parts of the work. */
export interface Shard {
  /** From 1. */
  readonly number: number
  readonly of: number
}

/** `2/5`. */
export function parseShard(text: string): Shard {
  const match = /^(\d{1,6})\/(\d{1,6})$/.exec(text)
  const shard = { number: Number(match?.[1]), of: Number(match?.[2]) }
  if (shard.number >= 1 && shard.number <= shard.of) return shard
  throw new InvalidArgumentError('expected a part such as 1/4, counted from 1')
}

export function parseSeed(text: string): string {
  if (text !== '') return text
  throw new InvalidArgumentError('a seed must not be empty')
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
  return new Map(pairsOf(previous)).set(text.slice(0, split), text.slice(split + 1))
}

/** The same for readings, with commas between pairs; `@name` stands for a preset. */
export function gatherReadings(text: string, previous: unknown): ReadonlyMap<string, string> {
  const pairs = text.split(',').map((pair) => (pair.startsWith('@') ? `${presetKey}=${pair}` : pair))
  return pairs.reduce((gathered, pair) => gatherPairs(pair, gathered), pairsOf(previous))
}

/** The pairs given to such an option; none if it was not given. */
export const pairsOf = (value: unknown): ReadonlyMap<string, string> => (isPairs(value) ? value : new Map())

export const isPairs = (value: unknown): value is ReadonlyMap<string, string> => value instanceof Map

/** Texts, gathered over all uses of an option. */
export function gatherTexts(text: string, previous: unknown): readonly string[] {
  return [...(Array.isArray(previous) ? previous.map(String) : []), text]
}

/** The readings after what `--readings` changes of them. Ends the command for one that does not exist. */
export function chosenReadings(given: unknown, before?: Readings): Readings {
  const readings = resolveReadings(Object.fromEntries(pairsOf(given)), before)
  if (readings.ok) return readings.value
  const { field, reason, hint } = readings.flaw
  const meant = hint === undefined ? '' : ` (${hint})`
  throw new CliFailure(exitCode.usage, `--readings ${field}: ${reason}${meant}`)
}

/** The port of a venue unless another is given. */
export const defaultPort = 4010

/** The address of a venue on that port. */
export const usualAddress = `http://127.0.0.1:${defaultPort}`
