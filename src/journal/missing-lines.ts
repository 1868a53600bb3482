import { fstatSync, readSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isObject } from '../api/json.ts'
import {
  type Checkpoint,
  checkpointEnding,
  deleteCheckpoints,
  listCheckpoints,
  readCheckpoint,
} from './checkpoints.ts'
import { lastLineEnding, readLastLine } from './last-line.ts'
import { linesOfFile, readHash } from './lines.ts'

/*
 * A journal that is shorter than what files beside it prove has lost lines that were acknowledged. Nobody may go on
 * with it, or judge it as if it were whole, before those files were moved aside.
 */

/** What the files beside a journal prove of it. */
export interface ProvenLines {
  /** The journal's path, under which the files beside it are found. */
  readonly journal: string
  /** The lines that the journal must have, one for each file that is needed to know whether it is whole. */
  readonly lines: readonly ProvenLine[]
  /** The newest checkpoint that can be read; null when there is none. */
  readonly checkpoint: Checkpoint | null
  /** The endings of the names of checkpoints that cannot be read, and are newer than the one that can. */
  readonly unreadable: readonly string[]
}

/** A line that a journal must have. */
interface ProvenLine {
  /** The ending of the name of the file that proves it, such as `.last`. */
  readonly ending: string
  readonly sequence: number
  /** Where the line ends, and its hash; null if the file cannot be read and only its name says which line it was. */
  readonly place: { readonly offset: number; readonly hash: string } | null
}

/**
 * Reads what the files beside a journal prove. They are read before the journal itself, so that what another process writes
 * meanwhile cannot seem to be missing.
 */
export function readProofs(journal: string): ProvenLines {
  const last = readLastLine(journal)
  const lines: ProvenLine[] = last === null ? [] : [toProvenLine(lastLineEnding, last)]
  const unreadable: string[] = []
  for (const sequence of listCheckpoints(journal)) {
    const ending = `${checkpointEnding}${sequence}`
    const checkpoint = readCheckpoint(journal, sequence)
    lines.push(checkpoint === null ? { ending, sequence, place: null } : toProvenLine(ending, checkpoint))
    if (checkpoint !== null) return { journal, lines, checkpoint, unreadable }
    unreadable.push(ending)
  }
  return { journal, lines, checkpoint: null, unreadable }
}

const toProvenLine = (
  ending: string,
  { sequence, offset, hash }: { readonly sequence: number; readonly offset: number; readonly hash: string },
): ProvenLine => ({ ending, sequence, place: { offset, hash } })

/** Acknowledged lines that a journal lacks, though files beside it prove them. */
export interface MissingLines {
  /**
   * What is wrong: there is no file (`absent`), or not even a whole first line (`headless`); it ends too early
   * (`short`); it has other lines (`other`).
   */
  readonly kind: 'absent' | 'headless' | 'short' | 'other'
  /** The number of the journal's last whole line; 0 when it has none after its first. */
  readonly last: number
  /** The number of the last line that is proven. */
  readonly proven: number
  /** The names of the files that prove lines which the journal lacks. */
  readonly files: readonly string[]
}

/**
 * Finds what a journal lacks of the lines that files beside it prove; null if it has them all. `descriptor` is the open
 * journal, null when there is none. A line is known by its hash, which covers all lines before it.
 */
export function findMissingLines(proofs: ProvenLines, descriptor: number | null): MissingLines | null {
  const { journal, lines } = proofs
  let found: FoundLine | null = null
  const findLast = () => {
    found ??= descriptor === null ? nothingFound : findLastLine(descriptor)
    return found
  }
  const isHeld = ({ place, sequence }: ProvenLine): boolean =>
    place === null || descriptor === null
      ? findLast().sequence >= sequence && findLast().hasHeader
      : hasLine(descriptor, place)
  if (lines.every(isHeld)) return null
  const lacking = [...lines, ...listOlderCheckpoints(proofs)].filter((line) => !isHeld(line))
  const { sequence: last, hasHeader } = findLast()
  const proven = Math.max(...lacking.map(({ sequence }) => sequence))
  const kindOfFile = proven > last ? 'short' : 'other'
  const kind = descriptor === null ? 'absent' : hasHeader ? kindOfFile : 'headless'
  return { kind, last, proven, files: lacking.map(({ ending }) => `${journal}${ending}`) }
}

/** Lists the checkpoints that need not be looked at while a newer one agrees with its journal. */
function listOlderCheckpoints({ journal, checkpoint }: ProvenLines): ProvenLine[] {
  return listCheckpoints(journal)
    .filter((sequence) => checkpoint !== null && sequence < checkpoint.sequence)
    .map((sequence) => {
      const ending = `${checkpointEnding}${sequence}`
      const older = readCheckpoint(journal, sequence)
      return older === null ? { ending, sequence, place: null } : toProvenLine(ending, older)
    })
}

/** Returns whether a line with this hash ends at this offset. Its line end may be missing at the end of the file. */
function hasLine(
  descriptor: number,
  { offset, hash }: { readonly offset: number; readonly hash: string },
): boolean {
  if (fstatSync(descriptor).size < offset - 1) return false
  const bytes = Buffer.alloc(Math.min(hash.length + 4, offset))
  const length = readSync(descriptor, bytes, 0, bytes.length, offset - bytes.length)
  const text = bytes.toString('latin1', 0, length)
  return text.trimEnd().endsWith(`"${hash}"}`)
}

interface FoundLine {
  readonly hasHeader: boolean
  readonly sequence: number
}

const nothingFound: FoundLine = { hasHeader: false, sequence: 0 }

/** Finds the last whole line of a journal. Lines are taken as they are: their chain is checked when they are repeated. */
function findLastLine(descriptor: number): FoundLine {
  let last: Buffer | null = null
  for (const { bytes } of linesOfFile(descriptor)) if (readHash(bytes) !== null) last = bytes
  if (last === null) return nothingFound
  const sequence = readSequence(last)
  return { hasHeader: true, sequence }
}

/** Reads the number of a line; of a first line, that of the state in which it began. */
function readSequence(line: Buffer): number {
  try {
    const json: unknown = JSON.parse(line.toString('utf8'))
    if (!isObject(json)) return 0
    const { sequence, start } = json
    if (typeof sequence === 'number') return sequence
    const snapshot = isObject(start) ? start['snapshot'] : null
    return isObject(snapshot) && typeof snapshot['sequence'] === 'number' ? snapshot['sequence'] : 0
  } catch {
    return 0
  }
}

/** Deletes the files beside a journal that prove its lines. Throws what the file system throws. */
export function deleteProofs(journal: string): void {
  deleteCheckpoints(journal)
  rmSync(`${journal}${lastLineEnding}`, { force: true })
}

/** Returns the name of the journal that a file with this name proves lines of; null for all other files. */
export const journalOfProof = (name: string): string | null =>
  /^(.+)\.(?:last|snapshot-\d{1,15})$/.exec(name)?.[1] ?? null

/** Describes missing lines, and how to go on. `shown` is the journal's name as its user knows it. */
export function formatMissingLines(shown: string, { kind, last, proven, files }: MissingLines): string {
  const names = files.map((file) => join(dirname(shown), basename(file))).join(' and ')
  const proof = `${names} ${files.length === 1 ? 'proves' : 'prove'} ${proven === 0 ? 'that it had begun' : `#${proven}`}`
  const count = proven - last
  const loss = count > 0 ? `: ${count} acknowledged ${count === 1 ? 'line is' : 'lines are'} missing` : ''
  switch (kind) {
    case 'absent':
      return `there is no ${shown}, but ${proof}${loss}. Put the file back, or move ${names} aside to begin anew`
    case 'headless':
      return `${shown} does not begin as an otcsim journal, but ${proof}${loss}. Put the whole file back, or move it and ${names} aside to begin anew`
    case 'short':
      return `${shown} ends with ${last === 0 ? 'its first line' : `#${last}`}, but ${proof}${loss}. Put the whole file back, or move ${names} aside to go on without them`
    case 'other':
      return `${shown} is not the file that it was: ${proof}, and that is not in it. Put the right file back, or move ${names} aside to go on with this one`
  }
}
