import { packPlace } from './row-queue.ts'

/** What can be wrong with the files of a book. */
export type BookFaultKind =
  | 'format'
  | 'cut'
  | 'unreadable'
  | 'order'
  | 'crossed'
  | 'snapshot'
  | 'sequence'
  | 'restart'
  | 'unit'
  | 'clocks'
  | 'sides'
  | 'symbols'
  | 'trades'

/** Something wrong with a file, its first place, and what to do about it. */
export interface BookFault {
  readonly kind: BookFaultKind
  readonly file: string
  /** Counted from 1; 0 for a fault of the whole file. */
  readonly line: number
  /** Field of the line by its name in the file; empty for the whole line. */
  readonly field: string
  readonly message: string
  readonly remedy: string
  /** How often it was found. */
  readonly count: number
  /** Whether the files cannot be used as they are. */
  readonly isFatal: boolean
}

/** A time during which the updates of a book are missing. */
export interface UpdateGap {
  readonly file: string
  /** The line at which it was found. */
  readonly line: number
  /** Microseconds since 1970: the last update before the gap, and the snapshot or update that ends it. */
  readonly fromMicros: number
  readonly toMicros: number
  /** Whether a snapshot ends it; without one, the book is kept as it was. */
  readonly isRepaired: boolean
}

/** Lines or rows that are not in the book, and why. */
export interface LeftOutLines {
  readonly reason: string
  readonly count: number
  readonly file: string
  readonly firstLine: number
}

/** Differences between the recorder's clock and the exchange's, over all messages that have both. */
export interface ClockDifferences {
  readonly count: number
  readonly leastMicros: number
  readonly mostMicros: number
  readonly meanMicros: number
  /** How many messages were received before they were sent. */
  readonly negativeCount: number
}

/** A line of one of several files. */
export interface FileLine {
  readonly file: string
  /** The number of the line, counted from 1. */
  readonly line: number
}

/** A fault as a reader states it; its file is the one being read, unless it names another. */
export type StatedFault = Omit<BookFault, 'file' | 'count'> & Partial<Pick<BookFault, 'file'>>

/** Gathers what a reading finds: faults by kind and field, gaps, what was left out, and the difference of clocks. */
export class BookNotes {
  /** The names of the files, in the order in which they are read. */
  readonly files: string[] = []
  readonly gaps: UpdateGap[] = []
  /** How many updates were held against the one before them. */
  comparedUpdates = 0
  private file = -1
  private readonly faultsByKey = new Map<string, { fault: BookFault; count: number }>()
  private readonly leftOutByReason = new Map<string, { first: LeftOutLines; count: number }>()
  private clockCount = 0
  private clockLeast = Number.POSITIVE_INFINITY
  private clockMost = Number.NEGATIVE_INFINITY
  private clockSum = 0
  private clockNegatives = 0

  get fileName(): string {
    return this.files[this.file] ?? ''
  }

  /** The number of the file that is being read, counted from 0. */
  get fileNumber(): number {
    return this.file
  }

  /** Begins a file: what is stated from now on is of this one. */
  beginFile(name: string): void {
    const known = this.files.indexOf(name)
    this.file = known < 0 ? this.files.push(name) - 1 : known
  }

  /** Returns the place of a line of the file that is being read, as rows keep it. */
  placeOf(line: number): number {
    return packPlace(this.file, line)
  }

  /** Returns a line of the file that is being read, for a fault that is reported when other files may have followed. */
  fileLineOf(line: number): FileLine {
    return { file: this.fileName, line }
  }

  /** Notes a fault. Of several of one kind and field, the first is kept and all are counted. */
  addFault(fault: StatedFault, count = 1): void {
    const key = `${fault.kind} ${fault.field} ${fault.isFatal}`
    const known = this.faultsByKey.get(key)
    if (known === undefined) {
      this.faultsByKey.set(key, { fault: { file: this.fileName, ...fault, count }, count })
    } else known.count += count
  }

  /** Notes a line that cannot be read: it ends the reading, unless such lines are to be skipped. */
  addUnreadable(line: number, field: string, message: string, isSkipped: boolean): void {
    if (isSkipped) this.leaveOut('cannot be read', line)
    else {
      const remedy = 'mend the line, or leave such lines out with skipBad: true'
      this.addFault({ kind: 'unreadable', line, field, message, remedy, isFatal: true })
    }
  }

  leaveOut(reason: string, line: number, count = 1): void {
    const known = this.leftOutByReason.get(reason)
    if (known !== undefined) known.count += count
    else {
      const first = { reason, count, file: this.fileName, firstLine: line }
      this.leftOutByReason.set(reason, { first, count })
    }
  }

  addGap(gap: Omit<UpdateGap, 'file'>): void {
    this.gaps.push({ ...gap, file: this.fileName })
  }

  /** Notes when a message was sent and received, microseconds since 1970. */
  addClocks(exchangeMicros: number, localMicros: number): void {
    const difference = localMicros - exchangeMicros
    this.clockCount += 1
    this.clockSum += difference
    if (difference < this.clockLeast) this.clockLeast = difference
    if (difference > this.clockMost) this.clockMost = difference
    if (difference < 0) this.clockNegatives += 1
  }

  get isBroken(): boolean {
    for (const { fault } of this.faultsByKey.values()) if (fault.isFatal) return true
    return false
  }

  listFaults(): readonly BookFault[] {
    return [...this.faultsByKey.values()].map(({ count, fault }) => ({ ...fault, count }))
  }

  listLeftOut(): readonly LeftOutLines[] {
    return [...this.leftOutByReason.values()].map(({ count, first }) => ({ ...first, count }))
  }

  surveyClocks(): ClockDifferences | null {
    if (this.clockCount === 0) return null
    return {
      count: this.clockCount,
      leastMicros: this.clockLeast,
      mostMicros: this.clockMost,
      meanMicros: this.clockSum / this.clockCount,
      negativeCount: this.clockNegatives,
    }
  }
}
