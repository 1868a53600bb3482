import type { Problem } from '../../api/errors.ts'
import { JournalUnwritable } from '../../world/journal/journal-file.ts'
import type { World } from '../../world/world.ts'

/** Where failures of our own are told: standard error, unless a test listens. */
export type Report = (text: string) => void

/** Tells of a bug with what is needed to see it again. The client learns nothing of it but the status. */
export function reportFailure(report: Report, failure: unknown, world: World | null): void {
  const where =
    world === null
      ? ''
      : ` in world ${world.id} (seed ${JSON.stringify(world.seed)}, command ${world.sequence})`
  const what = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)
  report(`otcsim: internal error${where}: ${what}`)
}

/** What a caller is told of it: a journal that cannot be written is no bug, and nothing has changed then. */
export function problemOfFailure(report: Report, failure: unknown, world: World | null): Problem {
  if (failure instanceof JournalUnwritable) {
    const reason = `The journal cannot be written (${failure.message}): nothing was changed`
    return { code: 'read-only', reason }
  }
  reportFailure(report, failure, world)
  return { code: 'internal' }
}
