import type { FaultRule } from '../../api/faults/fault-types.ts'
import {
  type ActiveFault,
  digestWithFaults,
  drawsOf,
  type FaultFacts,
  fires,
  matchesFault,
} from '../../api/faults/matches-fault.ts'
import type { KnownNames } from '../../api/faults/read-fault-rule.ts'
import { firstClientAccount } from '../../engine/codes.ts'
import type { State } from '../../engine/state.ts'
import type { FaultBookState } from '../../journal/world-snapshot.ts'
import type { RandomStream } from '../../numeric/random.ts'

/** One fault striking one request. */
export interface FaultHit {
  readonly id: string
  readonly rule: FaultRule
  /** The draws that belong to this strike. */
  readonly draws: RandomStream
}

/** The fault rules of one world, in the order of their installation. */
export class FaultBook {
  private rules: ActiveFault[] = []
  private made = 0
  /** Rules with counts that have not been reported, and how many matches those are; see `reportCounts`. */
  readonly unreported = new Map<string, number>()

  /** Whether there are no rules. Every request asks this. */
  get isEmpty(): boolean {
    return this.rules.length === 0
  }

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
    const place = this.rules.findIndex((other) => other.id === id)
    if (place === -1) this.rules.push(active)
    else this.rules[place] = active
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
    for (const { id, rule, matched, fired } of [...this.rules]) {
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
    const place = this.rules.findIndex((active) => active.id === id)
    const rule = this.rules[place]
    if (rule === undefined) return null
    const counted = { ...rule, matched, fired }
    this.rules[place] = counted
    return counted
  }

  capture(nowMillis: number): FaultBookState {
    this.dropEnded(nowMillis)
    return { rules: [...this.rules], made: this.made }
  }

  restore({ rules, made }: FaultBookState): void {
    this.rules = [...rules]
    this.made = made
  }

  /** See `digestWithFaults`. */
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

/** The names by which fault rules of a world may match. */
export function knownNames({ config, accounts }: State): KnownNames {
  return {
    assets: config.assets.map(({ symbol }) => symbol),
    accounts: accounts.ids.slice(firstClientAccount),
  }
}
