import type { Past } from './past.ts'

/** What is kept of a world from its start, so that it can be made again. */
export interface Journal {
  /** The lines so far, each with its line end. */
  text(): Iterable<string>
  /** What the lines say, without going through text. */
  past(): Past
  /** Why nothing can be written at present, so that nothing may change; null when all is well. */
  problem(): string | null
  /** Writes nothing more: the process is about to end. */
  close(): void
  /** Writes nothing more: the world is deleted. */
  discard(): void
}
