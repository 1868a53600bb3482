import { type Replay, replayJournal, toTheEnd } from '../replay/replay.ts'
import { JournalFile } from './journal-file.ts'
import { newestSnapshots } from './journal-snapshot.ts'
import type { SyncPolicy } from './sync-policies.ts'

/** A journal's file, ready to be continued, and what was read from it. */
export type Recovery =
  | { readonly kind: 'fresh'; readonly file: JournalFile }
  | {
      readonly kind: 'recovered'
      readonly file: JournalFile
      readonly replay: Extract<Replay, { kind: 'done' }>
    }
  | Extract<Replay, { kind: 'damaged' | 'diverged' }>

/**
 * Reads a journal's file and carries it out, so that it can go on. An unfinished last line is cut off and kept beside
 * the file. A file that is damaged, or that this version carries out differently, is left as it is. The caller holds
 * the lock.
 */
export function recoverJournal(path: string, policy: SyncPolicy): Recovery {
  const file = new JournalFile(path, policy)
  const replay = replayFrom(file)
  if (replay.kind === 'damaged' || replay.kind === 'diverged') {
    file.close()
    return replay
  }
  if (replay.kind === 'empty') {
    file.continueAt(0, '', 0, replay.torn)
    return { kind: 'fresh', file }
  }
  const { offset, hash, sequence, torn } = replay.end
  file.continueAt(offset, hash, sequence, torn)
  return { kind: 'recovered', file, replay }
}

/** From the newest snapshot beside the journal that belongs to it, or from the start when there is none. */
export function replayFrom(file: JournalFile): Replay {
  for (const leap of newestSnapshots(file.path)) {
    const replay = replayJournal(file.lines(), toTheEnd, leap)
    if (replay.kind === 'done') return replay
  }
  return replayJournal(file.lines())
}
