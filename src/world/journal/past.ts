import type { JournalEntry } from './entry.ts'
import type { Beginning } from './header.ts'

/** What a journal holds, to be looked at or done again without going through its text. */
export interface Past {
  readonly begins: Beginning
  /** The sequence of the last line that is left out of it; 0 when it is whole. */
  readonly beginsAfter: number
  /** The lines behind that of a sequence, which is the last one asked for, in order. Null: some of them are gone. */
  after(sequence: number): Iterable<JournalEntry> | null
}
