import { randomBytes } from 'node:crypto'
import { parseJson } from '../../api/json.ts'
import { routeOf } from '../../api/routes/routes.ts'
import { CliFailure, exitCode } from '../failure.ts'
import { shrinkList } from '../journal/shrink-list.ts'
import { send } from '../request/running-venue.ts'
import { type Credentials, signedHeaders } from '../request/signing.ts'
import type { FirstWorldOptions } from '../serve/first-world.ts'
import { environmentOf, type LocalVenue, startLocalVenue } from '../serve/local-venue.ts'
import type { Terminal } from '../terminal.ts'
import { type Answered, flawOfAnswer } from './fuzz-checks.ts'
import { idPlace, type PlannedRequest, plannedRequests } from './fuzz-requests.ts'

export interface FuzzOptions extends FirstWorldOptions {
  readonly requests: number
  readonly against?: string
  readonly key?: string
  readonly secret?: string
  readonly json?: boolean
}

/** Where requests go, and the digest of the venue's state; null where that is not available. */
interface Target {
  readonly url: string
  readonly credentials: Credentials
  readonly digest: () => string | null
}

interface Found {
  readonly index: number
  readonly flaw: string
  readonly request: string
  readonly answer: Answered
}

/**
 * Sends requests generated from the interface's schemas by a seed, and looks for answers that the interface does not
 * have: failures of the service, undeclared statuses, bodies of another shape, and refused requests that changed
 * something. With a venue of its own, it finds the shortest list of requests that still shows the problem. Fails when
 * it finds one (1).
 */
export async function fuzz(options: FuzzOptions, terminal: Terminal): Promise<void> {
  const seed = options.seed ?? randomBytes(4).toString('hex')
  const plans = plannedRequests(seed, options.requests)
  const { finding: found, successes } =
    options.against === undefined
      ? await fuzzOwn(plans, options, terminal)
      : await fuzzForeign(plans, options)
  const about = `${options.requests} requests, ${successes} of them accepted, seed "${seed}"`
  if (options.json === true)
    terminal.out(
      `${JSON.stringify({ ok: found === null, seed, requests: options.requests, successes, found })}\n`,
    )
  else if (found === null) terminal.out(`ok  ${about}\n`)
  else terminal.out(foundText(found, about))
  if (found !== null)
    throw new CliFailure(exitCode.expectationFailed, 'an answer is not as the interface has it')
}

interface Outcome {
  readonly successes: number
  readonly finding: Finding | null
}

interface Finding extends Found {
  /** The requests that show it, as few as possible. */
  readonly requests: readonly string[]
}

async function fuzzForeign(
  plans: readonly PlannedRequest[],
  { against = '', key, secret }: FuzzOptions,
): Promise<Outcome> {
  if (key === undefined || secret === undefined)
    throw new CliFailure(exitCode.usage, '--against needs --key and --secret')
  const target = {
    url: against,
    credentials: { apiKey: key, apiSecret: secret },
    digest: () => null,
  }
  const { found, sent, successes } = await run(plans, target)
  return { successes, finding: found === null ? null : { ...found, requests: sent } }
}

async function fuzzOwn(
  plans: readonly PlannedRequest[],
  options: FuzzOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const venue = await startLocalVenue({ ...options, clock: 'manual' }, terminal)
  try {
    const { found, successes } = await runFresh(plans, venue)
    if (found === null) return { successes, finding: null }
    const upTo = plans.slice(0, found.index + 1)
    const isSame = async (candidate: readonly PlannedRequest[]) =>
      (await runFresh(candidate, venue)).found?.flaw === found.flaw
    const few = (await isSame(upTo)) ? await shrinkList(upTo, isSame) : upTo
    const again = await runFresh(few, venue)
    return { successes, finding: { ...(again.found ?? found), requests: again.sent } }
  } finally {
    await venue.close()
  }
}

interface Ran {
  readonly found: Found | null
  readonly sent: readonly string[]
  /** How many were answered with 2xx. */
  readonly successes: number
}

/** In a world of its own, without rate limits. */
async function runFresh(
  plans: readonly PlannedRequest[],
  { worlds, world: first, server }: LocalVenue,
): Promise<Ran> {
  const { scenario, seed, clock, readings } = first
  const made = worlds.create(scenario, { seed, clock, readings })
  if (!made.ok) throw new CliFailure(exitCode.internal, 'a world from a counter is free')
  const { world } = made
  world.controls.setRateLimits({ ...world.limiter.limits, isEnabled: false })
  const { OTC_API_KEY: apiKey = '', OTC_API_SECRET: apiSecret = '' } = environmentOf(server, world, null)
  const target = {
    url: server.url,
    credentials: { apiKey, apiSecret, rules: readings },
    digest: () => world.digest(),
  }
  const ran = await run(plans, target)
  worlds.delete(world.id)
  return ran
}

/** Sends requests until the first answer that is wrong. */
async function run(plans: readonly PlannedRequest[], target: Target): Promise<Ran> {
  const ids = { order: ['ord_0'], quote: ['quo_0'] }
  const sent: string[] = []
  let successes = 0
  for (const [index, plan] of plans.entries()) {
    const { method } = routeOf(plan.operation)
    const path = pathOf(plan, ids)
    const body = bodyOf(plan, ids)
    const before = target.digest()
    const answer = await ask(target, method, path, body)
    const request = `${method} ${path}${body === '' ? '' : ` ${body}`}`
    sent.push(request)
    learn(answer, ids)
    if (answer.status < 300) successes += 1
    const flaw =
      flawOfAnswer(plan.operation, answer) ??
      (answer.status >= 400 && target.digest() !== before
        ? `answers ${answer.status}, and has changed something`
        : null)
    if (flaw !== null) return { found: { index, flaw, request, answer }, sent, successes }
  }
  return { found: null, sent, successes }
}

interface Ids {
  readonly order: string[]
  readonly quote: string[]
}

function pathOf({ operation, parameter, query }: PlannedRequest, ids: Ids): string {
  const text = parameter.kind === 'text' ? parameter.text : newest(ids[parameter.kind], parameter.back)
  const path = routeOf(operation).path.replace(/:[A-Za-z]+/, () => encodeURIComponent(text))
  const search = query.map(([name, value]) => `${name}=${encodeURIComponent(withIds(value, ids))}`).join('&')
  return search === '' ? path : `${path}?${search}`
}

const bodyOf = ({ body }: PlannedRequest, ids: Ids): string => withIds(body, ids)

const withIds = (text: string, ids: Ids): string =>
  text
    .replaceAll(idPlace.order, () => newest(ids.order, 0))
    .replaceAll(idPlace.quote, () => newest(ids.quote, 0))

const newest = (ids: readonly string[], back: number): string => ids.at(-1 - (back % ids.length)) ?? ''

async function ask(
  { url, credentials }: Target,
  method: string,
  path: string,
  body: string,
): Promise<Answered> {
  const headers = signedHeaders({ method, path, body, timestamp: String(Date.now()) }, credentials)
  const response = await send(url + path, {
    method,
    headers: body === '' ? headers : { ...headers, 'Content-Type': 'application/json' },
    ...(body === '' ? {} : { body }),
  })
  return { status: response.status, body: parseJson(await response.text()) }
}

/** Remembers ids from answers, so that later requests can use them. */
function learn({ status, body }: Answered, ids: Ids): void {
  if (status >= 300 || typeof body !== 'object' || body === null) return
  const text = JSON.stringify(body)
  for (const [, kind, id] of text.matchAll(/"(order|quote)Id":"([^"]+)"/g)) {
    if (id === undefined || (kind !== 'order' && kind !== 'quote')) continue
    if (!ids[kind].includes(id)) ids[kind].push(id)
  }
}

function foundText({ flaw, requests, answer }: Finding, about: string): string {
  const lines = [`${flaw}  (${about})`, ...requests.map((request) => `  ${request}`)]
  return `${[...lines, `  -> ${answer.status} ${JSON.stringify(answer.body)}`].join('\n')}\n`
}
