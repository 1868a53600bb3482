import { type Line, type ReadJournal, readEntries } from '../journal/lines.ts'
import { setClock } from './change-world.ts'
import { continuedJournal } from './journals/journal-store.ts'
import type { Replay } from './journals/replay.ts'
import type { readFailureNotes } from './logs/test-failure.ts'
import type { Made, Worlds } from './worlds.ts'

export type Replayed = Extract<Replay, { readonly kind: 'done' }>

/** A served world keeps its lines in memory; beyond this many, its journal begins where the replay ended. */
const maximumLinesHeld = 200_000

/** The lines that were carried out, so that the console and snapshots can go back to any of them; null of too many. */
export function pastOf({ end, lines }: Replayed, read: () => Iterable<Line>): ReadJournal | null {
  if (lines > maximumLinesHeld) return null
  const past = readEntries(read())
  if (!('header' in past)) return null
  return { header: past.header, entries: past.entries.filter(({ sequence }) => sequence <= end.sequence) }
}

export interface OpenOptions {
  /** From a counter when absent. */
  readonly id?: string
  readonly otcsim: string
  readonly past: ReadJournal | null
  /** What was kept with a failed test's journal. */
  readonly notes: ReturnType<typeof readFailureNotes>
}

/**
 * Makes the replayed world one of a server's, with the requests and the failed test that were kept beside its journal.
 * Its clock stands still until somebody moves it.
 */
export function openJournal(
  worlds: Worlds,
  { world: replayed }: Replayed,
  { past, notes, otcsim, ...about }: OpenOptions,
): Made {
  const { scenario, seed, readings } = replayed
  const made = worlds.create(scenario, {
    ...{ ...about, seed, readings, snapshot: replayed.snapshot() },
    journals: continuedJournal(replayed, past, otcsim),
  })
  if (!made.ok) return made
  const { world } = made
  setClock(world, { mode: 'manual' })
  for (const request of notes?.requests ?? [])
    world.requests.add({ ...request, requestBody: Buffer.from(request.requestBody) })
  world.failure = notes?.failure ?? null
  return made
}
