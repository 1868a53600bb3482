import { digestWithFaults } from '../api/faults/matches-fault.ts'
import { isObject } from '../api/json.ts'
import { resolveReadings } from '../api/readings/readings.ts'
import { firstClientAccount } from '../engine/codes.ts'
import { withSeed } from '../engine/config.ts'
import { snapshotVersion, type VenueSnapshot } from '../engine/snapshot/snapshot.ts'
import { addToHash } from '../engine/snapshot/state-digest.ts'
import { Venue } from '../engine/venue.ts'
import { Hash128 } from '../numeric/hash.ts'
import { millisToIso } from '../numeric/time-text.ts'
import { findSourceBook } from '../scenario/file/recorded-books.ts'
import { type PlainSource, type ScenarioSource, toPlainSource } from '../scenario/file/source.ts'
import { loadSource } from '../scenario/load-tree.ts'
import { tryDecode } from './codec.ts'
import { fromJson, NotPlain, toJson } from './plain-json.ts'
import { sourceBook } from './source-book.ts'
import type { WorldSnapshot } from './world-snapshot.ts'

/*
 * A snapshot as a document that can be stored, sent and imported elsewhere: plain JSON, with the scenario that it belongs to.
 * Equal snapshots have equal text.
 */

const format = 'otcsim snapshot'
/** The version of the document, which is raised whenever an older one could be misread. */
const documentVersion = 1

/** Makes the document of a snapshot. */
export function makeSnapshotDocument(snapshot: WorldSnapshot) {
  const { world, scenario, seed, sequence, digest } = snapshot
  return {
    format,
    version: documentVersion,
    world,
    scenario: scenario.name,
    seed,
    sequence,
    now: formatNow(snapshot),
    digest,
    /** A hash over the whole content, so that a document that was changed is refused. */
    check: computeCheck(snapshot),
    source: toJson(toPlainSource(scenario.source)),
    state: toJson(omitStatedOnce(snapshot)),
  }
}

function formatNow({ venue }: WorldSnapshot): string {
  return millisToIso(venue.counters[0])
}

/** The result of reading a document: a snapshot, or what is wrong with one field. */
export type ReadSnapshot =
  | { readonly ok: true; readonly snapshot: WorldSnapshot }
  /** `reason` follows the field's name, as in `must be a string`. */
  | { readonly ok: false; readonly field: string; readonly reason: string }

/**
 * Reads a snapshot from its document. Nothing is trusted: it is accepted only if the venue in it can be rebuilt and has the
 * digest that the document states. Errors, in order: not a snapshot; another version; missing or malformed fields; the
 * scenario; a document that was changed; a state that does not fit the scenario.
 */
export function readSnapshotDocument(document: unknown): ReadSnapshot {
  if (!isObject(document) || document['format'] !== format)
    return refuse('format', `must be "${format}": this is not a snapshot`)
  if (document['version'] !== documentVersion) {
    return refuse('version', `must be ${documentVersion}: the snapshot is of another version of otcsim`)
  }
  return readFields(document)
}

function readFields(document: { readonly [name: string]: unknown }): ReadSnapshot {
  const { world, seed, sequence, digest, check } = document
  if (typeof world !== 'string') return refuse('world', 'must be a string')
  if (typeof seed !== 'string') return refuse('seed', 'must be a string')
  if (typeof digest !== 'string') return refuse('digest', 'must be a string')
  if (typeof sequence !== 'number' || !Number.isSafeInteger(sequence) || sequence < 0)
    return refuse('sequence', 'must be the number of a command')
  const source = readPlain(document['source'])
  if (source instanceof NotPlain) return refuse('source', `is damaged: ${source.message}`)
  const state = readPlain(document['state'])
  if (state instanceof NotPlain) return refuse('state', `is damaged: ${state.message}`)
  if (!isSource(source)) return refuse('source', 'must be a scenario with its recordings')
  if (!isWorldState(state)) return refuse('state', 'does not have the parts of a world')
  const loaded = loadSource(withBooks(source), seed)
  if (!loaded.ok) {
    const [problem] = loaded.problems
    return refuse(`source.document.${problem?.path ?? ''}`, problem?.reason ?? 'is not a scenario')
  }
  const scenario = loaded.value
  const lags = state.lags.map(({ shadow, ...rest }) => ({ ...rest, shadow: { ...shadow, scenario } }))
  const snapshot: WorldSnapshot = { ...state, lags, world, scenario, seed, sequence, digest }
  const changed = 'does not fit the rest: the document was changed'
  if (computeCheck(snapshot) !== check) return refuse('check', changed)
  // These two fields are for human readers and repeat what the rest says.
  if (document['scenario'] !== scenario.name) return refuse('scenario', changed)
  if (document['now'] !== formatNow(snapshot)) return refuse('now', changed)
  // A document of an earlier otcsim lacks readings that were added since. They get their defaults.
  const readings = resolveReadings(state.readings)
  if (!readings.ok) return refuse(`state.readings.${readings.problem.field}`, readings.problem.reason)
  return isSound(snapshot)
    ? { ok: true, snapshot: { ...snapshot, readings: readings.value } }
    : refuse('state', 'does not fit its scenario, or was made by another build of otcsim')
}

function readPlain(json: unknown): unknown {
  try {
    return fromJson(json)
  } catch (error) {
    if (error instanceof NotPlain) return error
    throw error
  }
}

/** The fields that a document has outside `state`. Lagging views have the scenario of the world itself. */
type StatedOnce = 'world' | 'scenario' | 'seed' | 'sequence' | 'digest'

function omitStatedOnce({
  world: _w,
  scenario: _o,
  seed: _s,
  sequence: _q,
  digest: _d,
  ...state
}: WorldSnapshot) {
  const lags = state.lags.map(({ shadow: { scenario: _, ...shadow }, ...rest }) => ({ ...rest, shadow }))
  return { ...state, lags }
}

/** Computes a hash over every leaf of a snapshot, so that any change is found. */
function computeCheck(snapshot: WorldSnapshot): string {
  const { world, scenario, seed, sequence, digest } = snapshot
  const hash = new Hash128()
  addToHash(hash, toPlainSource(scenario.source))
  addToHash(hash, [world, seed, sequence, digest])
  addToHash(hash, omitStatedOnce(snapshot))
  return hash.digest()
}

/** Returns whether the venue can be rebuilt and has the digest that the snapshot states. */
function isSound(snapshot: WorldSnapshot): boolean {
  const { scenario, seed, venue, faults } = snapshot
  const later = scenario.source.added?.accounts ?? []
  const opened = venue.accounts.ids.slice(firstClientAccount + scenario.access.length)
  if (later.some((id, index) => id !== opened[index])) return false
  try {
    const restored = Venue.restore(withSeed(scenario.venue, seed), venue, { emit: () => undefined })
    const rules = faults.rules.filter(({ untilMillis }) => untilMillis === null || restored.now < untilMillis)
    return digestWithFaults(restored.digest(), rules) === snapshot.digest
  } catch {
    return false
  }
}

function refuse(field: string, reason: string): ReadSnapshot {
  return { ok: false, field, reason }
}

/** Returns a document's source with the recorded books that the host has at hand. */
function withBooks({ books, ...source }: PlainSource): ScenarioSource {
  if (books === undefined) return source
  return { ...source, books: new Map([...books].map(([key, plain]) => [key, findSourceBook(plain)])) }
}

function isSource(value: unknown): value is PlainSource {
  return isObject(value) && value['recordings'] instanceof Map && isAdded(value) && areBooks(value['books'])
}

/** Returns whether what stands for recorded books is well-formed, or absent. */
function areBooks(books: unknown): boolean {
  if (books === undefined) return true
  return books instanceof Map && [...books.values()].every((book) => tryDecode(sourceBook, book) !== null)
}

/** Returns whether the record of what was added to a source's timeline is well-formed, or absent. */
function isAdded({ document, added }: { readonly [name: string]: unknown }): boolean {
  if (added === undefined) return true
  if (!isObject(added) || !isObject(document) || !Array.isArray(document['timeline'])) return false
  const { count, accounts } = added
  const isCount = typeof count === 'number' && Number.isSafeInteger(count) && count >= 0
  return isCount && count <= document['timeline'].length && Array.isArray(accounts)
}

/** Returns whether the parts of a state have the right types. Check and digest verify their contents. */
function isWorldState(value: unknown): value is Omit<WorldSnapshot, StatedOnce> {
  if (!isObject(value)) return false
  const { venue, script, faults, scripted, lags, keys, rateLimits, clock, readings } = value
  return (
    isVenueSnapshot(venue) &&
    [script, faults, scripted, rateLimits, clock, readings].every(isObject) &&
    isObject(faults) &&
    Array.isArray(faults['rules']) &&
    isObject(scripted) &&
    Array.isArray(scripted['stacks']) &&
    Array.isArray(keys) &&
    Array.isArray(lags) &&
    lags.every((lag) => isObject(lag) && isObject(lag['shadow']) && Array.isArray(lag['queue']))
  )
}

function isVenueSnapshot(value: unknown): value is VenueSnapshot {
  if (!isObject(value) || value['version'] !== snapshotVersion) return false
  const { counters, accounts, assets, feeSchedules, holdings } = value
  const tables = [value['orders'], value['quotes'], value['fills'], value['transfers']]
  return (
    Array.isArray(counters) &&
    counters.every(Number.isSafeInteger) &&
    tables.every((table) => isObject(table) && table['records'] instanceof Uint8Array) &&
    isObject(accounts) &&
    Array.isArray(accounts['ids']) &&
    Array.isArray(assets) &&
    Array.isArray(feeSchedules) &&
    holdings instanceof Uint8Array
  )
}
