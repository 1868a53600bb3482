import { scriptedPrefix } from '../../api/faults/fault-digest.ts'
import { faultKind } from '../../api/faults/fault-types.ts'
import { latencyMillis } from '../../api/faults/latency.ts'
import type { Strike } from './fault-book.ts'

/** What strikes one request, in the order in which it meets it. */
export interface FaultPlan {
  /** For `X-Sim-Fault` and the request log: `flt_1 latency, flt_2 reset_peer`. */
  readonly label: string
  /** The token of the scenario's action that has put it there; null when no scenario has. */
  readonly token: string | null
  readonly before: Delay
  readonly after: Delay
  /** Answers in place of the operation, which is not carried out; the oldest rule's. */
  readonly instead: Strike | null
  /** Takes the place of the operation's answer; the oldest rule's. */
  readonly replaces: Strike | null
  /** How the answer travels; the oldest rule's. */
  readonly shape: Strike | null
  readonly bodies: readonly Strike[]
  readonly venue: readonly Strike[]
  /** How old the state is that is read, milliseconds. */
  readonly lags: readonly Strike[]
  /** What is added to the clock that timestamps are held against. */
  readonly skewMillis: number
}

export interface Delay {
  readonly wallMillis: number
  readonly worldMillis: number
}

/** Delays add up; of what can only be once, the oldest rule counts. */
export function planOf(strikes: readonly Strike[]): FaultPlan {
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

/** Rules of a script are called after the action. */
function tokenOf(strikes: readonly Strike[]): string | null {
  const scripted = strikes.find(({ id }) => id.startsWith(scriptedPrefix))
  return scripted === undefined ? null : scripted.id.slice(scriptedPrefix.length)
}

function delaysOf(strikes: readonly Strike[]): { readonly before: Delay; readonly after: Delay } {
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
