import { millisToIso } from '../numeric/time-text.ts'
import type { JournalHeader } from '../world/journal/lines/header.ts'
import type { Divergence } from '../world/journal/replay/replay.ts'
import type { Damage } from '../world/journal/replay/read-entries.ts'
import { version } from './version.ts'

/** What is wrong with a journal's file, and where. */
export function damageText(shown: string, { line, offset, reason }: Damage): string {
  return `${shown}: line ${line} (byte ${offset}) is damaged: ${reason}`
}

/** The line at which a replay differs, and how. */
export function divergenceText(shown: string, header: JournalHeader, divergence: Divergence): string {
  const { sequence, atMillis, subject, field, recorded, replayed } = divergence
  const versions =
    header.otcsim === version ? '' : ` (recorded by otcsim ${header.otcsim}, this is ${version})`
  return `${shown}: DIVERGED at #${sequence} ${subject} t=${millisToIso(atMillis)}: ${field} was ${recorded} and is ${replayed}${versions}`
}
