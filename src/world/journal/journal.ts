import type { Past } from './past.ts'

/** What is kept of a world from its start, so that it can be done again. */
export interface Journal {
  /** The lines so far, each with its end. */
  text(): Iterable<string>
  /** The same as what it says. */
  past(): Past
  /** Why nothing can be written, and so nothing may change, at present; null when all is well. */
  problem(): string | null
  /** Nothing more is written: the process ends. */
  close(): void
  /** The same when the world is deleted. */
  discard(): void
}
