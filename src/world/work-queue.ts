import { readElapsedMillis, setImmediate } from './real-timers.ts'

/** The error with which long work is rejected when its world was deleted. */
export class WorkAbandoned extends Error {
  constructor() {
    super('the world was deleted meanwhile')
    this.name = 'WorkAbandoned'
  }
}

interface Work {
  /** Does the next piece of the work, and returns whether it was the last. */
  next(): boolean
  abandon(): void
}

/**
 * Lets callers take turns at one world. Long work is done in slices, between which other worlds are served. Callers of
 * the same world wait and are admitted afterwards, in order of arrival, so nobody sees half-done work.
 */
export class WorkQueue {
  /** Whether a caller now has to wait. Callers only read this. */
  isTaken = false
  /** Whether long work is paused between two slices. Callers only read this. */
  isPaused = false
  /** How many works have been long enough to be paused. Callers only read this. */
  longWorkCount = 0
  private work: Work | null = null
  private waiting: (() => void)[] = []
  private isDriven = false
  private hasAbandoned = false

  /** Whether some work was started and not completed: it is paused, or it was abandoned. */
  get isHalfDone(): boolean {
    return this.isPaused || this.hasAbandoned
  }

  get waitingCount(): number {
    return this.waiting.length
  }

  /**
   * Calls `act` when everything that came before it is done, and returns its result. Call this only while `isTaken`,
   * because nothing else would admit the caller.
   */
  wait<Result>(act: () => Result | Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push(() => {
        try {
          resolve(act())
        } catch (failure) {
          reject(failure)
        }
      })
    })
  }

  /**
   * Starts work after finishing what is paused. Returns the result at once if the first piece is the last. Otherwise
   * calls `onLong`, does the rest in slices, and returns a promise, which rejects with what the work throws or with
   * `WorkAbandoned`.
   */
  begin<Result>(pieces: Steps<Result>, onLong: () => void = () => undefined): Result | Promise<Result> {
    this.finish()
    const first = pieces.next()
    if (first.done === true) return first.value
    this.longWorkCount += 1
    onLong()
    return new Promise((resolve, reject) => {
      const next = (): boolean => {
        try {
          const { done, value } = pieces.next()
          if (done !== true) return false
          resolve(value)
        } catch (failure) {
          reject(failure)
        }
        return true
      }
      this.work = { next, abandon: () => reject(new WorkAbandoned()) }
      this.isPaused = true
      this.isTaken = true
      if (this.isDriven) return
      this.isDriven = true
      runInSlices(() => this.proceed())
    })
  }

  /** Finishes paused work at once: for callers who cannot wait. */
  finish(): void {
    while (this.isPaused) this.doPiece()
  }

  /** Stops paused work where it is, because its world is gone. Callers who wait are admitted. */
  abandon(): void {
    const { work } = this
    if (work === null) return
    this.hasAbandoned = true
    this.work = null
    this.isPaused = false
    work.abandon()
  }

  /** Stops paused work where it is and drops the callers who wait, because the process is about to end. */
  close(): void {
    this.waiting = []
    this.abandon()
  }

  /** Works for one slice, and returns whether nothing is left to do. */
  private proceed(): boolean {
    const endMillis = readElapsedMillis() + sliceMillis
    do {
      if (this.work !== null) this.doPiece()
      else if (!this.admitNext()) return true
    } while (readElapsedMillis() < endMillis)
    return false
  }

  /** Admits the caller who has waited longest. Returns false when nobody waits. */
  private admitNext(): boolean {
    const first = this.waiting.shift()
    this.isTaken = false
    this.isDriven = first !== undefined
    if (first === undefined) return false
    first()
    // A caller who arrives now goes behind those who still wait.
    this.isTaken = true
    return true
  }

  private doPiece(): void {
    const { work } = this
    if (work === null) return
    this.isPaused = false
    if (work.next()) this.work = null
    this.isPaused = this.work !== null
  }
}

/*
 * All long work of this process shares one sequence of slices: one slice for each turn of the event loop, so that
 * sockets are served in between however many works there are.
 */

/** How long one slice may take, in milliseconds, and so the longest wait that it causes for others. */
const sliceMillis = 8

type Slice = () => boolean

const pending: Slice[] = []

/** Calls `slice` once in each round of all pending work, until it returns that nothing is left. */
function runInSlices(slice: Slice): void {
  pending.push(slice)
  if (pending.length === 1) scheduleSlice()
}

function scheduleSlice(): void {
  setImmediate(runNextSlice)
}

function runNextSlice(): void {
  const slice = pending[0]
  if (slice === undefined) return
  const isDone = slice()
  pending.shift()
  if (!isDone) pending.push(slice)
  if (pending.length > 0) scheduleSlice()
}

/** Work that can pause after each piece. It does nothing before its first piece is asked for. */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** Runs all remaining pieces of a work at once, and returns its result. */
export function runToEnd<Result>(pieces: Steps<Result>): Result {
  for (;;) {
    const { done, value } = pieces.next()
    if (done === true) return value
  }
}
