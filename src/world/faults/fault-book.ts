import { STATUS_CODES } from 'node:http'
import { type FaultAnswer, type FaultRule, faultKind } from '../../api/faults/fault-types.ts'
import {
  type ActiveFault,
  digestWithFaults,
  drawsOf,
  type FaultFacts,
  fires,
  latencyMillis,
  matchesFault,
  scriptedPrefix,
} from '../../api/faults/matches-fault.ts'
import type { KnownNames } from '../../api/faults/read-fault-rule.ts'
import type { Readings } from '../../api/readings/readings.ts'
import { firstClientAccount } from '../../engine/codes.ts'
import type { State } from '../../engine/state.ts'
import type { FaultBookState } from '../../journal/world-snapshot.ts'
import type { RandomStream } from '../../numeric/random.ts'
import { lastWorldMillis } from '../../numeric/time-text.ts'
import { type Millis, millis } from '../../numeric/units.ts'

export interface FaultHit {
  readonly id: string
  readonly rule: FaultRule
  readonly draws: RandomStream
}

/** The fault rules of one world, in the order of their installation. */
export class FaultBook {
  /** For reading: those in force, and perhaps some that have just ended; see `list`. */
  rules: readonly ActiveFault[] = []
  private made = 0
  /** Rules with counts that have not been reported, and how many matches those are; see `reportCounts`. */
  readonly unreported = new Map<string, number>()

  list(nowMillis: number): readonly ActiveFault[] {
    this.dropEnded(nowMillis)
    return this.rules
  }

  get(id: string): ActiveFault | undefined {
    return this.rules.find((active) => active.id === id)
  }

  /** The id that `add` would give to a rule that has none. */
  freeId(): string {
    let count = this.made + 1
    while (this.get(`flt_${count}`) !== undefined) count += 1
    return `flt_${count}`
  }

  /** Installs a rule and starts its count; it replaces a rule with the same id. */
  add(id: string, rule: FaultRule, nowMillis: number): ActiveFault {
    const untilMillis = rule.forMillis === null ? null : nowMillis + rule.forMillis
    const active = { id, rule, untilMillis, matched: 0, fired: 0 }
    this.made += 1
    this.rules =
      this.get(id) === undefined
        ? [...this.rules, active]
        : this.rules.map((other) => (other.id === id ? active : other))
    return active
  }

  /** Removes a rule, or all of them for null. False when there is none with that id. */
  remove(id: string | null): boolean {
    const before = this.rules.length
    this.rules = id === null ? [] : this.rules.filter((active) => active.id !== id)
    return id === null || this.rules.length < before
  }

  /**
   * Counts a request with every rule that matches it, and answers the rules that strike it, in their order. Each rule
   * decides for itself: one that comes after the venue also counts what another has answered before it, because adding
   * that one must not shift it. `counted` is called for every rule that has counted, with whether it strikes.
   */
  consider(
    facts: FaultFacts,
    seed: string,
    nowMillis: number,
    counted: (active: ActiveFault, strikes: boolean) => void,
  ): FaultHit[] {
    this.dropEnded(nowMillis)
    const strikes: FaultHit[] = []
    for (const { id, rule, matched, fired } of this.rules) {
      if (!matchesFault(rule, facts)) continue
      const n = matched + 1
      const strikesNow = fires(seed, rule, n, fired)
      const active = this.count(id, n, fired + (strikesNow ? 1 : 0))
      if (active !== null) counted(active, strikesNow)
      if (strikesNow) strikes.push(strikeOf(id, rule, seed, n))
    }
    return strikes
  }

  /** Sets a rule's counts; null when there is none with that id. */
  count(id: string, matched: number, fired: number): ActiveFault | null {
    const rule = this.get(id)
    if (rule === undefined) return null
    const counted = { ...rule, matched, fired }
    this.rules = this.rules.map((active) => (active === rule ? counted : active))
    return counted
  }

  capture(nowMillis: number): FaultBookState {
    this.dropEnded(nowMillis)
    return { rules: this.rules, made: this.made }
  }

  restore({ rules, made }: FaultBookState): void {
    this.rules = rules
    this.made = made
  }

  digestWith(digest: string, nowMillis: number): string {
    return digestWithFaults(digest, this.list(nowMillis))
  }

  private dropEnded(nowMillis: number): void {
    if (this.rules.every(({ untilMillis }) => untilMillis === null || nowMillis < untilMillis)) return
    this.rules = this.rules.filter(({ untilMillis }) => untilMillis === null || nowMillis < untilMillis)
  }
}

/** A rule that strikes at its n-th match. The first draw was used to decide whether it does. */
export function strikeOf(id: string, rule: FaultRule, seed: string, n: number): FaultHit {
  const draws = drawsOf(seed, rule, n)
  draws.uniform()
  return { id, rule, draws }
}

export function knownNames({ config, accounts }: State): KnownNames {
  return {
    assets: config.assets.map(({ symbol }) => symbol),
    accounts: accounts.ids.slice(firstClientAccount),
  }
}

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
