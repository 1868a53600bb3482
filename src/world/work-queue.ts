/** Why long work has no result: what it was done to is gone. */
export class WorkAbandoned extends Error {
  constructor() {
    super('the world was deleted meanwhile')
    this.name = 'WorkAbandoned'
  }
}

interface Work {
  /** Does the next piece. Answers whether it was the last. */
  next(): boolean
  abandon(): void
}

/**
 * The turns of callers at one world. Long work is done in slices, between which other worlds are answered; callers of the
 * same world wait, and are admitted afterwards in order of arrival. So nobody sees half-done work.
 */
export class WorkQueue {
  /** For reading, like the next two: whether a caller now has to wait. */
  isTaken = false
  /** Whether long work is paused between two slices. */
  isPaused = false
  longWorks = 0
  private work: Work | null = null
  private waiting: (() => void)[] = []
  private isDriven = false
  private hasAbandoned = false

  /** Whether work was begun that has not been done, and perhaps never will be. */
  get isHalfDone(): boolean {
    return this.isPaused || this.hasAbandoned
  }

  get waitingCount(): number {
    return this.waiting.length
  }

  /** Acts when everything that came before is done. Call it only while something is under way. */
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
   * Does work in its turn: at once if its first piece is the last, else in slices, after `isLong` has been called; then
   * the answer is a promise. It rejects with what the work throws, or with `WorkAbandoned`.
   */
  begin<Result>(pieces: Steps<Result>, isLong: () => void = () => undefined): Result | Promise<Result> {
    this.finish()
    const first = pieces.next()
    if (first.done === true) return first.value
    this.longWorks += 1
    isLong()
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
      inSlices(() => this.proceed())
    })
  }

  /** Does what is left of paused work in one go: for callers who cannot wait. */
  finish(): void {
    while (this.isPaused) this.doPiece()
  }

  /** Ends paused work where it is, because what it is done to is no longer there. Those who wait are let in. */
  abandon(): void {
    const { work } = this
    if (work === null) return
    this.hasAbandoned = true
    this.work = null
    this.isPaused = false
    work.abandon()
  }

  /** The same, without admitting anybody. */
  close(): void {
    this.waiting = []
    this.abandon()
  }

  /** One slice. Answers whether nothing is left to do. */
  private proceed(): boolean {
    const endMillis = performance.now() + sliceMillis
    do {
      if (this.work !== null) this.doPiece()
      else if (!this.letIn()) return true
    } while (performance.now() < endMillis)
    return false
  }

  /** Admits the first waiting caller. False when nobody waits. */
  private letIn(): boolean {
    const first = this.waiting.shift()
    this.isTaken = false
    this.isDriven = first !== undefined
    if (first === undefined) return false
    first()
    // Whoever comes now comes after those who still wait.
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
 * Long work in this process is done in slices, one per turn of the event loop however many works there are, and sockets
 * are served in between.
 */

/** How long one slice may take, in milliseconds: the most that anybody else has to wait. */
const sliceMillis = 8

type Slice = () => boolean

const pending: Slice[] = []

/** Does the work a slice at a time, in turns with other such work, until it answers that nothing is left. */
function inSlices(slice: Slice): void {
  pending.push(slice)
  if (pending.length === 1) plan()
}

function plan(): void {
  setImmediate(run)
}

function run(): void {
  const slice = pending[0]
  if (slice === undefined) return
  const isDone = slice()
  pending.shift()
  if (!isDone) pending.push(slice)
  if (pending.length > 0) plan()
}

/** Work that can pause after each piece. Before its first piece it has not begun. */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** Does what is left, in one go. */
export function finished<Result>(pieces: Steps<Result>): Result {
  for (;;) {
    const { done, value } = pieces.next()
    if (done === true) return value
  }
}
