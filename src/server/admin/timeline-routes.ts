import * as shapes from '../../api/admin-answers.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import type { RecordOf } from '../../shape/shape.ts'
import { typed } from '../../shape/shape.ts'
import { closed, listOf } from '../../shape/wire-shapes.ts'
import { scheduleActions } from '../../world/change-world.ts'
import type { World } from '../../world/world.ts'
import { inWorldWith } from './find.ts'
import { formProblem } from './problems.ts'
import { type AdminAnswer, type AdminRoute, ok, refused, withBody } from './route.ts'

const timelineSchema = closed({
  actions: listOf(typed<{ readonly [name: string]: unknown }>({ type: 'object' }), {
    minItems: 1,
    maxItems: 10_000,
  }),
})

/** Design, section 9: any action of a scenario, now or later. */
export const timelineRoutes: readonly AdminRoute[] = [
  withBody(
    'POST',
    '/worlds/:world/timeline',
    {
      id: 'scheduleActions',
      summary: 'Run any action of a scenario, now or later',
      response: shapes.scheduled,
      example: ({ accountId, asset, bid, ask, quantity }) => {
        const order = { account: accountId, side: 'buy', asset, quantity, price: bid }
        const quote = {
          account: accountId,
          asset,
          bidPrice: bid,
          askPrice: ask,
          bidSize: quantity,
          askSize: quantity,
        }
        return {
          body: {
            actions: [
              { order: { ...order, as: 'first' } },
              { order: { ...order, as: 'second' } },
              { order: { ...order, as: 'third' } },
              { quote: { ...quote, as: 'fourth' } },
              { quote: { ...quote, as: 'fifth' } },
              { fault: { type: 'latency', count: 1, attributes: { latencyMs: 1 } } },
              { at: '+1h', note: 'an hour later' },
            ],
          },
        }
      },
    },
    timelineSchema,
    inWorldWith(schedule),
  ),
]

/** Errors: 400 for all wrong entries, named as `actions[0]`; then none of them is added. */
function schedule(world: World, { actions }: RecordOf<typeof timelineSchema>): AdminAnswer {
  const before = world.events.lastSequence
  const problems = scheduleActions(world, actions)
  if (problems.length > 0) return refused(formProblem(problems))
  return ok({ scheduled: actions.length, now: millisToIso(world.now), events: world.eventsSince(before) })
}
