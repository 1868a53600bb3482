import { formatDuration, millisToIso } from '../../numeric/time-text.ts'
import type { CompiledScenario, TimelineEntry } from '../../scenario/compile/compiled.ts'
import type { RequestPattern } from '../../scenario/compile/request-pattern.ts'
import type { AwaitAction } from '../../scenario/compile/scripted-action.ts'
import type { World } from '../../world/world.ts'
import type { Check } from './run-report.ts'

/** How the part of a run with a client ended, and where the world stood. */
export type LiveEnd = { readonly nowMillis: number } & (
  | { readonly kind: 'scenario-ended' }
  | { readonly kind: 'client-ended'; readonly code: number }
  | { readonly kind: 'interrupted' }
  /** Something awaited did not come within its real time. */
  | {
      readonly kind: 'nothing-came'
      readonly entry: TimelineEntry
      readonly limitMillis: number
      readonly seen: string
    }
  | {
      readonly kind: 'too-long'
      readonly limitMillis: number
      readonly waitsFor: readonly string[]
      readonly seen: string
    }
)

export interface LiveWatch {
  /** Why the client was told to end; null when it was not. */
  end(): LiveEnd | null
  close(): void
}

const usualAwaitMillis = 60_000
const lookEveryMillis = 20

/** Looks at a served world from time to time, and says when the client should end. */
export function watchLive(world: World, wallLimitMillis: number, stop: () => void): LiveWatch {
  const startedAt = performance.now()
  const since = new Map<TimelineEntry, number>()
  let end: LiveEnd | null = null
  const timer = setInterval(() => {
    // An advance that is under way has its line, by which the run is judged, only at its end.
    if (end !== null || world.turns.isPaused) return
    world.time.catchUp()
    end = endNow(world, wallLimitMillis, startedAt, since)
    if (end !== null) stop()
  }, lookEveryMillis)
  return { end: () => end, close: () => clearInterval(timer) }
}

function endNow(
  world: World,
  wallLimitMillis: number,
  startedAt: number,
  since: Map<TimelineEntry, number>,
): LiveEnd | null {
  const { endMillis } = world.scenario.clock
  const nowMillis = world.now
  if (endMillis !== null && nowMillis >= endMillis) return { kind: 'scenario-ended', nowMillis }
  const awaits = world.running.script.awaits
  const wallMillis = performance.now()
  for (const entry of [...since.keys()]) if (!awaits.includes(entry)) since.delete(entry)
  for (const entry of awaits) {
    const { action } = entry
    if (action.kind !== 'await' || !action.isRequired) continue
    if (!since.has(entry)) since.set(entry, wallMillis)
    const limitMillis = action.wallTimeoutMillis ?? usualAwaitMillis
    if (wallMillis - (since.get(entry) ?? wallMillis) >= limitMillis)
      return { kind: 'nothing-came', nowMillis, entry, limitMillis, seen: seenBy(world) }
  }
  if (wallMillis - startedAt < wallLimitMillis) return null
  const waitsFor = awaits.map(nameOf)
  return { kind: 'too-long', nowMillis, limitMillis: wallLimitMillis, waitsFor, seen: seenBy(world) }
}

/** What there is to report about the client besides the scenario's own expectations; null when all is well. */
export function clientCheck(scenario: CompiledScenario, end: LiveEnd, file: string): Check | null {
  const { startMillis } = scenario.venue
  const stands = `the world stood at ${millisToIso(end.nowMillis)} (+${formatDuration(end.nowMillis - startMillis)})`
  const top = { file, line: 1, column: 1 }
  switch (end.kind) {
    case 'nothing-came': {
      const { entry, limitMillis } = end
      const expected = `${nameOf(entry)}, within ${formatDuration(limitMillis)} of real time`
      const { place } = entry
      const failure = { expected, got: `it did not come: ${stands}, ${end.seen}`, places: [place] }
      return { text: expected, message: 'what is awaited comes in real time', place, failure }
    }
    case 'too-long': {
      const expected = `the run is over within ${formatDuration(end.limitMillis)} of real time`
      const waits = end.waitsFor.length === 0 ? '' : `, waiting for ${end.waitsFor.join(' and for ')}`
      const got = `${stands}${waits}, ${end.seen}; ${moverOf(scenario)}`
      return { text: expected, message: null, place: top, failure: { expected, got, places: [top] } }
    }
    case 'client-ended': {
      const text = 'the client ends with 0'
      const got = `it ended with ${end.code}; ${stands}`
      const failure = end.code === 0 ? null : { expected: text, got, places: [top] }
      return { text, message: null, place: top, failure }
    }
    default:
      return null
  }
}

/** What moves the clock, as a reason why no time may have passed. */
function moverOf({ clock }: CompiledScenario): string {
  switch (clock.mode ?? 'realtime') {
    case 'manual':
      return 'its clock is moved by POST clock/advance only'
    case 'auto':
      return 'its clock is moved by the requests of clients only'
    case 'realtime':
      return `its clock runs ${clock.speed} times as fast as real time`
  }
}

function nameOf({ id, action, place }: TimelineEntry): string {
  const name = id ?? `line ${place.line}`
  return action.kind === 'await' ? `await ${name}: ${awaitedText(action)}` : name
}

function awaitedText({ request, that }: AwaitAction): string {
  return request === null ? (that?.text ?? '') : patternText(request)
}

function patternText({ method, path, apiKey, account, status }: RequestPattern): string {
  const parts = [
    [method, path].filter((part) => part !== null).join(' ') || 'a request',
    ...(account === null ? [] : [`by ${account}`]),
    ...(apiKey === null ? [] : [`with the key ${apiKey}`]),
    ...(status === null ? [] : [`answered with ${status}`]),
  ]
  return parts.join(' ')
}

function seenBy({ requests }: World): string {
  const count = requests.nextSequence - 1
  const last = requests.since(count - 1).at(-1)
  if (last === undefined) return 'and no request came at all'
  const { method, path, account, status } = last
  const requestsText = count === 1 ? 'the one request that came' : `the last of ${count} requests`
  return `${requestsText} was ${method} ${path} by ${account ?? 'nobody'}, answered with ${status}`
}
