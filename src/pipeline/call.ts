import { categoryOf, resolveOperation } from '../api/dispatch.ts'
import type { FaultFacts } from '../api/faults/matches-fault.ts'
import type { FaultPlan } from '../world/faults/fault-book.ts'
import { factsOf } from '../world/faults/venue-faults.ts'
import type { ApiKey } from '../world/keys.ts'
import type { RateVerdict } from '../world/rate-limiter.ts'
import type { World } from '../world/world.ts'
import { nothingAsked, type Preference, readPreference } from './prefer.ts'
import type { RawRequest } from './raw-request.ts'

/** Where the world of a key is found: among a server's worlds, or in a world that is alone. */
export interface Doorway {
  find(apiKey: string): { readonly world: World; readonly key: ApiKey } | null
  /** Answers requests that have no key of any world. */
  readonly default: World
}

/** A request with what is known before the first step. */
export interface Call {
  readonly worlds: Doorway
  readonly world: World
  readonly request: RawRequest
  readonly apiKey: string
  readonly key: ApiKey | null
  readonly preference: Preference
  /** How long it has waited for its turn; authentication and limits judge it as if it had not waited. */
  readonly waitedMillis: number
  readonly beganMillis: number
}

/**
 * The world is that of the key; a request without a key of ours is answered in the name of the default world. Choice:
 * a revoked key still selects its world. Unknown and revoked keys are answered alike, but a revoked one still says
 * which venue its client talks to, and the limits in the headers, the readings and the request log must not become
 * another venue's for it.
 */
export function callOf(worlds: Doorway, request: RawRequest, waitedMillis = 0): Call {
  const apiKey = single(request.headers['x-api-key']) ?? ''
  const found = worlds.find(apiKey)
  const world = found?.world ?? worlds.default
  const prefer = single(request.headers['prefer'])
  const preference =
    prefer === undefined
      ? { readings: world.readings, ...nothingAsked }
      : readPreference(prefer, world.readings)
  const beganMillis = world.wall.nowMillis() - waitedMillis
  return { worlds, world, request, apiKey, key: found?.key ?? null, preference, waitedMillis, beganMillis }
}

const single = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined

/** What to do when a call's turn comes: `act` is then given the call with the time that it has waited since now. */
export function inItsTurn<Result>(call: Call, act: (late: Call) => Result): () => Result {
  const { wall } = call.world
  const sinceMillis = wall.nowMillis()
  return () => act({ ...call, waitedMillis: call.waitedMillis + wall.nowMillis() - sinceMillis })
}

/** The clock by which rate limits count. */
export function rateClock({ world, waitedMillis }: Call): number {
  if (world.readings['rate.clock'] === 'world') return world.time.present
  return world.wall.nowMillis() - waitedMillis
}

/** What the limit would say to one more request, which is not counted. */
export function rateOf(call: Call): RateVerdict {
  const { world, request, apiKey, preference } = call
  const resolved = resolveOperation(request.method, request.path, preference.readings)
  const category = categoryOf(resolved, request.path)
  return world.limiter.peek(apiKey, category, world.readings['rate.algorithm'], rateClock(call))
}

/** The faults that strike a call, and by what their rules know it. */
export interface Strikes {
  readonly plan: FaultPlan
  readonly facts: FaultFacts
}

/** What fault rules match a call by. */
export function callFacts({ world, request, apiKey, key }: Call): FaultFacts {
  const { method, path, query } = request
  const body = request.body.toString('utf8')
  return factsOf(world, { method, path, query, body, apiKey, account: key?.accountId ?? null })
}
