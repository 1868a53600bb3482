import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { type Line, linesOfFile, seal } from './lines.ts'

const groupMillis = 5
/** How much must fit before a disk that was full counts as free again. */
const probeBytes = 4096

/** Lines are only ever added. Each line is one write; a line that does not fit leaves no trace. */
export class JournalFile {
  readonly path: string
  private readonly descriptor: number
  private readonly policy: SyncPolicy
  private lastHash = ''
  private endOffset = 0
  private hasPartialLine = false
  private failure: string | null = null
  private isBroken = false
  private largestLine = probeBytes
  private timer: NodeJS.Timeout | null = null
  private readers = 0
  private isClosed = false

  /** Throws what the file system throws. The caller holds the lock. */
  constructor(path: string, policy: SyncPolicy) {
    const isNew = !existsSync(path)
    this.path = path
    this.policy = policy
    this.descriptor = openSync(path, isNew ? 'wx+' : 'r+', 0o644)
    if (isNew) syncParentFolder(path)
  }

  /**
   * The file from the start of a line on. It is read by the descriptor, because somebody may have deleted or moved the
   * file, which then stays open until all have read it.
   */
  *lines(from = 0): Generator<Line> {
    if (this.isClosed) return
    this.readers += 1
    try {
      yield* linesOfFile(this.descriptor, from)
    } finally {
      this.readers -= 1
      this.closeUnread()
    }
  }

  get bytes(): number {
    return fstatSync(this.descriptor).size
  }

  /** Where the next line goes, and the hash of the line before it. */
  get end(): { readonly offset: number; readonly hash: string } {
    return { offset: this.endOffset, hash: this.lastHash }
  }

  /** Lines go behind this place from now on. What stands there is cut off, and kept in a file of its own. */
  continueAt(offset: number, hash: string, sequence: number, torn: Buffer | null): void {
    if (torn !== null && torn.length > 0) writeFileSync(`${this.path}.torn-${sequence}`, torn)
    ftruncateSync(this.descriptor, offset)
    if (offset > 0) writeSync(this.descriptor, '\n', offset - 1) // the last line may have lacked only its line end
    if (torn !== null) {
      fsyncSync(this.descriptor)
      syncParentFolder(this.path)
    }
    this.endOffset = offset
    this.lastHash = hash
  }

  /** Why nothing can be written at present; null when it can. */
  get problem(): string | null {
    return this.failure
  }

  /** Adds one line. Throws `JournalUnwritable` when it could not be written whole; the file is then as it was. */
  append(object: string): void {
    const { line, hash } = seal(this.lastHash, object)
    const bytes = Buffer.from(`${line}\n`)
    this.largestLine = Math.max(this.largestLine, bytes.length)
    this.writeBytes(bytes)
    if (this.policy === 'always') this.syncOrCut()
    this.lastHash = hash
    this.endOffset += bytes.length
    if (this.policy === 'group') this.syncSoon()
  }

  /** Whether writing works again. Tries it with as much as the largest line so far. */
  tryAgain(): boolean {
    if (this.failure === null) return true
    if (this.isBroken) return false
    try {
      this.writeBytes(Buffer.alloc(this.largestLine, ' '))
      this.cut()
    } catch {
      return false
    }
    this.failure = null
    return true
  }

  close(): void {
    if (this.timer !== null) this.sync()
    this.isClosed = true
    this.closeUnread()
  }

  private closeUnread(): void {
    if (this.isClosed && this.readers === 0) closeSync(this.descriptor)
  }

  private syncSoon(): void {
    this.timer ??= setTimeout(() => {
      try {
        this.sync()
      } catch {} // the next line throws
    }, groupMillis).unref()
  }

  private writeBytes(bytes: Buffer): void {
    if (this.isBroken) throw new JournalUnwritable(this.path, this.failure ?? '')
    try {
      if (this.hasPartialLine) this.cut()
      this.hasPartialLine = true
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(this.descriptor, bytes, done, bytes.length - done, this.endOffset + done)
      }
      this.hasPartialLine = false
    } catch (error) {
      this.failure = systemCode(error)
      this.tryToCut()
      throw new JournalUnwritable(this.path, this.failure)
    }
  }

  private cut(): void {
    ftruncateSync(this.descriptor, this.endOffset)
    this.hasPartialLine = false
  }

  /** Tries to cut off what a failed write has left behind; else that is done before the next line. */
  private tryToCut(): void {
    try {
      this.cut()
    } catch {
      this.hasPartialLine = true
    }
  }

  /** A line that may not be on the disk is no line: its caller is told that nothing has changed. */
  private syncOrCut(): void {
    try {
      this.sync()
    } catch (failure) {
      this.tryToCut()
      throw failure
    }
  }

  /**
   * After a failed sync nobody knows what is on the disk, and a second sync would report success: the file is not
   * written again by this process.
   */
  private sync(): void {
    if (this.timer !== null) clearTimeout(this.timer)
    this.timer = null
    try {
      fdatasyncSync(this.descriptor)
    } catch (error) {
      this.isBroken = true
      this.failure = systemCode(error)
      throw new JournalUnwritable(this.path, this.failure)
    }
  }
}

/** A new name in a folder survives a crash once the folder is synced. Not every system lets a folder be opened. */
export function syncParentFolder(path: string): void {
  try {
    const folder = openSync(dirname(path), 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  } catch {}
}

/**
 * When what was written is forced to the disk. `os`: when the system likes, which survives the end of the process but
 * not a power cut. `group`: within 5 ms. `always`: before the answer.
 */
export const syncPolicies = ['os', 'group', 'always'] as const
export type SyncPolicy = (typeof syncPolicies)[number]

/** The journal cannot be written, so nothing may change. */
export class JournalUnwritable extends Error {
  override readonly name = 'JournalUnwritable'
  /** The system's short name of what is wrong, such as ENOSPC, where it is the system that says so. */
  readonly code: string
  readonly path: string

  constructor(path: string, code: string, message = code) {
    super(message)
    this.path = path
    this.code = code
  }
}

/** Acts if what follows can be written down. What cannot be does not happen; that is for what nobody is told of. */
export function ifWritable(act: () => void): void {
  try {
    act()
  } catch (failure) {
    if (!(failure instanceof JournalUnwritable)) throw failure
  }
}

/**
 * Makes a folder and those that it is in, one by one. Node's own recursion never ends where a file system cannot make
 * folders, such as /proc, and on a read-only disk it says that the folder is missing. Throws what the file system
 * throws.
 */
export function makeFolders(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return
  const parent = dirname(folder)
  if (parent !== folder) makeFolders(parent)
  try {
    mkdirSync(folder)
  } catch (error) {
    // Somebody else may have made it meanwhile.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error
  }
}

/** The system's short name of what went wrong, such as ENOSPC, or the error as text. */
export const systemCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : String(error)
