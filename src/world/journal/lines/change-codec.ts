import type { FaultRule } from '../../../api/faults/fault-rule.ts'
import { readFaultRule } from '../../../api/faults/read-fault-rule.ts'
import { isObject } from '../../../api/json.ts'
import { type Readings, resolveReadings } from '../../../api/readings/readings.ts'
import { scopes } from '../../../api/routes/route.ts'
import { millis } from '../../../numeric/units.ts'
import type { RateLimits } from '../../../scenario/compile/compiled.ts'
import type { SeenRequest } from '../../../scenario/compile/request-pattern.ts'
import type { WorldChange } from '../../change-log.ts'
import {
  branded,
  type Codec,
  finite,
  isNameIn,
  listOf,
  natural,
  nullable,
  oneOf,
  recordOf,
  text,
  truth,
  Undecodable,
} from './codec.ts'
import { accountCodec, settingCodec } from './command-codec.ts'
import { clockCodec } from './header.ts'
import type { SnapshotShelf } from './snapshot-shelf.ts'

/** A change as the journal has it. Its instant is a field of the line. */
export function encodeChange(change: WorldChange, sequence: number, shelf: SnapshotShelf): unknown {
  if (change.kind === 'restored')
    return { kind: change.kind, snapshot: shelf.encode(change.snapshot, sequence) }
  const json = byKind[change.kind].encode(change)
  if (!isObject(json)) return json
  const { atMillis: _, ...rest } = json
  return rest
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
  if (kind === 'restored') {
    const snapshot = shelf.decode(json['snapshot'], sequence)
    return { kind, atMillis, snapshot }
  }
  if (!isNameIn(byKind, kind)) throw new Undecodable('change.kind', 'the name of a change')
  return byKind[kind].decode({ ...json, atMillis }, 'change')
}

type Kind = Exclude<WorldChange['kind'], 'restored'>
type ChangeOf<Name extends Kind> = Extract<WorldChange, { readonly kind: Name }>

const atMillis = natural

const anything: Codec<unknown> = { encode: (value) => value, decode: (json) => json }

const rateLimits = recordOf<RateLimits>({
  isEnabled: truth,
  marketData: natural,
  other: natural,
  windowMillis: branded(natural, millis),
})

const readings: Codec<Readings> = {
  encode: (value) => value,
  decode: (json, path) => {
    const given = isObject(json) ? Object.entries(json).map(([key, value]) => [key, String(value)]) : []
    const resolved = resolveReadings(Object.fromEntries(given))
    if (!resolved.ok) throw new Undecodable(`${path}.${resolved.flaw.field}`, resolved.flaw.reason)
    return resolved.value
  },
}

/** A rule in the words that it was written in, read by the same parser again. */
const rule: Codec<FaultRule> = {
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

const seenRequest = recordOf<SeenRequest>({
  atMillis,
  rateMillis: finite,
  method: text,
  path: text,
  apiKey: text,
  account: nullable(text),
  status: natural,
  body: text,
  fault: nullable(text),
})

/** Older journals do not have this field. */
const namesOrNone: Codec<readonly string[]> = {
  encode: listOf(text).encode,
  decode: (json, path) => (json === undefined ? [] : listOf(text).decode(json, path)),
}

const keyFields = { apiKey: text, apiSecret: text, scopes: listOf(oneOf(...scopes)) }

const byKind: { readonly [Name in Kind]: Codec<ChangeOf<Name>> } = {
  'fault-added': recordOf<ChangeOf<'fault-added'>>({ kind: oneOf('fault-added'), atMillis, id: text, rule }),
  'fault-removed': recordOf<ChangeOf<'fault-removed'>>({
    kind: oneOf('fault-removed'),
    atMillis,
    id: nullable(text),
  }),
  'fault-counted': recordOf<ChangeOf<'fault-counted'>>({
    kind: oneOf('fault-counted'),
    atMillis,
    id: text,
    matched: natural,
    fired: natural,
  }),
  'account-opened': recordOf<ChangeOf<'account-opened'>>({
    kind: oneOf('account-opened'),
    atMillis,
    opened: accountCodec,
    keys: listOf(recordOf(keyFields)),
  }),
  'settings-changed': recordOf<ChangeOf<'settings-changed'>>({
    kind: oneOf('settings-changed'),
    atMillis,
    settings: listOf(settingCodec),
  }),
  'key-given': recordOf<ChangeOf<'key-given'>>({
    kind: oneOf('key-given'),
    atMillis,
    account: text,
    ...keyFields,
  }),
  'key-revoked': recordOf<ChangeOf<'key-revoked'>>({ kind: oneOf('key-revoked'), atMillis, apiKey: text }),
  'rate-limits': recordOf<ChangeOf<'rate-limits'>>({
    kind: oneOf('rate-limits'),
    atMillis,
    limits: rateLimits,
  }),
  clock: recordOf<ChangeOf<'clock'>>({ kind: oneOf('clock'), atMillis, settings: clockCodec }),
  readings: recordOf<ChangeOf<'readings'>>({ kind: oneOf('readings'), atMillis, readings }),
  timeline: recordOf<ChangeOf<'timeline'>>({
    kind: oneOf('timeline'),
    atMillis,
    actions: listOf(anything),
  }),
  'request-seen': recordOf<ChangeOf<'request-seen'>>({
    kind: oneOf('request-seen'),
    atMillis,
    request: seenRequest,
  }),
  reset: recordOf<ChangeOf<'reset'>>({
    kind: oneOf('reset'),
    atMillis,
    seed: nullable(text),
    renamed: namesOrNone,
  }),
}
