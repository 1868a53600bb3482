import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants, gunzipSync } from 'node:zlib'
import type AdmZip from 'adm-zip'
import { findUtf16 } from '../../../shape/decode-text.ts'
import { systemReason } from '../../failure.ts'
import { unreadableReason } from '../../files.ts'
import { listZippedFiles } from '../zip-files.ts'
import { readParquetPieces } from './parquet-pieces.ts'
import { type PackedFile, unpackAside } from './unpack-aside.ts'

/*
 * The bytes of a file of any size in pieces, plain, gzip, zip or Parquet. Reading is synchronous, as all reading of
 * recordings is. A large compressed file is unpacked by a thread while it is read, so that it never is in memory whole.
 */

const pieceBytes = 1024 * 1024
/** Files of at most so many bytes are unpacked in memory. */
const smallBytes = 12 * 1024 * 1024
const smallUnpackedBytes = 128 * 1024 * 1024

/** How the pieces of a file have ended. */
export interface PiecesEnd {
  /** Why the file has no end, such as a broken compression; null where it has one. */
  readonly cut: string | null
}

/** The file cannot be read at all. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

/** Reads the beginning of a file, some megabytes of it, without unpacking the rest. Throws an UnreadableFile. */
export function* readBeginning(path: string): Generator<Uint8Array, PiecesEnd> {
  const problem = unreadableReason(path)
  if (problem !== null) throw new UnreadableFile(problem)
  const head = readHead(path, beginningBytes)
  if (head[0] !== 0x1f || head[1] !== 0x8b) return yield* readPieces(path)
  try {
    yield* cutPieces(gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH }))
  } catch {}
  return whole
}

const beginningBytes = 1024 * 1024

/**
 * Reads a file piece by piece; a piece is valid until the next one is asked for. Returns how it has ended. Throws an
 * UnreadableFile that says why nothing can be read.
 */
export function* readPieces(path: string): Generator<Uint8Array, PiecesEnd> {
  const problem = unreadableReason(path)
  if (problem !== null) throw new UnreadableFile(problem)
  const head = readHead(path, 4)
  if (head[0] === 0x1f && head[1] === 0x8b) return yield* readGzip(path)
  if (head.length >= 4 && head.readUInt32LE(0) === 0x04034b50) return yield* readZip(path)
  if (head.length >= 4 && head.readUInt32LE(0) === 0xfd2fb528)
    throw new UnreadableFile('it is compressed with zstd; zstd -d unpacks it')
  if (head.toString('latin1', 0, 4) === 'PAR1') return yield* readParquet(path)
  if (findUtf16(head) !== null) throw new UnreadableFile('it is UTF-16; save it as UTF-8')
  return yield* readPlain(path)
}

/** Computes the SHA-256 of a file of any size. Throws an UnreadableFile. */
export function hashFile(path: string): Buffer {
  const problem = unreadableReason(path)
  if (problem !== null) throw new UnreadableFile(problem)
  const hash = createHash('sha256')
  for (const piece of readPlain(path)) hash.update(piece)
  return hash.digest()
}

function readHead(path: string, bytes: number): Buffer {
  const file = openSync(path, 'r')
  try {
    const head = Buffer.alloc(bytes)
    return head.subarray(0, readSync(file, head, 0, bytes, 0))
  } finally {
    closeSync(file)
  }
}

function* readPlain(path: string): Generator<Uint8Array, PiecesEnd> {
  const file = openSync(path, 'r')
  try {
    const buffer = new Uint8Array(pieceBytes)
    for (;;) {
      const count = readSync(file, buffer, 0, pieceBytes, null)
      if (count === 0) return whole
      yield buffer.subarray(0, count)
    }
  } catch (error) {
    throw new UnreadableFile(systemReason(error))
  } finally {
    closeSync(file)
  }
}

function* readParquet(path: string): Generator<Uint8Array, PiecesEnd> {
  try {
    yield* readParquetPieces(path)
    return whole
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UnreadableFile(`it is Parquet that cannot be read: ${reason}`)
  }
}

const whole: PiecesEnd = { cut: null }

function* cutPieces(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes)
}

function* readGzip(path: string): Generator<Uint8Array, PiecesEnd> {
  if (statSync(path).size <= smallBytes) {
    const unpacked = gunzipSmall(readFileSync(path))
    if (unpacked !== null) {
      yield* cutPieces(unpacked.bytes)
      return unpacked.end
    }
  }
  return yield* readUnpacked({ stream: 'createGunzip', packed: path })
}

/** Unpacks gzip in memory; null for what is too large. What a file that is cut off has is unpacked, too. */
function gunzipSmall(packed: Buffer): { readonly bytes: Uint8Array; readonly end: PiecesEnd } | null {
  const options = { maxOutputLength: smallUnpackedBytes, chunkSize: guessUnpackedBytes(packed) }
  try {
    return { bytes: gunzipSync(packed, options), end: whole }
  } catch (error) {
    if (isTooLarge(error)) return null
  }
  try {
    const bytes = gunzipSync(packed, { ...options, finishFlush: constants.Z_SYNC_FLUSH })
    return { bytes, end: { cut: brokenGzip } }
  } catch {
    return { bytes: new Uint8Array(0), end: { cut: brokenGzip } }
  }
}

/** Returns the length that the end of a gzip file states, within bounds: unpacked in one piece, nothing is copied. */
function guessUnpackedBytes(packed: Buffer): number {
  const stated = packed.length < 4 ? 0 : packed.readUInt32LE(packed.length - 4)
  return Math.max(pieceBytes, Math.min(stated + 1, smallUnpackedBytes))
}

const brokenGzip = 'the gzip file is not complete'
const brokenZip = 'the zip file is not complete'

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'

/** Reads what is unpacked by a thread. */
function* readUnpacked(packed: PackedFile): Generator<Uint8Array, PiecesEnd> {
  const failure = yield* unpackAside(packed)
  if (failure === null) return whole
  if (!failure.isBroken) throw new UnreadableFile(failure.reason)
  return { cut: packed.stream === 'createGunzip' ? brokenGzip : brokenZip }
}

/** Reads a zip archive of one file, as exchanges publish them. */
function* readZip(path: string): Generator<Uint8Array, PiecesEnd> {
  const entry = openZipEntry(path)
  const { method, size } = entry.header
  if (size <= smallUnpackedBytes || method === 0) {
    const bytes = unzip(() => entry.getData())
    if (bytes === null) return { cut: brokenZip }
    yield* cutPieces(bytes)
    return whole
  }
  const packed = unzip(() => entry.getCompressedData())
  return packed === null ? { cut: brokenZip } : yield* readUnpacked({ stream: 'createInflateRaw', packed })
}

function unzip(read: () => Buffer): Buffer | null {
  try {
    return read()
  } catch {
    return null
  }
}

function openZipEntry(path: string): AdmZip.IZipEntry {
  // Loaded only for zip files, which most users do not have.
  const Archive: typeof AdmZip = createRequire(import.meta.url)('adm-zip')
  const files = unzipList(() => listZippedFiles(new Archive(path)))
  const [file] = files
  if (file === undefined) throw new UnreadableFile('it holds no file')
  if (files.length > 1)
    throw new UnreadableFile(`it holds ${files.length} files; unpack it and name the ones to use`)
  const { entryName, header } = file
  if (header.encrypted || (header.method !== 0 && header.method !== 8))
    throw new UnreadableFile(`${entryName} in it is encrypted or compressed by an unknown method`)
  return file
}

function unzipList(read: () => readonly AdmZip.IZipEntry[]): readonly AdmZip.IZipEntry[] {
  try {
    return read()
  } catch {
    throw new UnreadableFile('it is not a complete zip file')
  }
}
