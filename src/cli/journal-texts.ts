import type { JournalHeader } from '../journal/header.ts'
import type { Damage } from '../journal/lines.ts'
import { millisToIso } from '../numeric/time-text.ts'
import type { Divergence } from '../world/journals/replay.ts'
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
