/**
 * The naive twin of the request log: the last entries of an endless log. Each has a sequence of its own, counted from
 * 1.
 */
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

  /** Entries with a sequence above `sequence`, oldest first, without those that the ring has dropped. */
  since(sequence: number): Entry[] {
    const oldest = Math.max(this.written - this.capacity, this.cleared, 0)
    const found: Entry[] = []
    for (let at = Math.max(sequence, oldest); at < this.written; at += 1) {
      const entry = this.entries[at % this.capacity]
      if (entry !== undefined) found.push(entry)
    }
    return found
  }

  /** Drops the entries; the sequence continues. */
  clear(): void {
    this.cleared = this.written
    this.entries.length = 0
  }
}
