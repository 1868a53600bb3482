import type { Problem } from '../api/errors.ts'
import { JournalUnwritable } from '../journal/journal-file.ts'
import type { World } from '../world/world.ts'

/**
 * Receives a line about a failure of otcsim itself. By default it is written to standard error; tests pass their own.
 */
export type Report = (text: string) => void

/**
 * Reports a bug of otcsim with the world, seed and command number that reproduce it. The client learns only the status.
 */
export function reportFailure(report: Report, failure: unknown, world: World | null): void {
  const where =
    world === null
      ? ''
      : ` in world ${world.id} (seed ${JSON.stringify(world.seed)}, command ${world.sequence})`
  const what = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)
  report(`otcsim: internal error${where}: ${what}`)
}

/**
 * Turns a failure into the problem that the caller is told, and reports it. A journal that can't be written is not
 * reported, because it is no bug; nothing has changed then.
 */
export function reportAsProblem(report: Report, failure: unknown, world: World | null): Problem {
  if (failure instanceof JournalUnwritable) {
    const reason = `The journal cannot be written (${failure.message}): nothing was changed`
    return { code: 'read-only', reason }
  }
  reportFailure(report, failure, world)
  return { code: 'internal' }
}
