import { parseJson } from '../../api/json.ts'
import { JournalUnwritable } from '../../journal/journal-file.ts'
import { flawedBody } from '../../world/faults/body-flaws.ts'
import { faultAnswer } from '../../world/faults/fault-answer.ts'
import { type FaultHit, strikeOf } from '../../world/faults/fault-book.ts'
import { type Delay, type FaultPlan, instantAfterDelay, planOf } from '../../world/faults/fault-plan.ts'
import { factsOf } from '../../world/faults/request-facts.ts'
import { performUnder } from '../../world/faults/venue-faults.ts'
import type { Steps } from '../../world/work-queue.ts'
import { WorkAbandoned } from '../../world/work-queue.ts'
import type { World } from '../../world/world.ts'
import type { Answer } from '../transport/answer.ts'
import type { Report } from '../transport/report.ts'
import { deliveryOf, pause } from './faults-on-the-wire.ts'
import {
  answerCall,
  answerInstead,
  type Call,
  callOf,
  inItsTurn,
  pass,
  retryHeader,
  steps,
} from './venue-pipeline.ts'

/*
 * One venue request under faults. They act in the order of a real request's way: what delays it, what ends it before
 * it reaches the venue, the venue itself, what happens to the answer. Which faults strike is decided when the request
 * is complete, so requests that wait do not change what strikes others.
 */

/** The same as `answerCall`, under the faults of the call's world and of its Prefer header. */
export function answerUnderFaults(
  call: Call,
  report: Report,
  answerAnew: (late: Call) => Answer | Promise<Answer>,
): Answer | Promise<Answer> {
  const { world, request, apiKey, key, preference } = call
  const { method, path, query } = request
  const body = request.body.toString('utf8')
  const facts = factsOf(world, { method, path, query, body, apiKey, account: key?.accountId ?? null })
  const strikes = world.faults.isEmpty ? [] : world.controls.strikesOf(facts)
  if (preference.fault !== null && isOwned(call))
    strikes.push(strikeOf('prefer', preference.fault, world.seed, 1))
  if (strikes.length === 0) return answerCall(call, report, null)
  const plan = planOf(strikes)
  const answer = (arrived: Call): Answer | Promise<Answer> => {
    if (plan.instead !== null) return ended(arrived, plan, plan.instead)
    const { label, token, skewMillis } = plan
    const answered = answerCall(arrived, report, {
      label,
      token,
      skewMillis,
      perform: (account, asked, readings) =>
        performUnder(world, plan, { account, request: asked, facts }, readings),
    })
    const changed = onItsWay(arrived, plan, answered)
    const { wallMillis, worldMillis } = plan.after
    return wallMillis + worldMillis === 0 ? changed : passAfter(world, plan.after).then(() => changed)
  }
  const arrive = (arrived: Call): Answer | Promise<Answer> => {
    const there = world.turns.begin(comeNear(world, plan))
    if (!(there instanceof Promise)) return answer(arrived)
    const inItsOwn = inItsTurn(arrived, (late) => inTurn(late, answer, answerAnew))
    return there.then(inItsOwn, (failure) => {
      if (failure instanceof WorkAbandoned) return inItsOwn()
      throw failure
    })
  }
  const wait = plan.before.wallMillis
  return wait === 0 ? arrive(call) : pause(wait).then(() => inTurn(call, arrive, answerAnew))
}

/** What a request needs of its world before it is answered, and may take long: time that passes, a past to be read. */
function* comeNear(world: World, { before, lags }: FaultPlan): Steps<void> {
  yield* letPass(world, before)
  yield* world.past.follow(lags)
}

/** Moves the world's clock on, as if the request had been under way for that long. */
function* letPass(world: World, delay: Delay): Steps<void> {
  if (delay.worldMillis > 0) yield* world.advanceInSteps(instantAfterDelay(world.now, delay))
}

/** What the venue has answered stands, whether its world can go on or not. */
async function passAfter(world: World, delay: Delay): Promise<void> {
  try {
    await world.turns.begin(letPass(world, delay))
  } catch (failure) {
    if (!(failure instanceof JournalUnwritable || failure instanceof WorkAbandoned)) throw failure
  }
  await pause(delay.wallMillis)
}

/**
 * A request that was under way for long may come to a world in the middle of an advance, or to one that is gone: then
 * its key is another world's or nobody's.
 */
function inTurn(
  call: Call,
  answer: (arrived: Call) => Answer | Promise<Answer>,
  answerAnew: (late: Call) => Answer | Promise<Answer>,
): Answer | Promise<Answer> {
  const { turns } = call.world
  if (turns.isTaken) return turns.wait(inItsTurn(call, (late) => inTurn(late, answer, answerAnew)))
  const isThere = callOf(call.worlds, call.request).world === call.world
  return isThere ? answer(call) : answerAnew(call)
}

/** Faults in a Prefer header count only for callers who hold the request's key. */
function isOwned(call: Call): boolean {
  const passage = pass(call, false)
  return passage.isThrough || !steps.slice(0, steps.indexOf('rate')).includes(passage.step)
}

/** The request never reaches the venue. */
function ended(call: Call, plan: FaultPlan, strike: FaultHit): Answer {
  const { preference } = call
  const instead = faultAnswer(strike, preference.readings)
  const deliver = deliveryOf(strike)
  const answer = answerInstead(call, instead, plan)
  return deliver === null ? shaped(plan, answer) : { ...answer, deliver }
}

/** What happens to the venue's answer. */
function onItsWay(call: Call, plan: FaultPlan, answer: Answer): Answer {
  const { replaces } = plan
  if (replaces === null) return shaped(plan, flawed(plan, answer))
  const instead = faultAnswer(replaces, call.preference.readings)
  if (instead === null) return { ...answer, ...deliverable(replaces) }
  const { status, text, type, retryAfter } = instead
  const { lines = '' } = answer
  // The venue's own answer may have been a 429.
  const own = answer.headers.indexOf('Retry-After')
  const others = own < 0 ? answer.headers : answer.headers.toSpliced(own, 2)
  const headers = [...others, ...retryHeader(call, status, retryAfter)]
  const body = text ?? JSON.stringify(instead.body)
  return shaped(plan, { status, lines, headers, body, ...(type === null ? {} : { type }) })
}

function shaped({ shape }: FaultPlan, answer: Answer): Answer {
  return shape === null ? answer : { ...answer, ...deliverable(shape) }
}

function deliverable(strike: FaultHit): Pick<Answer, 'deliver'> {
  const deliver = deliveryOf(strike)
  return deliver === null ? {} : { deliver }
}

const htmlType = 'text/html'

function flawed({ bodies }: FaultPlan, answer: Answer): Answer {
  let changed = answer
  for (const { rule } of bodies) {
    const text = changed.body.toString()
    if (rule.type === 'truncated_json')
      changed = { ...changed, body: text.slice(0, Math.floor(text.length / 2)) }
    else if (rule.type === 'wrong_content_type') changed = { ...changed, type: htmlType }
    else changed = { ...changed, body: flawedText(rule.type, text) }
  }
  return changed
}

/** An earlier flaw may have left a body that is not JSON. */
function flawedText(type: FaultHit['rule']['type'], text: string): string {
  const body = parseJson(text)
  return typeof body === 'object' && body !== null ? JSON.stringify(flawedBody(type, body)) : text
}
