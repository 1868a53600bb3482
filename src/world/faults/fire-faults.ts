import { STATUS_CODES } from 'node:http'
import { type FaultAnswer, type FaultRule, faultKind } from '../../api/faults/fault-types.ts'
import {
  type ActiveFault,
  createDraws,
  digestWithFaults,
  drawLatencyMillis,
  type FaultRequest,
  matchesFault,
  scriptedPrefix,
  shouldStrike,
} from '../../api/faults/matches-fault.ts'
import type { KnownNames } from '../../api/faults/read-fault-rule.ts'
import { defaultReadings, type Readings } from '../../api/readings/readings.ts'
import type { AnswerLoss } from '../../api/request-words.ts'
import { firstClientAccount } from '../../engine/codes.ts'
import type { State } from '../../engine/state.ts'
import type { FaultBookState } from '../../journal/world-snapshot.ts'
import type { RandomStream } from '../../numeric/random.ts'
import { lastWorldMillis } from '../../numeric/time-text.ts'
import { type Millis, millis } from '../../numeric/units.ts'

/*
 * Which faults strike which request: the fault rules of a world count the requests that match them, some fire, and the
 * faults that fired become one plan for the request. `api/faults` says what a fault is.
 */

/** A fault that fired for one request: its rule, and the random draws that decide its details. */
export interface FiredFault {
  readonly id: string
  readonly rule: FaultRule
  readonly draws: RandomStream
}

/** The fault rules of one world, in order of installation, with how often each has matched and fired. */
export class FaultBook {
  /**
   * The rules in force, and perhaps some whose time has just ended, which `list` leaves out. Callers only read this.
   */
  rules: readonly ActiveFault[] = []
  private addedCount = 0
  /** How many matches of each rule, by its id, have not been reported to the world's observer yet. */
  readonly unreported = new Map<string, number>()

  /** Lists the rules in force at an instant. */
  list(nowMillis: number): readonly ActiveFault[] {
    this.dropEnded(nowMillis)
    return this.rules
  }

  get(id: string): ActiveFault | undefined {
    return this.rules.find((active) => active.id === id)
  }

  /** Returns an unused id for a rule that has none. */
  freeId(): string {
    let count = this.addedCount + 1
    while (this.get(`flt_${count}`) !== undefined) count += 1
    return `flt_${count}`
  }

  /** Installs a rule with counts of 0. It replaces a rule with the same id. */
  add(id: string, rule: FaultRule, nowMillis: number): ActiveFault {
    const untilMillis = rule.forMillis === null ? null : nowMillis + rule.forMillis
    const active = { id, rule, untilMillis, matched: 0, fired: 0 }
    this.addedCount += 1
    this.rules =
      this.get(id) === undefined
        ? [...this.rules, active]
        : this.rules.map((other) => (other.id === id ? active : other))
    return active
  }

  /** Removes the rule with an id, or all rules for null. Returns false when there is none with that id. */
  remove(id: string | null): boolean {
    const before = this.rules.length
    this.rules = id === null ? [] : this.rules.filter((active) => active.id !== id)
    return id === null || this.rules.length < before
  }

  /**
   * Counts a request with every rule that matches it, and returns the faults that fire, in order of installation. Rules
   * do not influence each other: a rule with phase `after` also counts a request that another rule answers in the
   * venue's place, because adding that other rule must not shift it. `counted` is called for each rule that has
   * counted, with whether it fires.
   */
  fire(
    facts: FaultRequest,
    seed: string,
    nowMillis: number,
    counted: (active: ActiveFault, fires: boolean) => void,
  ): FiredFault[] {
    this.dropEnded(nowMillis)
    const firedFaults: FiredFault[] = []
    for (const { id, rule, matched, fired } of this.rules) {
      if (!matchesFault(rule, facts)) continue
      const n = matched + 1
      const firesNow = shouldStrike(seed, rule, n, fired)
      const active = this.setCounts(id, n, fired + (firesNow ? 1 : 0))
      if (active !== null) counted(active, firesNow)
      if (firesNow) firedFaults.push(createFiredFault(id, rule, seed, n))
    }
    return firedFaults
  }

  /** Sets a rule's counts. Returns null when there is no rule with that id. */
  setCounts(id: string, matched: number, fired: number): ActiveFault | null {
    const rule = this.get(id)
    if (rule === undefined) return null
    const counted = { ...rule, matched, fired }
    this.rules = this.rules.map((active) => (active === rule ? counted : active))
    return counted
  }

  capture(nowMillis: number): FaultBookState {
    this.dropEnded(nowMillis)
    return { rules: this.rules, made: this.addedCount }
  }

  restore({ rules, made }: FaultBookState): void {
    this.rules = rules
    this.addedCount = made
  }

  digestWith(digest: string, nowMillis: number): string {
    return digestWithFaults(digest, this.list(nowMillis))
  }

  private dropEnded(nowMillis: number): void {
    if (this.rules.every(({ untilMillis }) => untilMillis === null || nowMillis < untilMillis)) return
    this.rules = this.rules.filter(({ untilMillis }) => untilMillis === null || nowMillis < untilMillis)
  }
}

/** Creates the fault that a rule fires at its n-th match. The first draw is skipped: it decided that the rule fires. */
export function createFiredFault(id: string, rule: FaultRule, seed: string, n: number): FiredFault {
  const draws = createDraws(seed, rule, n)
  draws.uniform()
  return { id, rule, draws }
}

interface NamedThings {
  readonly venue: { readonly state: State }
  readonly keys: { list(): readonly { readonly apiKey: string }[] }
}

/** Returns the names of assets, accounts and keys of a world, by which fault rules may match. */
export function knownNames({ venue, keys }: NamedThings): KnownNames {
  const { config, accounts } = venue.state
  return {
    assets: config.assets.map(({ symbol }) => symbol),
    accounts: accounts.ids.slice(firstClientAccount),
    keys: keys.list().map(({ apiKey }) => apiKey),
  }
}

/** The faults that fired for one request, by where they act. */
export interface FaultPlan {
  /** The faults in words, such as `flt_1 latency, flt_2 reset_peer`, for `X-Sim-Fault` and the request log. */
  readonly label: string
  /** The token of the scenario action that installed the first scripted fault; null when no fault is scripted. */
  readonly token: string | null
  /** The delay before the operation is carried out. */
  readonly before: FaultDelay
  /** The delay after the operation has been carried out. */
  readonly after: FaultDelay
  /** The oldest fault that answers instead of the operation, which is then not carried out. */
  readonly instead: FiredFault | null
  /** The oldest fault that replaces the answer of the operation, which is carried out all the same. */
  readonly replaces: FiredFault | null
  /** The oldest fault that changes how the answer travels. */
  readonly shape: FiredFault | null
  /** The faults that distort the answer's body, in order of installation. */
  readonly bodies: readonly FiredFault[]
  /** The faults that make the venue itself misbehave. */
  readonly venue: readonly FiredFault[]
  /** The faults that show an older state of the world. */
  readonly lags: readonly FiredFault[]
  /**
   * The rules of the faults that have an effect, without those that an older fault of the same kind, or one that ends
   * the request, pre-empts.
   */
  readonly effective: readonly FaultRule[]
  /** How far the clock that checks signed timestamps is ahead, in milliseconds. */
  readonly skewMillis: number
}

/** A delay on the wall clock and one on the world's clock. */
export interface FaultDelay {
  readonly wallMillis: number
  readonly worldMillis: number
}

/** Returns the world's instant after a delay, at most the end of time. */
export function instantAfterDelay(nowMillis: Millis, { worldMillis }: FaultDelay): Millis {
  return millis(Math.min(nowMillis + worldMillis, lastWorldMillis))
}

/** Sorts the faults that fired for a request by where they act. Delays add up; elsewhere the oldest rule wins. */
export function planFaults(fired: readonly FiredFault[]): FaultPlan {
  const of = (...places: readonly string[]) =>
    fired.filter(({ rule }) => places.includes(faultKind(rule.type).place))
  const ends = of('wire', 'answer')
  const instead = ends.find(({ rule }) => rule.phase === 'before') ?? null
  const replaces = ends.find(({ rule }) => rule.phase === 'after') ?? null
  const shape = of('shape')[0] ?? null
  return {
    label: fired.map(({ id, rule }) => `${id} ${rule.type}`).join(', '),
    token: findScriptToken(fired),
    ...sumDelays(of('delay')),
    instead,
    replaces,
    shape,
    effective: fired.filter((hit) => hasEffect(hit, instead, replaces, shape)).map(({ rule }) => rule),
    bodies: of('body'),
    venue: of('venue'),
    lags: of('lag'),
    skewMillis: of('clock').reduce((sum, { rule }) => sum + (rule.attributes.skewMs ?? 0), 0),
  }
}

/** Returns whether a fault has an effect beside those that end the request, replace its answer or shape it. */
function hasEffect(
  hit: FiredFault,
  instead: FiredFault | null,
  replaces: FiredFault | null,
  shape: FiredFault | null,
): boolean {
  const placeOf = ({ rule }: FiredFault) => faultKind(rule.type).place
  const end = instead ?? replaces
  switch (placeOf(hit)) {
    case 'wire':
    case 'answer':
      return hit === end
    case 'shape':
      return hit === shape && (end === null || placeOf(end) !== 'wire')
    case 'body':
      return end === null
    case 'delay':
      return instead === null || hit.rule.phase === 'before'
    default:
      return instead === null
  }
}

/** Returns the id of the fault rule that a script's action with this token installs. */
export const scriptedFaultId = (token: string): string => scriptedPrefix + token

/** Returns the token in the id of the first rule that a script has installed; null when there is none. */
function findScriptToken(fired: readonly FiredFault[]): string | null {
  const scripted = fired.find(({ id }) => id.startsWith(scriptedPrefix))
  return scripted === undefined ? null : scripted.id.slice(scriptedPrefix.length)
}

function sumDelays(fired: readonly FiredFault[]): {
  readonly before: FaultDelay
  readonly after: FaultDelay
} {
  const sums = {
    before: { wallMillis: 0, worldMillis: 0 },
    after: { wallMillis: 0, worldMillis: 0 },
  }
  for (const { rule, draws } of fired) {
    const late = drawLatencyMillis(rule.attributes, draws)
    const sum = sums[rule.phase]
    if (rule.attributes.clock === 'world') sum.worldMillis += late
    else sum.wallMillis += late
  }
  return sums
}

/** Returns what a fault answers in the venue's place; null for a fault that lets no answer arrive. */
export function faultAnswer({ rule }: FiredFault, readings: Readings): FaultAnswer | null {
  const phrase = (status: number) => STATUS_CODES[status] ?? 'Error'
  return faultKind(rule.type).answer?.(rule.attributes, readings, phrase) ?? null
}

/**
 * Finds the answer that a fault gives after the operation and that looks like a success; null if none does. This
 * answer is logged, because the caller got it. Where the caller got an error, the venue's own answer is logged, which
 * the caller did not get.
 */
export function findPassingAnswer({ replaces }: FaultPlan, readings: Readings): FaultAnswer | null {
  const answer = replaces === null ? null : faultAnswer(replaces, readings)
  return answer !== null && answer.status < 400 ? answer : null
}

/**
 * Finds how the faults of a request keep the venue's answer from its caller. Another answer in its place counts where it
 * is an error: what was carried out then looks as if it had failed.
 */
export function findLoss({ instead, replaces, shape }: FaultPlan, body: string): AnswerLoss | null {
  if (instead !== null) return faultKind(instead.rule.type).place === 'wire' ? 'before' : null
  if (replaces !== null) return isErrorAnswer(replaces) ? 'after' : null
  const { bytes = Number.POSITIVE_INFINITY } = shape?.rule.type === 'limit_data' ? shape.rule.attributes : {}
  return Buffer.byteLength(body) > bytes ? 'cut' : null
}

/** Returns whether a fault ends a request without an answer, or with one that is an error. */
const isErrorAnswer = (hit: FiredFault): boolean => (faultAnswer(hit, defaultReadings)?.status ?? 500) >= 400

/** Returns an answer's body as a fault distorts it; a fault of another kind leaves it as it is. */
export function distortBody({ rule }: FiredFault, body: object): object {
  return faultKind(rule.type).corrupt?.(body) ?? body
}
