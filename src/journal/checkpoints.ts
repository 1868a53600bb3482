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
 * Checkpoints: snapshots beside a journal file, so that a long journal need not be replayed from its start. They save
 * time, so one that is missing or damaged does no harm; and they prove the lines before them, so that it is seen when
 * those are gone.
 */

const snapshotsKept = 2
/** The ending of the name of a checkpoint's file, before the sequence. */
export const checkpointEnding = '.snapshot-'
const unfinished = '.tmp'
const bytesInPiece = 1_048_576

/**
 * Writes a checkpoint beside a journal, whole or not at all: to a temporary file that is then renamed. If the disk does
 * not accept it, there is none. It yields between pieces, and once at the beginning, because a world with many orders
 * has millions of bytes. `syncJournal` forces the journal's own lines to the disk first, so that after a power cut no
 * checkpoint proves lines that the disk never had.
 */
export function* writeCheckpoint(
  journal: string,
  checkpoint: Checkpoint,
  syncJournal: () => void = () => undefined,
): Generator<undefined, void, undefined> {
  const { snapshot, ...place } = checkpoint
  const path = `${journal}${checkpointEnding}${place.sequence}`
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
    syncJournal()
    renameSync(beside, path)
    syncParentFolder(path)
    deleteAllBut(journal, listCheckpoints(journal).slice(0, snapshotsKept))
  } catch {
    rmSync(beside, { force: true })
  }
}

/** Reads the checkpoints beside a journal, newest first, and skips those that cannot be read. */
export function* readCheckpoints(journal: string): Generator<Checkpoint> {
  for (const sequence of listCheckpoints(journal)) {
    const checkpoint = readCheckpoint(journal, sequence)
    if (checkpoint !== null) yield checkpoint
  }
}

/** Returns the sequence of the newest checkpoint beside a journal; 0 if there is none. */
export const newestCheckpointSequence = (journal: string): number => listCheckpoints(journal)[0] ?? 0

/** Deletes all checkpoints beside a journal. Throws what the file system throws. */
export const deleteCheckpoints = (journal: string): void => deleteAllBut(journal, [])

/** Lists the sequences of the checkpoints beside a journal, largest first. */
export function listCheckpoints(journal: string): readonly number[] {
  return listNames(journal)
    .filter((name) => !name.endsWith(unfinished))
    .map(Number)
    .sort((left, right) => right - left)
}

/** Reads a checkpoint beside a journal by its sequence. Returns null if it cannot be read, or is damaged. */
export function readCheckpoint(journal: string, sequence: number): Checkpoint | null {
  try {
    const json: unknown = JSON.parse(readFileSync(`${journal}${checkpointEnding}${sequence}`, 'utf8'))
    return isObject(json) ? decodeCheckpoint(json) : null
  } catch {
    return null
  }
}

/** Deletes all checkpoints but those with these sequences, and the unfinished ones of killed processes. */
function deleteAllBut(journal: string, kept: readonly number[]): void {
  const names = new Set(kept.map(String))
  for (const name of listNames(journal)) if (!names.has(name)) rmSync(`${journal}${checkpointEnding}${name}`)
}

/** Lists the endings of the names of the checkpoints beside a journal: their sequences, with `.tmp` while being written. */
function listNames(journal: string): readonly string[] {
  const folder = dirname(journal)
  if (!existsSync(folder)) return []
  const start = `${basename(journal)}${checkpointEnding}`
  return readdirSync(folder)
    .filter((name) => name.startsWith(start))
    .map((name) => name.slice(start.length))
    .filter((name) => /^[1-9]\d{0,14}(\.tmp)?$/.test(name))
}

function decodeCheckpoint(json: { readonly [field: string]: unknown }): Checkpoint | null {
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
