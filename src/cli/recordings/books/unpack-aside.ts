import process from 'node:process'
import { Worker } from 'node:worker_threads'

/*
 * Unpacks while somebody reads, who waits without promises, as all reading of recordings does. A thread unpacks piece by
 * piece into a few places of shared memory, and rests while none is free: a file of any size takes the memory of those.
 */

/** What is to be unpacked: the content of a file, or bytes. */
export interface PackedFile {
  readonly stream: 'createGunzip' | 'createInflateRaw'
  readonly packed: string | Uint8Array
}

/** Why the unpacking has ended before its end; null where it has not. */
export type UnpackFailure = {
  /** Whether the packed bytes are the reason, such as those of a file that is cut off. */
  readonly isBroken: boolean
  readonly reason: string
} | null

const pieceBytes = 1024 * 1024
const placeCount = 4
/** How long to wait for a piece, in milliseconds. Network disks can be slow. */
const patienceMillis = 120_000

/**
 * Unpacks in a thread, piece by piece; a piece is valid until the next one is asked for. What comes before a failure is given
 * first, as far as it can be unpacked. Throws what the system says where there can be no thread.
 */
export function* unpackAside({ packed, stream }: PackedFile): Generator<Uint8Array, UnpackFailure> {
  const counts = new Int32Array(new SharedArrayBuffer(4 * 2))
  const lengths = new Int32Array(new SharedArrayBuffer(4 * placeCount))
  const places = new Uint8Array(new SharedArrayBuffer(pieceBytes * placeCount))
  const thread = new Worker(threadSource, {
    eval: true,
    // Options of this process, such as loaders of TypeScript, are not for plain JavaScript.
    execArgv: [],
    env: { ...process.env, NODE_OPTIONS: '' },
    workerData: { stream, packed, counts, lengths, places, pieceBytes, placeCount },
  })
  thread.unref()
  thread.on('error', () => undefined)
  try {
    const piece = new Uint8Array(pieceBytes)
    for (let taken = 0; ; taken += 1) {
      if (Atomics.wait(counts, made, taken, patienceMillis) === 'timed-out')
        return { isBroken: false, reason: `nothing more was unpacked within ${patienceMillis / 1000} s` }
      const place = taken % placeCount
      const length = lengths[place] ?? 0
      piece.set(places.subarray(place * pieceBytes, place * pieceBytes + Math.abs(length)))
      if (length <= 0) return length === 0 ? null : readFailure(piece.subarray(0, -length))
      Atomics.store(counts, free, taken + 1)
      Atomics.notify(counts, free)
      yield piece.subarray(0, length)
    }
  } finally {
    void thread.terminate()
  }
}

/** The number of places that were filled, and of those that were read, in `counts`. */
const [made, free] = [0, 1]

/** Reads what the thread says of a failure: the code of the system, and words. */
function readFailure(bytes: Uint8Array): UnpackFailure {
  const reason = new TextDecoder().decode(bytes)
  return { isBroken: reason.startsWith('Z_'), reason }
}

/**
 * What the thread runs, as plain JavaScript: neither a bundler nor a test runner has to find a file of its own. A
 * length of 0 is the end, one below it that of a failure's words. Each piece is copied in the call that brings it, so
 * that none waits in a stream that then fails.
 */
const threadSource = `
const { workerData } = require('node:worker_threads')
const { stream, packed, counts, lengths, places, pieceBytes, placeCount } = workerData
let made = 0
function put(bytes, length) {
  for (let free; made - (free = Atomics.load(counts, 1)) >= placeCount; ) Atomics.wait(counts, 1, free)
  places.set(bytes, (made % placeCount) * pieceBytes)
  lengths[made % placeCount] = length
  made += 1
  Atomics.store(counts, 0, made)
  Atomics.notify(counts, 0)
}
function fail(error) {
  const words = Buffer.from([error.code, error.message].join(' ')).subarray(0, 200)
  put(words, -words.length)
}
const unpacking = require('node:zlib')[stream]({ chunkSize: pieceBytes })
unpacking.on('data', (bytes) => put(bytes, bytes.length)).on('end', () => put([], 0)).on('error', fail)
if (typeof packed === 'string')
  require('node:fs').createReadStream(packed, { highWaterMark: pieceBytes }).on('error', fail).pipe(unpacking)
else unpacking.end(packed)
`
