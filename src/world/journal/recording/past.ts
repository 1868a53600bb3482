import type { JournalEntry } from '../lines/entry.ts'
import type { Beginning } from '../lines/header.ts'

/** What a journal holds, to be looked at or carried out again without going through its text. */
export interface Past {
  readonly begins: Beginning
  /** The sequence of the last line that is no longer there; 0 when none is missing. */
  readonly beginsAfter: number
  /**
   * The lines after a sequence, in order. Callers ask with the last sequence that they were given. Null: some are
   * gone.
   */
  after(sequence: number): Iterable<JournalEntry> | null
}
