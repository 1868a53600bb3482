import { type ApiRequest, type ApiResponse, type Step, steps } from '../api/context.ts'
import { categoryOf, problemResponse, resolveOperation, scopeProblem } from '../api/dispatch.ts'
import type { Problem } from '../api/errors.ts'
import { routeOf } from '../api/operations/operations.ts'
import { JournalUnwritable } from '../journal/journal-file.ts'
import {
  type FaultDelay,
  type FaultPlan,
  instantAfterDelay,
  planOf,
  strikeOf,
} from '../world/faults/fault-book.ts'
import { performUnder } from '../world/faults/venue-faults.ts'
import type { ApiKey } from '../world/keys.ts'
import type { RateVerdict } from '../world/rate-limiter.ts'
import { type Steps, WorkAbandoned } from '../world/work-queue.ts'
import type { World } from '../world/world.ts'
import { authenticate, isDenial } from './authenticate.ts'
import {
  type Answer,
  answerInstead,
  type Call,
  callFacts,
  callOf,
  changedOnItsWay,
  type Doorway,
  endedBy,
  inItsTurn,
  mediaTypeProblem,
  type RawRequest,
  rateClock,
  type Strikes,
  writtenAnswer,
} from './call.ts'
import { problemOfFailure, type Report } from './report.ts'
import { pause } from './travel.ts'

/*
 * The story of one venue request, from the arrival of its last byte to the bytes of its answer. The order of the steps
 * is a promise (design, section 8): where several things are wrong, the first step that finds one answers. What is wrong
 * with the request as HTTP comes before them (`call.ts`), the content of the body, ids and risk come after them, in
 * `src/api`.
 */

/**
 * Answers one request, logs it in its world, and never rejects. It takes effect at once, unless a fault delays it or its
 * world is being advanced; then its key, its signature and its limits are judged as of when it came. A world without
 * fault rules costs one check.
 */
export async function answerRequest(
  worlds: Doorway,
  request: RawRequest,
  report: Report,
  waitedMillis = 0,
): Promise<Answer> {
  const call = callOf(worlds, request, waitedMillis)
  // By then the key may have been revoked, so the call is resolved again.
  const anew = (late: Call) => answerRequest(worlds, request, report, late.waitedMillis)
  if (call.world.mustWait()) return call.world.workQueue.wait(inItsTurn(call, anew))
  try {
    const strikes = strikesOn(call)
    if (strikes === null) return answerAtVenue(call, report, null)
    return await answerUnder(call, strikes, report, anew)
  } catch (failure) {
    const problem = problemOfFailure(report, failure, call.world)
    const { status, body } = problemResponse(problem, call.preference.readings)
    return answerInstead(call, { status, body }, null)
  }
}

/**
 * Which faults strike is decided when the request is complete, so requests that wait do not change what strikes others.
 * Those of a Prefer header count only for callers who hold the request's key.
 */
function strikesOn(call: Call): Strikes | null {
  const { world, preference } = call
  if (world.faults.rules.length === 0 && preference.fault === null) return null
  const facts = callFacts(call)
  const hits = world.faults.rules.length === 0 ? [] : world.considerFaults(facts)
  if (preference.fault !== null && isOwned(call))
    hits.push(strikeOf('prefer', preference.fault, world.seed, 1))
  return hits.length === 0 ? null : { plan: planOf(hits), facts }
}

function isOwned(call: Call): boolean {
  const passage = pass(call, false)
  return passage.isThrough || !steps.slice(0, steps.indexOf('rate')).includes(passage.step)
}

type Act = (arrived: Call) => Promise<Answer>

/** Faults meet a request on its way: what delays it, what ends it, the venue itself, what happens to the answer. */
async function answerUnder(call: Call, strikes: Strikes, report: Report, anew: Act): Promise<Answer> {
  const { world } = call
  const { plan } = strikes
  const answer: Act = async (there) => {
    if (plan.instead !== null) return endedBy(there, plan, plan.instead)
    const changed = changedOnItsWay(there, plan, answerAtVenue(there, report, strikes))
    await passAfter(world, plan.after)
    return changed
  }
  const arrive: Act = async (arrived) => {
    const near = world.workQueue.begin(comeNear(world, plan))
    if (!(near instanceof Promise)) return answer(arrived)
    const goOn = inItsTurn(arrived, (late) => inTurn(late, answer, anew))
    return near.then(goOn, (failure) => {
      if (failure instanceof WorkAbandoned) return goOn()
      throw failure
    })
  }
  const { wallMillis } = plan.before
  if (wallMillis === 0) return arrive(call)
  await pause(wallMillis)
  return inTurn(call, arrive, anew)
}

/**
 * A request that was under way for long may come to a world in the middle of an advance, or to one that is gone: then
 * its key is another world's or nobody's.
 */
async function inTurn(call: Call, act: Act, anew: Act): Promise<Answer> {
  const { workQueue } = call.world
  if (workQueue.isTaken) return workQueue.wait(inItsTurn(call, (late) => inTurn(late, act, anew)))
  return callOf(call.worlds, call.request).world === call.world ? act(call) : anew(call)
}

/** What a request needs of its world before it is answered, and may take long: time that passes, a past to be read. */
function* comeNear(world: World, { before, lags }: FaultPlan): Steps<void> {
  yield* letPass(world, before)
  yield* world.past.follow(lags)
}

/** Moves the world's clock on, as if the request had been under way for that long. */
function* letPass(world: World, delay: FaultDelay): Steps<void> {
  if (delay.worldMillis > 0) yield* world.advanceInSteps(instantAfterDelay(world.now, delay))
}

/** What the venue has answered stands, whether its world can go on or not. */
async function passAfter(world: World, delay: FaultDelay): Promise<void> {
  try {
    if (delay.worldMillis > 0) await world.workQueue.begin(letPass(world, delay))
  } catch (failure) {
    if (!(failure instanceof JournalUnwritable || failure instanceof WorkAbandoned)) throw failure
  }
  await pause(delay.wallMillis)
}

/** The venue's own answer. `strikes` is null where no fault strikes. */
function answerAtVenue(call: Call, report: Report, strikes: Strikes | null): Answer {
  const { world, preference } = call
  const { readings } = preference
  const plan = strikes?.plan ?? null
  const passage = pass(call, true, plan?.skewMillis)
  if (!passage.isThrough)
    return writtenAnswer(call, problemResponse(passage.problem, readings), passage, plan)
  const { key, rate, request } = passage
  const { account } = key
  const response = carriedOut(call, report, () =>
    strikes === null
      ? world.handle(account, request, readings)
      : performUnder(world, strikes.plan, { account, request, facts: strikes.facts }, readings),
  )
  return writtenAnswer(call, response, { rate, key, allowed: [] }, plan)
}

function carriedOut(call: Call, report: Report, carryOut: () => ApiResponse): ApiResponse {
  try {
    return carryOut()
  } catch (failure) {
    return problemResponse(problemOfFailure(report, failure, call.world), call.preference.readings)
  }
}

export type Passage =
  | {
      readonly isThrough: false
      readonly step: Step
      readonly problem: Problem
      readonly rate: RateVerdict
      /** Null until the caller has proved to hold it. */
      readonly key: ApiKey | null
      readonly allowed: readonly string[]
    }
  | {
      readonly isThrough: true
      readonly key: ApiKey
      readonly rate: RateVerdict
      readonly request: ApiRequest
    }

/** Takes a request through every step before the operation. `isCounted`: whether it counts against the rate limit. */
export function pass(call: Call, isCounted: boolean, skewMillis = 0): Passage {
  const { world, request, preference } = call
  const { readings } = preference
  const rateMillis = rateClock(call)
  const resolved = resolveOperation(request.method, request.path, readings)
  const category = categoryOf(resolved, request.path)
  const untouched = () => world.limiter.untouched(category, rateMillis)
  if (!resolved.ok)
    return { ...stopped('route', resolved.problem, untouched(), null), allowed: resolved.allowed }

  const wallMillis = world.wall.nowMillis() - call.waitedMillis
  const skew = skewMillis + world.scripted.skewMillis
  // Finding out where a world's clock stands costs time, and is rarely needed.
  const worldMillis = readings['auth.clock'] === 'wall' ? wallMillis : world.time.present
  const clocks = { wallMillis: wallMillis + skew, worldMillis: worldMillis + skew }
  const key = authenticate(request, call.key, readings, clocks)
  if (isDenial(key)) return stopped(key.step, key.problem, untouched(), null)

  const algorithm = world.readings['rate.algorithm']
  const rate = isCounted
    ? world.limiter.take(call.apiKey, category, algorithm, rateMillis)
    : world.limiter.peek(call.apiKey, category, algorithm, rateMillis)
  if (!rate.isAllowed) return stopped('rate', tooMany(rate, rateMillis), rate, key)

  const { operation, parameter } = resolved
  const unscoped = scopeProblem(key.scopes, operation, readings)
  if (unscoped !== null) return stopped('scope', unscoped, rate, key)
  if (preference.problem !== null) return stopped('preference', preference.problem, rate, key)

  const readsBody = routeOf(operation).body !== null
  const unreadable = readsBody ? mediaTypeProblem(request) : null
  if (unreadable !== null) return stopped('content-type', unreadable, rate, key)
  const body = readsBody ? request.body.toString('utf8') : ''
  return { isThrough: true, key, rate, request: { operation, parameter, query: request.query, body } }
}

function stopped(step: Step, problem: Problem, rate: RateVerdict, key: ApiKey | null) {
  return { isThrough: false as const, step, problem, rate, key, allowed: [] }
}

function tooMany(rate: RateVerdict, nowMillis: number): Problem {
  return { code: 'rate-limited', hint: `the window resets in ${rate.resetMillis - nowMillis} ms` }
}
