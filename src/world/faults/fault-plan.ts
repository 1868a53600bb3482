import { STATUS_CODES } from 'node:http'
import { type FaultAnswer, faultKind } from '../../api/faults/fault-types.ts'
import { latencyMillis, scriptedPrefix } from '../../api/faults/matches-fault.ts'
import type { Readings } from '../../api/readings/readings.ts'
import { lastWorldMillis } from '../../numeric/time-text.ts'
import { type Millis, millis } from '../../numeric/units.ts'
import type { FaultHit } from './fault-book.ts'

/** The faults that strike one request, in the order in which it meets them. */
export interface FaultPlan {
  /** For `X-Sim-Fault` and the request log: `flt_1 latency, flt_2 reset_peer`. */
  readonly label: string
  /** The token of the scenario action that installed the fault; null when it came from elsewhere. */
  readonly token: string | null
  readonly before: FaultDelay
  readonly after: FaultDelay
  /** Answers instead of the operation, which is not carried out. The oldest rule wins. */
  readonly instead: FaultHit | null
  /** Replaces the answer of the operation, which is carried out. The oldest rule wins. */
  readonly replaces: FaultHit | null
  /** Changes how the answer travels. The oldest rule wins. */
  readonly shape: FaultHit | null
  readonly bodies: readonly FaultHit[]
  readonly venue: readonly FaultHit[]
  /** The age of the state that is read, in milliseconds. */
  readonly lags: readonly FaultHit[]
  /** Added to the clock that timestamps are checked against. */
  readonly skewMillis: number
}

export interface FaultDelay {
  readonly wallMillis: number
  readonly worldMillis: number
}

/** Where a world's clock stands after a delay; not beyond the end of time. */
export function instantAfterDelay(nowMillis: Millis, { worldMillis }: FaultDelay): Millis {
  return millis(Math.min(nowMillis + worldMillis, lastWorldMillis))
}

/** Delays add up; where only one fault can act, the oldest rule wins. */
export function planOf(strikes: readonly FaultHit[]): FaultPlan {
  const of = (...places: readonly string[]) =>
    strikes.filter(({ rule }) => places.includes(faultKind(rule.type).place))
  const ends = of('wire', 'answer')
  return {
    label: strikes.map(({ id, rule }) => `${id} ${rule.type}`).join(', '),
    token: tokenOf(strikes),
    ...delaysOf(of('delay')),
    instead: ends.find(({ rule }) => rule.phase === 'before') ?? null,
    replaces: ends.find(({ rule }) => rule.phase === 'after') ?? null,
    shape: of('shape')[0] ?? null,
    bodies: of('body'),
    venue: of('venue'),
    lags: of('lag'),
    skewMillis: of('clock').reduce((sum, { rule }) => sum + (rule.attributes.skewMs ?? 0), 0),
  }
}

/** Rules that a script has installed are named after its action. */
function tokenOf(strikes: readonly FaultHit[]): string | null {
  const scripted = strikes.find(({ id }) => id.startsWith(scriptedPrefix))
  return scripted === undefined ? null : scripted.id.slice(scriptedPrefix.length)
}

function delaysOf(strikes: readonly FaultHit[]): { readonly before: FaultDelay; readonly after: FaultDelay } {
  const sums = {
    before: { wallMillis: 0, worldMillis: 0 },
    after: { wallMillis: 0, worldMillis: 0 },
  }
  for (const { rule, draws } of strikes) {
    const late = latencyMillis(rule.attributes, draws)
    const sum = sums[rule.phase]
    if (rule.attributes.clock === 'world') sum.worldMillis += late
    else sum.wallMillis += late
  }
  return sums
}

/** What a fault answers instead of the venue; null for one that gives no answer at all. */
export function faultAnswer({ rule }: FaultHit, readings: Readings): FaultAnswer | null {
  const phrase = (status: number) => STATUS_CODES[status] ?? 'Error'
  return faultKind(rule.type).answer?.(rule.attributes, readings, phrase) ?? null
}

/** A fault without a flaw of the body leaves it as it is. */
export function flawedBody({ rule }: FaultHit, body: object): object {
  return faultKind(rule.type).flaw?.(body) ?? body
}
