import { type ApiRequest, type ApiResponse, type Step, steps } from '../api/context.ts'
import { checkScope, problemResponse, rateCategory } from '../api/dispatch.ts'
import type { Problem } from '../api/errors.ts'
import { isAbout } from '../api/faults/matches-fault.ts'
import { routeOf } from '../api/operations/operations.ts'
import { JournalUnwritable } from '../journal/journal-file.ts'
import type { Millis } from '../numeric/units.ts'
import { readingsForRequest } from '../world/clock.ts'
import { handleWithFaults } from '../world/faults/apply-venue-faults.ts'
import {
  createFiredFault,
  type FaultDelay,
  type FaultPlan,
  instantAfterDelay,
  planFaults,
} from '../world/faults/fire-faults.ts'
import type { ApiKey } from '../world/keys.ts'
import type { RateVerdict } from '../world/rate-limiter.ts'
import { type Steps, WorkAbandoned, WorkQueue } from '../world/work-queue.ts'
import type { World } from '../world/world.ts'
import { authenticate, isDenial, readSignedInstant } from './authenticate.ts'
import {
  type Answer,
  answerByFault,
  answerInstead,
  type Call,
  changeAnswer,
  describeForFaults,
  findMediaTypeProblem,
  findTypeProblem,
  findWorld,
  type MatchedFaults,
  type MatchedRoute,
  type RawRequest,
  readRateClock,
  resolveCall,
  type WorldLookup,
  writeAnswer,
} from './call.ts'
import { pause } from './delivery.ts'
import { explainDenial } from './explain-signature.ts'
import { type Report, reportAsProblem } from './report.ts'

/*
 * The story of one venue request, from the arrival of its last byte to the bytes of its answer. The order of the steps
 * is a promise (design, section 8): where several things are wrong, the first step that finds one answers. Before these
 * steps, `call.ts` checks the request as HTTP; after them, `src/api` checks the content of the body, ids and risk.
 */

/**
 * Answers one request, logs it in its world, and never rejects for anything that a caller can send. The request takes
 * effect at once, unless a fault delays it or its world is being advanced; then its key, its signature and its limits
 * are judged as of its arrival. `route` is what a router has already found in the request's method and path; null makes
 * the pipeline match them itself.
 */
export async function answerRequest(
  worlds: WorldLookup,
  request: RawRequest,
  route: MatchedRoute | null,
  report: Report,
): Promise<Answer> {
  const story = followRequest(worlds, request, route, report)
  let step = story.next()
  while (step.done !== true) {
    const wait = step.value
    const goOn = () => story.next()
    step = await (wait instanceof WorkQueue
      ? wait.wait(goOn)
      : wait.then(goOn, (failure) => story.throw(failure)))
  }
  return step.value
}

/**
 * Answers a request whose body is still to come, where its head alone decides that it fails: an operation that does not
 * exist, a caller who can't be one, a body that can't be read. Null where the body matters, or where faults or long work
 * come first. Source: RFC 9110, section 10.1.1: such an answer takes the place of `100 Continue`.
 */
export function refuseByHead(worlds: WorldLookup, head: RawRequest): Answer | null {
  const call = resolveCall(worlds, head, null, 0)
  const { world, preference, resolved } = call
  if (world.mustWait() || world.faults.rules.length > 0 || preference.faults.length > 0) return null
  const admission = admit(call, false)
  // The signature covers the body, so nothing is known from there on but the type of the body.
  if (admission.isAdmitted) return null
  if (steps.indexOf(admission.step) < steps.indexOf('signature'))
    return writeAnswer(call, problemResponse(admission.problem, preference.readings), admission, null)
  const readsBody = resolved.ok && routeOf(resolved.operation).body !== null
  const unreadable = readsBody ? findTypeProblem(head.headers) : null
  if (unreadable === null) return null
  const { rate } = admission
  return writeAnswer(
    call,
    problemResponse(unreadable, preference.readings),
    { rate, key: null, allowed: [] },
    null,
  )
}

/**
 * What a request waits for: its turn in a world's queue, or a promise. The steps after a turn begins run within that
 * turn, so no other request can come in between.
 */
type Wait = WorkQueue | Promise<unknown>

/**
 * Follows one request to its answer. It yields wherever the request has to wait, and loops where it has to start over.
 */
function* followRequest(
  worlds: WorldLookup,
  request: RawRequest,
  route: MatchedRoute | null,
  report: Report,
): Generator<Wait, Answer, void> {
  let call = resolveCall(worlds, request, route, 0)
  for (; ; call = resolveCall(worlds, request, route, call.waitedMillis)) {
    const { world } = call
    // The world is busy with long work: wait for the request's turn, then start over, because its key may have been
    // revoked meanwhile.
    if (world.mustWait()) {
      call = yield* waitForTurn(call)
      continue
    }
    try {
      // The request moves the clock of a world that follows its clients. If that takes long, wait, and start over.
      const target = findClientInstant(call)
      const isVerified = target !== null
      if (target !== null) {
        const advance = world.workQueue.begin(world.advanceInSteps(target))
        if (advance instanceof Promise) {
          call = yield* waitFor(call, advance.catch(ignoreAbandonedWork))
          call = yield* waitForTurn(call)
          continue
        }
      }

      // No fault matches, which is the usual case: the venue answers at once.
      const faults = matchFaults(call)
      if (faults === null) return answerAtVenue(call, report, null, isVerified)
      const { plan } = faults

      // A fault delays the request on its way to the venue. If its world is gone when it arrives, or its key has moved
      // to another world, start over.
      if (plan.before.wallMillis > 0) {
        yield pause(plan.before.wallMillis)
        call = yield* waitForTurn(call)
        if (hasLostWorld(call)) continue
      }

      // A fault lets time pass in the world, or needs its past. If that takes long, wait until it is done and for the
      // request's turn; start over if the world is gone by then.
      const preparation = world.workQueue.begin(prepareWorld(world, plan))
      if (preparation instanceof Promise) {
        call = yield* waitFor(call, preparation.catch(ignoreAbandonedWork))
        call = yield* waitForTurn(call)
        if (hasLostWorld(call)) continue
      }

      // A fault answers in place of the venue, or ends the connection: the request never reaches the venue.
      if (plan.instead !== null) return answerByFault(call, plan, plan.instead)

      // The venue answers, and faults change and delay the answer on its way back.
      const answer = changeAnswer(call, plan, answerAtVenue(call, report, faults, false))
      yield delayAnswer(world, plan.after)
      return answer
    } catch (failure) {
      // Something failed: a bug in otcsim, or a journal that can't be written.
      const problem = reportAsProblem(report, failure, world)
      const { status, body } = problemResponse(problem, call.preference.readings)
      return answerInstead(call, { status, body }, null)
    }
  }
}

/** Waits, and returns the call with the time that this took added to its `waitedMillis`. */
function* waitFor(call: Call, wait: Wait): Generator<Wait, Call, void> {
  const { wall } = call.world
  const sinceMillis = wall.nowMillis()
  yield wait
  return { ...call, waitedMillis: call.waitedMillis + wall.nowMillis() - sinceMillis }
}

/** Waits for a call's turn in its world; not at all when the world has no long work under way. */
function* waitForTurn(call: Call): Generator<Wait, Call, void> {
  const { workQueue } = call.world
  let late = call
  while (workQueue.isTaken) late = yield* waitFor(late, workQueue)
  return late
}

/**
 * Returns the instant to which a request takes a world that follows its clients' clocks; null where the world stays
 * where it is. Only a request of a known sender moves a world. Choice: what comes after the signature does not matter,
 * and neither do faults, because a client whose requests are all refused, limited or lost has to get past that in time.
 */
function findClientInstant({ world, request, key, preference, resolved }: Call): Millis | null {
  const { time } = world
  if (world.clock.mode !== 'follow' || !resolved.ok) return null
  // Most requests of a client have the timestamp of another one, which needs no second look at the signature.
  const given = Number(request.headers['x-api-timestamp'])
  if (time.findFollowedInstant(given) === null) return null
  const signedMillis = readSignedInstant(request, key, preference.readings)
  return signedMillis === null ? null : time.findFollowedInstant(signedMillis)
}

/** Returns whether a request's key no longer belongs to the world of its call. */
function hasLostWorld({ worlds, request, world }: Call): boolean {
  return findWorld(worlds, request).world !== world
}

/**
 * Finds the faults that match a request; null when none does. This is decided when the request is complete, so requests
 * that wait do not change what matches others. The faults of a Prefer header count only for callers who hold
 * the request's key.
 */
function matchFaults(call: Call): MatchedFaults | null {
  const { world, preference } = call
  if (world.faults.rules.length === 0 && preference.faults.length === 0) return null
  const facts = describeForFaults(call)
  const hits = world.faults.rules.length === 0 ? [] : world.fireFaults(facts)
  const preferred = preference.faults.filter(({ rule }) => isAbout(rule.type, facts.operation()))
  if (preferred.length > 0 && holdsKey(call))
    for (const { rule } of preferred) hits.push(createFiredFault('prefer', rule, world.seed, 1))
  return hits.length === 0 ? null : { plan: planFaults(hits), facts }
}

/** Returns whether a request passes every step up to the signature, so that its caller has proved to hold its key. */
function holdsKey(call: Call): boolean {
  const admission = admit(call, false)
  return admission.isAdmitted || !steps.slice(0, steps.indexOf('rate')).includes(admission.step)
}

/** Prepares a world for a request, which may take long: lets time pass, and reads the past. */
function* prepareWorld(world: World, { before, lags }: FaultPlan): Steps<void> {
  yield* passTime(world, before)
  yield* world.delayedViews.catchUp(lags)
}

/** Moves the world's clock on, as if the request had been under way for that long. */
function* passTime(world: World, delay: FaultDelay): Steps<void> {
  if (delay.worldMillis > 0) yield* world.advanceInSteps(instantAfterDelay(world.now, delay))
}

function ignoreAbandonedWork(failure: unknown): void {
  if (!(failure instanceof WorkAbandoned)) throw failure
}

/** Holds an answer back. What the venue has answered stands, even where its world cannot go on. */
async function delayAnswer(world: World, delay: FaultDelay): Promise<void> {
  try {
    if (delay.worldMillis > 0) await world.workQueue.begin(passTime(world, delay))
  } catch (failure) {
    if (!(failure instanceof JournalUnwritable)) ignoreAbandonedWork(failure)
  }
  await pause(delay.wallMillis)
}

/**
 * Answers as the venue itself does. `faults` is null when no fault matches; `isVerified` says that the request has the right
 * signature.
 */
function answerAtVenue(
  call: Call,
  report: Report,
  faults: MatchedFaults | null,
  isVerified: boolean,
): Answer {
  const { world, preference } = call
  const { readings } = preference
  const plan = faults?.plan ?? null
  const admission = admit(call, true, plan?.skewMillis, isVerified)
  if (!admission.isAdmitted)
    return writeAnswer(call, problemResponse(admission.problem, readings), admission, plan)
  const { key, rate, request } = admission
  const { account } = key
  const response = carryOutSafely(call, report, () =>
    faults === null
      ? world.handle(account, request, readings)
      : handleWithFaults(world, faults.plan, { account, request, facts: faults.facts }, readings),
  )
  return writeAnswer(call, response, { rate, key, allowed: [] }, plan)
}

/** Carries out an operation, and turns a failure within it into an answer. */
function carryOutSafely(call: Call, report: Report, carryOut: () => ApiResponse): ApiResponse {
  try {
    return carryOut()
  } catch (failure) {
    return problemResponse(reportAsProblem(report, failure, call.world), call.preference.readings)
  }
}

/**
 * The outcome of all steps before the operation: the request for the operation, or the step that refused it and why.
 */
export type Admission =
  | {
      readonly isAdmitted: false
      readonly step: Step
      readonly problem: Problem
      readonly rate: RateVerdict
      /** Null until the caller has proved to hold the key. */
      readonly key: ApiKey | null
      /** The methods of a path that does not have the request's, for an Allow header. */
      readonly allowed: readonly string[]
    }
  | {
      readonly isAdmitted: true
      readonly key: ApiKey
      readonly rate: RateVerdict
      readonly request: ApiRequest
    }

/**
 * Takes a request through every step before the operation. `isCounted` is whether it counts against the rate limit;
 * `skewMillis` is added to the clock that its timestamp is compared with. With `isVerified`, its signature was verified
 * before.
 */
export function admit(call: Call, isCounted: boolean, skewMillis = 0, isVerified = false): Admission {
  const { world, request, preference, resolved } = call
  const { readings } = preference
  const rateMillis = readRateClock(call)
  const category = rateCategory(resolved, request.path)
  const readUnusedVerdict = () => world.limiter.unusedVerdict(category, rateMillis)
  if (!resolved.ok)
    return { ...refuseAt('route', resolved.problem, readUnusedVerdict(), null), allowed: resolved.allowed }

  const signedMillis = Number(request.headers['x-api-timestamp'])
  const judgedMillis = world.wall.judgeMillis?.(signedMillis) ?? world.wall.nowMillis()
  const wallMillis = judgedMillis - call.waitedMillis
  const skew = skewMillis + world.scripted.skewMillis
  // The world's clock is read only if a reading asks for it, because reading it costs time.
  const worldMillis = readings['auth.clock'] === 'wall' ? wallMillis : world.time.presentMillis
  const { latestFollowedMillis: latestMillis } = world.time
  const isFollowing = world.clock.mode === 'follow'
  const machineMillis = isFollowing ? world.wall.nowMillis() : 0
  const follows = isFollowing ? { nowMillis: world.now, latestMillis, machineMillis } : null
  const clocks = { wallMillis: wallMillis + skew, worldMillis: worldMillis + skew, follows }
  const key = authenticate(request, call.key, readings, clocks, isVerified)
  if (isDenial(key)) {
    const problem = explainDenial(key, request, call.key, readings)
    return refuseAt(key.step, problem, readUnusedVerdict(), null)
  }

  const algorithm = readingsForRequest(world)['rate.algorithm']
  const rate = isCounted
    ? world.limiter.countRequest(call.apiKey, category, algorithm, rateMillis)
    : world.limiter.peek(call.apiKey, category, algorithm, rateMillis)
  if (!rate.isAllowed) return refuseAt('rate', tooManyRequests(rate, rateMillis), rate, key)

  const { operation, parameter } = resolved
  const unscoped = checkScope(key.scopes, operation, readings)
  if (unscoped !== null) return refuseAt('scope', unscoped, rate, key)
  if (preference.problem !== null) return refuseAt('preference', preference.problem, rate, key)

  const readsBody = routeOf(operation).body !== null
  const unreadable = readsBody ? findMediaTypeProblem(request) : null
  if (unreadable !== null) return refuseAt('content-type', unreadable, rate, key)
  const body = readsBody ? request.body.toString('utf8') : ''
  return { isAdmitted: true, key, rate, request: { operation, parameter, query: request.query, body } }
}

function refuseAt(step: Step, problem: Problem, rate: RateVerdict, key: ApiKey | null) {
  return { isAdmitted: false as const, step, problem, rate, key, allowed: [] }
}

function tooManyRequests(rate: RateVerdict, nowMillis: number): Problem {
  return { code: 'rate-limited', hint: `the window resets in ${rate.resetMillis - nowMillis} ms` }
}
