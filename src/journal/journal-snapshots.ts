import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { basename, dirname } from 'node:path'
import { isObject } from '../api/json.ts'
import { syncParentFolder } from './journal-file.ts'
import { seal } from './lines.ts'
import { readSnapshotDocument, snapshotDocument } from './snapshot-document.ts'
import type { WorldSnapshot } from './world-snapshot.ts'

/*
 * Snapshots beside a journal's file, so that a long journal need not be carried out from its start. They only save
 * time: one that is missing, damaged or belongs to another journal is passed over.
 */

const snapshotsKept = 2
const suffix = '.snapshot-'
const unfinished = '.tmp'
const bytesInPiece = 1_048_576

/**
 * Whole or not at all: written beside its place, then renamed. If the disk does not take it, there is none. In pieces,
 * because a world with many orders has millions of bytes; it begins with a pause.
 */
export function* writeSnapshot(journal: string, leap: Leap): Generator<undefined, void, undefined> {
  const { snapshot, ...place } = leap
  const path = `${journal}${suffix}${place.sequence}`
  const beside = `${path}${unfinished}`
  yield
  const document = snapshotDocument(snapshot)
  yield
  const text = JSON.stringify({ ...place, seal: computeSeal(place, document.check), snapshot: document })
  yield
  try {
    const descriptor = openSync(beside, 'w', 0o644)
    try {
      const bytes = Buffer.from(text)
      for (let done = 0; done < bytes.length; yield)
        done += writeSync(descriptor, bytes, done, Math.min(bytes.length - done, bytesInPiece))
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(beside, path)
    syncParentFolder(path)
    deleteAllBut(journal, listSequences(journal).slice(0, snapshotsKept))
  } catch {
    rmSync(beside, { force: true })
  }
}

/** Those that can be read, newest first. */
export function* newestSnapshots(journal: string): Generator<Leap> {
  for (const sequence of listSequences(journal)) {
    const leap = readCheckpoint(`${journal}${suffix}${sequence}`)
    if (leap !== null) yield leap
  }
}

/** The sequence of the newest; 0 when there is none. */
export const newestSnapshotSequence = (journal: string): number => listSequences(journal)[0] ?? 0

/** Deletes all snapshots, as far as the disk allows. Those that stay belong to no journal, and are ignored. */
export function dropSnapshots(journal: string): void {
  try {
    deleteAllBut(journal, [])
  } catch {}
}

/** Deletes all but these, and what processes that were killed have left of others. */
function deleteAllBut(journal: string, kept: readonly number[]): void {
  const names = new Set(kept.map(String))
  for (const name of listNames(journal)) if (!names.has(name)) rmSync(`${journal}${suffix}${name}`)
}

/** Largest first. */
function listSequences(journal: string): readonly number[] {
  return listNames(journal)
    .filter((name) => !name.endsWith(unfinished))
    .map(Number)
    .sort((left, right) => right - left)
}

/** What follows the suffix in the names of its snapshots, those that are being written included. */
function listNames(journal: string): readonly string[] {
  const folder = dirname(journal)
  if (!existsSync(folder)) return []
  const start = `${basename(journal)}${suffix}`
  return readdirSync(folder)
    .filter((name) => name.startsWith(start))
    .map((name) => name.slice(start.length))
    .filter((name) => /^\d{1,15}(\.tmp)?$/.test(name))
}

function readCheckpoint(path: string): Leap | null {
  try {
    const json: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (!isObject(json)) return null
    const { offset, hash, sequence, check, snapshot: document } = json
    const isPlace =
      typeof offset === 'number' &&
      typeof hash === 'string' &&
      typeof sequence === 'number' &&
      typeof check === 'number'
    if (!isPlace || !isObject(document)) return null
    if (json['seal'] !== computeSeal({ offset, hash, sequence, check }, document['check'])) return null
    const read = readSnapshotDocument(document)
    return read.ok ? { offset, hash, sequence, check, snapshot: read.snapshot } : null
  } catch {
    return null
  }
}

/** The document's own check is over all that is in it. */
function computeSeal(
  { offset, hash, sequence, check }: Omit<Leap, 'snapshot'>,
  documentCheck: unknown,
): string {
  return seal(hash, JSON.stringify({ offset, sequence, check, documentCheck })).hash
}

/** A place to go on from, and the state there. Of the lines before it only the hashes are checked. */
export interface Leap {
  readonly offset: number
  readonly hash: string
  readonly sequence: number
  readonly check: number
  readonly snapshot: WorldSnapshot
}
