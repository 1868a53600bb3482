import type { Problem } from '../api/errors.ts'
import { JournalUnwritable } from '../journal/journal-file.ts'
import type { World } from '../world/world.ts'

/** Where failures of our own are reported: standard error, unless a test listens. */
export type Report = (text: string) => void

/** Reports a bug with what is needed to reproduce it. The client only learns the status. */
export function reportFailure(report: Report, failure: unknown, world: World | null): void {
  const where =
    world === null
      ? ''
      : ` in world ${world.id} (seed ${JSON.stringify(world.seed)}, command ${world.sequence})`
  const what = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)
  report(`otcsim: internal error${where}: ${what}`)
}

/** The problem for the caller. A journal that cannot be written is not a bug, and then nothing has changed. */
export function reportAsProblem(report: Report, failure: unknown, world: World | null): Problem {
  if (failure instanceof JournalUnwritable) {
    const reason = `The journal cannot be written (${failure.message}): nothing was changed`
    return { code: 'read-only', reason }
  }
  reportFailure(report, failure, world)
  return { code: 'internal' }
}
