import { readFaultRule } from '../../../api/faults/read-fault-rule.ts'
import { isObject } from '../../../api/json.ts'
import { resolveReadings } from '../../../api/readings/readings.ts'
import { anyChange, type WorldChange } from '../../world-change.ts'
import { type CodecOfSome, Undecodable } from './codec.ts'
import { codecFor } from './shape-codec.ts'
import type { SnapshotShelf } from './snapshot-shelf.ts'

/** A change as the journal has it. Its instant is a field of the line. */
export function encodeChange(change: WorldChange, sequence: number, shelf: SnapshotShelf): unknown {
  const json = changeCodec.encode(change)
  if (!isObject(json)) return json
  const { atMillis: _, ...rest } = json
  if (change.kind !== 'restored') return rest
  return { ...rest, snapshot: shelf.encode(change.snapshot, sequence) }
}

/** Throws an `Undecodable` that names the field. */
export function decodeChange(
  json: unknown,
  atMillis: number,
  sequence: number,
  shelf: SnapshotShelf,
): WorldChange {
  if (!isObject(json)) throw new Undecodable('change', 'an object')
  const { kind } = json
  // Older journals do not say which keys a reset has renamed.
  const known = kind === 'reset' ? { renamed: [], ...json } : json
  const snapshot = kind === 'restored' ? { snapshot: shelf.decode(json['snapshot'], sequence) } : {}
  return changeCodec.decode({ ...known, ...snapshot, atMillis }, 'change')
}

const asIs: CodecOfSome<unknown> = { encode: (value) => value, decode: (json) => json }

const readings: CodecOfSome<unknown> = {
  encode: (value) => value,
  decode: (json, path) => {
    const given = isObject(json) ? Object.entries(json).map(([key, value]) => [key, String(value)]) : []
    const resolved = resolveReadings(Object.fromEntries(given))
    if (!resolved.ok) throw new Undecodable(`${path}.${resolved.flaw.field}`, resolved.flaw.reason)
    return resolved.value
  },
}

/** A rule in the words that it was written in, read by the same parser again. */
const rule: CodecOfSome<unknown> = {
  encode: (value) => {
    if (!isObject(value)) return null
    const { forMillis, match, ...rest } = value
    return withoutNulls({ ...rest, match: isObject(match) ? withoutNulls(match) : {}, forMs: forMillis })
  },
  decode: (json, path) => {
    const match = isObject(json) && isObject(json['match']) ? json['match'] : {}
    // A rule may name what does not exist; then it never strikes. Earlier versions also took paths of no operation.
    const assets = namesIn(match['asset'])
    const accounts = namesIn(match['account'])
    const known = { assets, accounts, mayReachNothing: true } as const
    const read = readFaultRule(json, known)
    if (!read.ok) throw new Undecodable(`${path}.${read.flaw.field}`, `right: it ${read.flaw.reason}`)
    return read.value
  },
}

const namesIn = (name: unknown): string[] => (typeof name === 'string' ? [name] : [])

const withoutNulls = (value: { readonly [key: string]: unknown }): { readonly [key: string]: unknown } =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null && member !== undefined))

/** A snapshot depends on the lines before, so it stays as it is here. */
const changeCodec = codecFor<WorldChange>(anyChange, { rule, readings, entry: asIs, snapshot: asIs })
