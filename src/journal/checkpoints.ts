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
import { makeSnapshotDocument, readSnapshotDocument } from './snapshot-document.ts'
import type { WorldSnapshot } from './world-snapshot.ts'

/*
 * Checkpoints: snapshots beside a journal file, so that a long journal need not be replayed from its start. They only save
 * time: one that is missing, damaged or belongs to another journal is ignored.
 */

const snapshotsKept = 2
const suffix = '.snapshot-'
const unfinished = '.tmp'
const bytesInPiece = 1_048_576

/**
 * Writes a checkpoint beside a journal, whole or not at all: to a temporary file that is then renamed. If the disk does not
 * accept it, there is none. It yields between pieces, and once at the beginning, because a world with many orders has millions
 * of bytes.
 */
export function* writeCheckpoint(
  journal: string,
  checkpoint: Checkpoint,
): Generator<undefined, void, undefined> {
  const { snapshot, ...place } = checkpoint
  const path = `${journal}${suffix}${place.sequence}`
  const beside = `${path}${unfinished}`
  yield
  const document = makeSnapshotDocument(snapshot)
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

/** Reads the checkpoints beside a journal, newest first, and skips those that cannot be read. */
export function* readCheckpoints(journal: string): Generator<Checkpoint> {
  for (const sequence of listSequences(journal)) {
    const checkpoint = readCheckpoint(`${journal}${suffix}${sequence}`)
    if (checkpoint !== null) yield checkpoint
  }
}

/** Returns the sequence of the newest checkpoint beside a journal; 0 if there is none. */
export const newestCheckpointSequence = (journal: string): number => listSequences(journal)[0] ?? 0

/** Deletes all checkpoints beside a journal, as far as the disk allows. Those that remain match no journal and are ignored. */
export function deleteCheckpoints(journal: string): void {
  try {
    deleteAllBut(journal, [])
  } catch {}
}

/** Deletes all checkpoints but those with these sequences, and the unfinished ones of killed processes. */
function deleteAllBut(journal: string, kept: readonly number[]): void {
  const names = new Set(kept.map(String))
  for (const name of listNames(journal)) if (!names.has(name)) rmSync(`${journal}${suffix}${name}`)
}

/** Lists the sequences of the checkpoints beside a journal, largest first. */
function listSequences(journal: string): readonly number[] {
  return listNames(journal)
    .filter((name) => !name.endsWith(unfinished))
    .map(Number)
    .sort((left, right) => right - left)
}

/** Lists the endings of the names of the checkpoints beside a journal: their sequences, with `.tmp` while being written. */
function listNames(journal: string): readonly string[] {
  const folder = dirname(journal)
  if (!existsSync(folder)) return []
  const start = `${basename(journal)}${suffix}`
  return readdirSync(folder)
    .filter((name) => name.startsWith(start))
    .map((name) => name.slice(start.length))
    .filter((name) => /^\d{1,15}(\.tmp)?$/.test(name))
}

function readCheckpoint(path: string): Checkpoint | null {
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

/** Computes the seal of a checkpoint. The check of the document covers its whole content. */
function computeSeal(
  { offset, hash, sequence, check }: Omit<Checkpoint, 'snapshot'>,
  documentCheck: unknown,
): string {
  return seal(hash, JSON.stringify({ offset, sequence, check, documentCheck })).hash
}

/**
 * A position in a journal with the state of the world there, from which a replay may start. Of the lines before it only the
 * hashes are checked.
 */
export interface Checkpoint {
  readonly offset: number
  readonly hash: string
  readonly sequence: number
  readonly check: number
  readonly snapshot: WorldSnapshot
}
