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
import { type LastLine, LastLineFile, lastLineEnding } from './last-line.ts'
import { type Line, linesOfFile, seal } from './lines.ts'

const groupMillis = 5
/** The least number of bytes that must fit before a disk that was full counts as free again. */
const probeBytes = 4096
/** The least time between two checks, before a line is written, that the file is still where it was. */
const lookMillis = 50

/** A journal file to which lines are appended. Each line is one write, and a line that does not fit leaves no trace. */
export class JournalFile {
  readonly path: string
  /** The open file, for those who only read. */
  readonly descriptor: number
  private readonly policy: SyncPolicy
  private last: LastLine = { sequence: 0, offset: 0, hash: '' }
  private lastLineFile: LastLineFile | null = null
  private naming: NodeJS.Timeout | null = null
  private hasPartialLine = false
  private failure: string | null = null
  private isBroken = false
  private largestLine = probeBytes
  private timer: NodeJS.Timeout | null = null
  private readers = 0
  private isClosed = false
  private lookedAtMillis = Number.NEGATIVE_INFINITY

  /** Opens or creates the file, whose lock the caller holds. Throws what the file system throws. */
  constructor(path: string, policy: SyncPolicy) {
    const isNew = !existsSync(path)
    this.path = path
    this.policy = policy
    this.descriptor = openSync(path, isNew ? 'wx+' : 'r+', 0o644)
    if (isNew) syncParentFolder(path)
  }

  /**
   * Reads the lines from the byte offset of a line on. It reads from the descriptor, because the file may have been
   * deleted or moved; it stays open until all readers are done.
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

  /** The last line, behind which the next one will be. */
  get end(): LastLine {
    return this.last
  }

  /**
   * Makes a line the last one, so that the next line is appended behind it. Whatever follows it in the file is cut
   * off; `torn`, the part of that worth keeping, is written to a file of its own.
   */
  continueAt({ sequence, offset, hash }: LastLine, torn: Buffer | null): void {
    if (torn !== null && torn.length > 0) writeFileSync(`${this.path}.torn-${sequence}`, torn)
    ftruncateSync(this.descriptor, offset)
    if (offset > 0) writeSync(this.descriptor, '\n', offset - 1) // the last line may have lacked only its line end
    if (torn !== null) {
      fsyncSync(this.descriptor)
      syncParentFolder(this.path)
    }
    this.last = { sequence, offset, hash }
  }

  /**
   * Keeps a file beside the journal that names its last line, from now on. It is updated within 5 ms of a line, so
   * that nobody waits for it. Throws a `JournalUnwritable`.
   */
  keepLastLine(): void {
    try {
      this.lastLineFile ??= new LastLineFile(this.path)
      this.lastLineFile.write(this.last)
    } catch (error) {
      throw new JournalUnwritable(`${this.path}${lastLineEnding}`, systemCode(error))
    }
  }

  /** Stops updating the file that names the last line. */
  leaveLastLine(): void {
    if (this.naming !== null) clearTimeout(this.naming)
    this.naming = null
    this.lastLineFile?.close()
    this.lastLineFile = null
  }

  /** Why nothing can be written at present; null if it can, as far as the last attempt has shown. */
  get problem(): string | null {
    return this.failure
  }

  /** Finds out why nothing can be written at present, by writing a few bytes and cutting them off again; null if it can. */
  probe(): string | null {
    this.lookedAtMillis = Number.NEGATIVE_INFINITY
    if (this.tryAgain()) this.tryBytes(probeBytes)
    return this.failure
  }

  /**
   * Appends one line with its number. Throws `JournalUnwritable` if it could not be written whole; the file is then
   * unchanged.
   */
  append(object: string, sequence: number): void {
    this.write(object, sequence, this.policy === 'always')
    if (this.policy === 'group') this.syncSoon()
    if (this.lastLineFile !== null) this.naming ??= setTimeout(() => this.nameLast(), groupMillis).unref()
  }

  /**
   * Appends lines that have not been acknowledged yet, and syncs them together. Throws `JournalUnwritable` if one
   * could not be written whole; the file is then unchanged.
   */
  appendAll(lines: Iterable<{ readonly object: string; readonly sequence: number }>): void {
    for (const { object, sequence } of lines) this.write(object, sequence, false)
    if (this.policy !== 'os') this.sync()
  }

  /**
   * Returns whether writing works, or works again. After a failure it tries with as many bytes as the largest line so
   * far, and it looks now and then whether the file is still there.
   */
  tryAgain(): boolean {
    if (this.isBroken) return false
    const now = performance.now()
    if (this.failure === null && now - this.lookedAtMillis < lookMillis) return true
    this.lookedAtMillis = now
    const change = this.findChange()
    if (change !== null) {
      this.failure = change
      return false
    }
    return this.failure === null || this.tryBytes(this.largestLine)
  }

  /** Forces the lines so far to the disk. Throws a `JournalUnwritable` when that fails. */
  flush(): void {
    if (!this.isBroken) this.sync()
  }

  /** Refuses every further line, because what the file holds is not known any more. */
  breakOff(reason: string): void {
    this.isBroken = true
    this.failure = reason
  }

  close(): void {
    if (this.timer !== null) this.sync()
    this.isClosed = true
    if (this.naming !== null) this.nameLast()
    this.leaveLastLine()
    this.closeUnread()
  }

  private closeUnread(): void {
    if (this.isClosed && this.readers === 0) closeSync(this.descriptor)
  }

  private syncSoon(): void {
    this.timer ??= setTimeout(() => {
      try {
        this.sync()
      } catch {} // the next append throws
    }, groupMillis).unref()
  }

  private write(object: string, sequence: number, isSynced: boolean): void {
    const { line, hash } = seal(this.last.hash, object)
    const bytes = Buffer.from(`${line}\n`)
    this.largestLine = Math.max(this.largestLine, bytes.length)
    this.writeBytes(bytes)
    if (isSynced) this.syncOrCut()
    this.last = { sequence, offset: this.last.offset + bytes.length, hash }
  }

  private writeBytes(bytes: Buffer): void {
    if (this.isBroken) throw new JournalUnwritable(this.path, this.failure ?? '')
    try {
      if (this.hasPartialLine) this.cut()
      this.hasPartialLine = true
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(this.descriptor, bytes, done, bytes.length - done, this.last.offset + done)
      }
      this.hasPartialLine = false
    } catch (error) {
      this.failure = systemCode(error)
      this.tryToCut()
      throw new JournalUnwritable(this.path, this.failure)
    }
  }

  private cut(): void {
    ftruncateSync(this.descriptor, this.last.offset)
    this.hasPartialLine = false
  }

  /** Tries to cut off what a failed write has left. If that fails too, it is done before the next line. */
  private tryToCut(): void {
    try {
      this.cut()
    } catch {
      this.hasPartialLine = true
    }
  }

  /** Syncs the last line, or cuts it off: the caller learns that it failed, so the line must not remain. */
  private syncOrCut(): void {
    try {
      this.sync()
    } catch (failure) {
      this.tryToCut()
      throw failure
    }
  }

  /** Names the last line in the file beside this one, if there is one. When that fails, no further line is taken. */
  private nameLast(): boolean {
    if (this.naming !== null) clearTimeout(this.naming)
    this.naming = null
    try {
      this.lastLineFile?.write(this.last)
      return true
    } catch (error) {
      this.failure = systemCode(error)
      return false
    }
  }

  /** Writes bytes behind the last line and cuts them off again. Returns whether that and naming the last line works. */
  private tryBytes(count: number): boolean {
    try {
      this.writeBytes(Buffer.alloc(count, ' '))
      this.cut()
    } catch (error) {
      if (!(error instanceof JournalUnwritable)) this.failure = systemCode(error)
      return false
    }
    if (!this.nameLast()) return false
    this.failure = null
    return true
  }

  /** Finds out whether somebody has moved or changed the file, without which no line may be acknowledged. */
  private findChange(): string | null {
    try {
      const there = statSync(this.path, { throwIfNoEntry: false })
      if (there === undefined) return 'its file was deleted or moved'
      const isSame = there.size === this.last.offset || this.hasPartialLine || !there.isFile()
      return isSame ? null : 'its file was replaced or changed'
    } catch (error) {
      return systemCode(error)
    }
  }

  /**
   * Forces what was written to the disk. After a failed sync nobody knows what is on the disk, and a second sync would report
   * success, so this process never writes to the file again.
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

/**
 * Syncs the folder of a file, without which a new name in it may not survive a crash. It does nothing on systems that cannot
 * open a folder.
 */
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
 * When lines are forced to the disk. `os`: when the operating system decides, which survives the end of the process but not a
 * power cut. `group`: within 5 ms. `always`: before the answer.
 */
export const syncPolicies = ['os', 'group', 'always'] as const
export type SyncPolicy = (typeof syncPolicies)[number]

/** The error for a change that was not made because the journal could not be written. */
export class JournalUnwritable extends Error {
  override readonly name = 'JournalUnwritable'
  /** The system's error code, such as ENOSPC, if the error came from the system. */
  readonly code: string
  readonly path: string

  constructor(path: string, code: string, message = code) {
    super(message)
    this.path = path
    this.code = code
  }
}

/**
 * Runs a function and ignores that the journal could not be written, which has kept the change from happening. It is only for
 * changes that nobody waits for.
 */
export function ignoreUnwritable(act: () => void): void {
  try {
    act()
  } catch (failure) {
    if (!(failure instanceof JournalUnwritable)) throw failure
  }
}

/**
 * Creates a folder and its parents, one by one. Throws what the file system throws. Node's own recursion never ends on a file
 * system that cannot create folders, such as /proc, and on a read-only disk it reports that the folder is missing.
 */
export function makeFolders(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return
  const parent = dirname(folder)
  if (parent !== folder) makeFolders(parent)
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process may have created it meanwhile.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error
  }
}

/** Returns the system's code of an error, such as ENOSPC, or else the error as text. */
export const systemCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : String(error)
