import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { isObject, parseJson } from '../../api/json.ts'

/*
 * The file of a prepared recording: columns of numbers one after the other, and behind them an index with what is to be
 * known of them. Every part has a checksum (CRC-32), so that damage is found when the part is read.
 */

/** A column of numbers, in the byte order of the machine. */
export type PreparedColumn = Float64Array | Int32Array | Uint32Array | Uint8Array

/** The error for a prepared file that is not as it was written. Whoever meets it prepares the recording again. */
export class PreparedFileError extends Error {
  override readonly name = 'PreparedFileError'

  constructor(path: string, what: string) {
    super(`the prepared recording ${path} is damaged: ${what}; delete it, and it is made again`)
  }
}

const magic = 'otcsim\u0000\u0001'
const alignmentBytes = 8
/** The end of a file: where its index begins, how long it is, its checksum, and the mark again. */
const trailerBytes = 24
const columnTypes = { Float64Array, Int32Array, Uint32Array, Uint8Array } as const

interface Part {
  readonly name: string
  readonly type: keyof typeof columnTypes
  readonly offset: number
  readonly bytes: number
  readonly check: number
}

/** Writes the columns of a prepared file, in any number and order; `finish` writes the index. */
export class PreparedWriter {
  private readonly file: number
  private readonly parts: Part[] = []
  private place = 0

  /** Starts a file that does not exist yet. Throws what the file system throws. */
  constructor(path: string) {
    this.file = openSync(path, 'wx')
    this.write(Buffer.from(magic, 'latin1'))
  }

  /** Appends a column. A name that is there already replaces nothing: the first one counts. */
  add(name: string, column: PreparedColumn): void {
    const bytes = Buffer.from(column.buffer, column.byteOffset, column.byteLength)
    this.parts.push({
      name,
      type: typeOf(column),
      offset: this.place,
      bytes: bytes.length,
      check: crc32(bytes),
    })
    this.write(bytes)
    this.write(Buffer.alloc((alignmentBytes - (bytes.length % alignmentBytes)) % alignmentBytes))
  }

  /** Writes the index. `facts` are what is to be known of the columns, as JSON. */
  finish(facts: unknown, madeAtMillis: number): void {
    const index = Buffer.from(JSON.stringify({ madeAtMillis, facts, parts: this.parts }), 'utf8')
    const trailer = Buffer.alloc(trailerBytes)
    trailer.writeDoubleLE(this.place, 0)
    trailer.writeUInt32LE(index.length, 8)
    trailer.writeUInt32LE(crc32(index), 12)
    trailer.write(magic, 16, 'latin1')
    this.write(index)
    this.write(trailer)
  }

  close(): void {
    closeSync(this.file)
  }

  private write(bytes: Buffer): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.file, bytes, done)
    this.place += bytes.length
  }
}

function typeOf(column: PreparedColumn): Part['type'] {
  if (column instanceof Float64Array) return 'Float64Array'
  if (column instanceof Int32Array) return 'Int32Array'
  return column instanceof Uint32Array ? 'Uint32Array' : 'Uint8Array'
}

/** A prepared file that is open for reading: its index is in memory, its columns are read when asked for. */
export class PreparedFile {
  /** When the file was made, milliseconds since 1970. */
  readonly madeAtMillis: number
  /** What the maker of the file noted of its columns, as JSON: the argument of `finish`. */
  readonly facts: unknown
  private readonly path: string
  private readonly file: number
  private readonly parts: ReadonlyMap<string, Part>

  /** Opens a file. Throws a PreparedFileError, or what the file system throws. */
  constructor(path: string) {
    this.path = path
    this.file = openSync(path, 'r')
    try {
      const index = this.readIndex()
      this.madeAtMillis = index.madeAtMillis
      this.facts = index.facts
      this.parts = new Map(index.parts.toReversed().map((part) => [part.name, part]))
    } catch (error) {
      this.close()
      throw error
    }
  }

  /** Returns whether there is a column of a name. */
  has(name: string): boolean {
    return this.parts.has(name)
  }

  /** Reads a column of doubles whole. Throws a PreparedFileError where it is not as it was written. */
  readFloat64(name: string): Float64Array {
    const bytes = this.readPart(name, 'Float64Array')
    return new Float64Array(bytes.buffer, 0, bytes.length / Float64Array.BYTES_PER_ELEMENT)
  }

  /** Reads a column of signed integers of 32 bits whole. Throws a PreparedFileError where it is not as it was written. */
  readInt32(name: string): Int32Array {
    const bytes = this.readPart(name, 'Int32Array')
    return new Int32Array(bytes.buffer, 0, bytes.length / Int32Array.BYTES_PER_ELEMENT)
  }

  /** Reads a column of unsigned integers of 32 bits whole. Throws a PreparedFileError where it is not as it was written. */
  readUint32(name: string): Uint32Array {
    const bytes = this.readPart(name, 'Uint32Array')
    return new Uint32Array(bytes.buffer, 0, bytes.length / Uint32Array.BYTES_PER_ELEMENT)
  }

  /** Reads a column of bytes whole. Throws a PreparedFileError where it is not as it was written. */
  readUint8(name: string): Uint8Array {
    return this.readPart(name, 'Uint8Array')
  }

  close(): void {
    closeSync(this.file)
  }

  private readPart(name: string, type: Part['type']): Uint8Array<ArrayBuffer> {
    const part = this.parts.get(name)
    if (part === undefined || part.type !== type) throw new PreparedFileError(this.path, `it has no ${name}`)
    const bytes = this.read(part.offset, part.bytes)
    if (crc32(bytes) !== part.check) throw new PreparedFileError(this.path, `${name} has changed`)
    return bytes
  }

  private readIndex() {
    const { size } = fstatSync(this.file)
    if (size < magic.length + trailerBytes) throw new PreparedFileError(this.path, 'it is cut off')
    const trailer = Buffer.from(this.read(size - trailerBytes, trailerBytes))
    const [offset, length] = [trailer.readDoubleLE(0), trailer.readUInt32LE(8)]
    const isAtEnd = Number.isSafeInteger(offset) && offset + length + trailerBytes === size
    if (trailer.toString('latin1', 16) !== magic || !isAtEnd)
      throw new PreparedFileError(this.path, 'it is cut off')
    const bytes = Buffer.from(this.read(offset, length))
    if (crc32(bytes) !== trailer.readUInt32LE(12))
      throw new PreparedFileError(this.path, 'its index has changed')
    const index = parseJson(bytes.toString('utf8'))
    const madeAtMillis = isObject(index) ? index['madeAtMillis'] : null
    const parts = isObject(index) ? index['parts'] : null
    if (!isObject(index) || typeof madeAtMillis !== 'number' || !Array.isArray(parts) || !parts.every(isPart))
      throw new PreparedFileError(this.path, 'its index is of another kind')
    return { madeAtMillis, facts: index['facts'], parts }
  }

  private read(offset: number, length: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(length)
    for (let done = 0; done < length; ) {
      const count = readSync(this.file, bytes, done, length - done, offset + done)
      if (count === 0) throw new PreparedFileError(this.path, 'it is cut off')
      done += count
    }
    return bytes
  }
}

const isPart = (value: unknown): value is Part =>
  isObject(value) &&
  typeof value['name'] === 'string' &&
  typeof value['type'] === 'string' &&
  Number.isSafeInteger(value['offset']) &&
  Number.isSafeInteger(value['bytes']) &&
  typeof value['check'] === 'number'
