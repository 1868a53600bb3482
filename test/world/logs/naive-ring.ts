/** The naive twin of the request log: the last entries of a log that goes on for ever. Each has a sequence, counted from 1, which is never given twice. */
export class NaiveRing<Entry> {
  private readonly capacity: number
  private readonly entries: Entry[] = []
  private written = 0
  private cleared = 0

  constructor(capacity: number) {
    this.capacity = capacity
  }

  /** The sequence of the newest entry; 0 before the first. */
  get lastSequence(): number {
    return this.written
  }

  push(entry: Entry): void {
    this.entries[this.written % this.capacity] = entry
    this.written += 1
  }

  /** Entries with a sequence above `sequence`, oldest first; those that the ring has let go are left out. */
  since(sequence: number): Entry[] {
    const oldest = Math.max(this.written - this.capacity, this.cleared, 0)
    const found: Entry[] = []
    for (let at = Math.max(sequence, oldest); at < this.written; at += 1) {
      const entry = this.entries[at % this.capacity]
      if (entry !== undefined) found.push(entry)
    }
    return found
  }

  /** Forgets the entries; sequences go on. */
  clear(): void {
    this.cleared = this.written
    this.entries.length = 0
  }
}
