import * as shapes from '../../api/admin-answers.ts'
import type { RateCategory } from '../../api/operations/operation.ts'
import { millis } from '../../numeric/units.ts'
import type { RecordOf } from '../../shape/shape.ts'
import { typed } from '../../shape/shape.ts'
import { partial } from '../../shape/wire-shapes.ts'
import { setRateLimits } from '../../world/change-world.ts'
import type { World } from '../../world/world.ts'
import { inWorld, inWorldWith } from './find.ts'
import { type AdminRoute, bare, ok, withBody } from './route.ts'

const count = typed<number>({ type: 'integer', minimum: 0, maximum: 1_000_000 })

const limitsSchema = partial({
  enabled: typed<boolean>({ type: 'boolean' }),
  marketData: count,
  other: count,
  windowMs: typed<number>({ type: 'integer', minimum: 1, maximum: 86_400_000 }),
})

export const limitRoutes: readonly AdminRoute[] = [
  bare(
    'GET',
    '/worlds/:world/rate-limits',
    { id: 'getRateLimits', summary: 'The rate limits', response: shapes.rateLimits },
    inWorld((world) => ok(limitsView(world))),
  ),
  withBody(
    'PUT',
    '/worlds/:world/rate-limits',
    {
      id: 'setRateLimits',
      summary: 'Set other rate limits, or none',
      response: shapes.rateLimits,
      example: () => ({ body: { enabled: true, marketData: 30, other: 10, windowMs: 1000 } }),
    },
    limitsSchema,
    inWorldWith((world, { enabled, marketData, other, windowMs }: RecordOf<typeof limitsSchema>) => {
      const present = world.limiter.limits
      setRateLimits(world, {
        isEnabled: enabled ?? present.isEnabled,
        marketData: marketData ?? present.marketData,
        other: other ?? present.other,
        windowMillis: windowMs === undefined ? present.windowMillis : millis(windowMs),
      })
      return ok(limitsView(world))
    }),
  ),
  bare(
    'POST',
    '/worlds/:world/rate-limits/reset',
    { id: 'resetRateLimits', summary: 'Forget what has been counted', response: shapes.rateLimits },
    inWorld((world) => {
      world.limiter.reset()
      return ok(limitsView(world))
    }),
  ),
]

export function limitsView(world: World) {
  const { isEnabled, marketData, other, windowMillis } = world.limiter.limits
  return { enabled: isEnabled, marketData, other, windowMs: windowMillis }
}

/** What each key may still send in its window. */
export function standings(world: World) {
  const { limiter, readings, wall } = world
  const algorithm = readings['rate.algorithm']
  const nowMillis = readings['rate.clock'] === 'world' ? world.now : wall.nowMillis()
  const standing = (apiKey: string, category: RateCategory) => {
    const { limit, remaining } = limiter.standing(apiKey, category, algorithm, nowMillis)
    return { limit, remaining }
  }
  return world.keys
    .list()
    .filter((key) => !key.isRevoked)
    .map(({ apiKey, accountId }) => ({
      apiKey,
      account: accountId,
      marketData: standing(apiKey, 'marketData'),
      other: standing(apiKey, 'other'),
    }))
}
