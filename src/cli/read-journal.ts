import { closeSync, openSync, readSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Line, linesOfBytes, linesOfFile, type ReadJournal, readEntries } from '../journal/lines.ts'
import {
  findMissingLines,
  formatMissingLines,
  type MissingLines,
  type ProvenLines,
  readProofs,
} from '../journal/missing-lines.ts'
import { findKnownBook, rememberBook } from '../market/books/known-books.ts'
import { formatDamage, formatDivergence, type Replay } from '../world/journals/replay.ts'
import { CliFailure, dataFailure, exitCode, systemReason } from './failure.ts'
import { detectFileKind, journalKind, readFile } from './files.ts'
import { findPreparedBook } from './recordings/books/prepared-book.ts'
import { createPreparedStore } from './recordings/prepared-store.ts'
import type { Terminal } from './terminal.ts'
import { version } from './version.ts'

const maximumPackedBytes = 512 * 1024 * 1024

/**
 * Opens a journal, plain or gzip, and passes its lines to `read`. The recorded books that it names by their hashes are
 * taken from what is prepared in the working directory or beside the journal. Ends the command when the file is not a
 * journal, or lacks lines that files beside it prove (5).
 */
export function withJournal<Value>(
  name: string,
  terminal: Pick<Terminal, 'cwd'>,
  read: (lines: Iterable<Line>) => Value,
): Value {
  const path = resolve(terminal.cwd, name)
  const folders = [terminal.cwd, dirname(path)]
  const beginning = readBeginning(path, name)
  // Read first: the journal may be written at this moment.
  const proofs = readProofs(realpathSync(path))
  if (beginning[0] === 0x1f && beginning[1] === 0x8b) {
    const packed = readFile(terminal.cwd, name, maximumPackedBytes, exitCode.unusableData)
    const bytes = unpack(packed, name)
    refuseOtherKinds(bytes, name)
    return read(openBooks(linesOfBytes(bytes), folders))
  }
  refuseOtherKinds(beginning, name)
  const descriptor = openFile(path, name)
  try {
    refuseMissingLines(name, proofs, descriptor)
    return read(openBooks(linesOfFile(descriptor), folders))
  } finally {
    closeSync(descriptor)
  }
}

/** Passes lines on, and opens the prepared books that the first one, which is the header, names by their hashes. */
function* openBooks(lines: Iterable<Line>, folders: readonly string[]): Generator<Line> {
  let isHeader = true
  for (const line of lines) {
    if (isHeader && line.bytes.includes('"books":')) rememberPrepared(line.bytes.toString(), folders)
    isHeader = false
    yield line
  }
}

function rememberPrepared(header: string, folders: readonly string[]): void {
  for (const [, hash = ''] of header.matchAll(/"hash":"([0-9a-f]{64})"/g)) {
    if (findKnownBook(hash) !== null) continue
    for (const folder of folders) {
      const book = findPreparedBook(createPreparedStore(folder), hash)
      if (book === null) continue
      rememberBook(book)
      break
    }
  }
}

/** The failure for a journal that lacks lines which files beside it prove (5). */
export class MissingLinesFailure extends CliFailure {
  readonly missing: MissingLines

  constructor(shown: string, missing: MissingLines) {
    super(exitCode.unusableData, formatMissingLines(shown, missing))
    this.missing = missing
  }
}

/** Ends the command when a journal lacks lines that files beside it prove. `descriptor` is null when there is no file. */
export function refuseMissingLines(shown: string, proofs: ProvenLines, descriptor: number | null): void {
  const missing = findMissingLines(proofs, descriptor)
  if (missing !== null) throw new MissingLinesFailure(shown, missing)
}

/** Ends the command for a file of another kind, which should not be reported as a damaged journal. */
function refuseOtherKinds(bytes: Buffer, name: string): void {
  const kind = detectFileKind(bytes.toString('utf8', 0, beginningBytes))
  if (kind === null || kind === journalKind) return
  throw dataFailure(`${name} is not a journal of otcsim: it is ${kind}`)
}

const beginningBytes = 4096

function readBeginning(path: string, name: string): Buffer {
  const descriptor = openFile(path, name)
  try {
    const start = Buffer.alloc(beginningBytes)
    return start.subarray(0, readSync(descriptor, start, 0, beginningBytes, 0))
  } catch (error) {
    throw dataFailure(`cannot read ${name}: ${systemReason(error)}`)
  } finally {
    closeSync(descriptor)
  }
}

function unpack(bytes: Buffer, name: string): Buffer {
  try {
    return gunzipSync(bytes)
  } catch {
    throw dataFailure(`cannot read ${name}: it is not a complete gzip file`)
  }
}

function openFile(path: string, name: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    throw dataFailure(`cannot read ${name}: ${systemReason(error)}`)
  }
}

/** Reads all lines of a journal. Ends the command when the journal is damaged. */
export function openEntries(name: string, terminal: Terminal): ReadJournal {
  const journal = withJournal(name, terminal, readEntries)
  if ('reason' in journal) throw journalFailure(name, { kind: 'damaged', damage: journal })
  return journal
}

/** Creates the failure for a journal that is empty or damaged (5), or whose replay diverges (3). */
export function journalFailure(
  shown: string,
  replay: Exclude<Replay, { readonly kind: 'done' }>,
): CliFailure {
  switch (replay.kind) {
    case 'empty':
      return dataFailure(`${shown}: this is not a journal: there is no header`)
    case 'damaged':
      return dataFailure(`${shown}: ${formatDamage(replay.damage)}`)
    case 'diverged': {
      const { header, divergence } = replay
      const versions =
        header.otcsim === version ? '' : ` (recorded by otcsim ${header.otcsim}, this is ${version})`
      return new CliFailure(
        exitCode.determinismBroken,
        `${shown}: ${formatDivergence(divergence)}${versions}`,
      )
    }
  }
}
