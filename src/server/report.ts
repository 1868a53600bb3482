import type { World } from '../world/world.ts'

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
