import type { Infer, Schema } from '../../api/schemas/infer.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import type { World } from '../../world/world.ts'
import { inWorldWith } from './find.ts'
import { formProblem } from './problems.ts'
import { type AdminAnswer, type AdminRoute, ok, refused, withBody } from './route.ts'

const timelineSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['actions'],
  properties: { actions: { type: 'array', minItems: 1, maxItems: 10_000, items: { type: 'object' } } },
} as const satisfies Schema

/** Design, section 9: any action of a scenario, now or later. */
export const timelineRoutes: readonly AdminRoute[] = [
  withBody('POST', '/worlds/:world/timeline', timelineSchema, inWorldWith(schedule)),
]

/** Errors: 400 for the first wrong entry, named as `actions[0]`; then none of them is added. */
function schedule(world: World, { actions }: Infer<typeof timelineSchema>): AdminAnswer {
  const before = world.events.lastSequence
  const problems = world.controls.schedule(actions)
  if (problems.length > 0) return refused(formProblem(problems))
  return ok({ scheduled: actions.length, now: millisToIso(world.now), events: world.eventsSince(before) })
}
