import type { ExitEnd, ExitRecord } from '../result.ts'
import type { MaybePromise, ProtectedLevels, StrategyVenue } from '../strategy.ts'
import type { Observation } from '../venue/host.ts'
import type { PositionTargets } from '../venue/position-targets.ts'

/** A position that a strategy has protected, with the levels that close it and what has been seen of it since. */
interface Protection {
  readonly asset: string
  readonly levels: ProtectedLevels
  readonly record: { -readonly [Name in keyof ExitRecord]: ExitRecord[Name] }
  /** The signed quantity of the position; null until it is read, at the next tick. */
  held: number | null
  /** The highest mid since the protection was set, in USD. */
  highest: number
  /** The lowest mid since the protection was set, in USD. */
  lowest: number
  /** How many fills the account had when the position was read last. */
  fillCount: number
}

/** The most protections that a result keeps; later ones are only counted. */
const maximumRecords = 10_000

/**
 * Keeps the stop, take-profit and trailing exits of positions on the strategy's side, since the venue has no such orders,
 * and judges them at ticks by what the feed shows there.
 *
 * Invariants: a protection closes its position once at most, and never opens or adds to one; it ends by itself when the
 * position is flat or has turned; nothing is asked of the venue at a tick without a new fill of the account or a level
 * that is reached, so that runs in process and over HTTP send the same requests.
 */
export class ProtectiveExits {
  readonly records: ExitRecord[] = []
  /** How many protections came after the last one that the result keeps. */
  droppedRecords = 0
  private readonly venue: StrategyVenue
  private readonly targets: PositionTargets
  private readonly byAsset = new Map<string, Protection>()

  constructor(venue: StrategyVenue, targets: PositionTargets) {
    this.venue = venue
    this.targets = targets
  }

  /** Whether any position is protected, so that every tick has to be observed. */
  get isArmed(): boolean {
    return this.byAsset.size > 0
  }

  /**
   * Protects the position in an asset from the next tick on, in place of what protected it before; null only ends that.
   * `mid` is the mid that the strategy sees now, in USD, from which a trailing stop starts.
   *
   * Throws a RangeError for levels that are none: without any, not above 0, unknown, or a percentage of 100 and more.
   */
  protect(asset: string, levels: ProtectedLevels | null, nowMillis: number, mid: number): void {
    const problem = levels === null ? null : findLevelsProblem(levels)
    if (problem !== null) throw new RangeError(`protect: ${problem}`)
    const before = this.byAsset.get(asset)
    if (before !== undefined) this.end(before, levels === null ? 'cleared' : 'replaced', nowMillis)
    if (levels === null) return
    const record = {
      asset,
      fromMillis: nowMillis,
      toMillis: null,
      end: null,
      stop: levels.stop ?? null,
      takeProfit: levels.takeProfit ?? null,
      trail: null,
      orderIds: [],
    }
    const own: Protection = {
      ...{ asset, levels: { ...levels }, record, held: null, highest: mid, lowest: mid, fillCount: -1 },
    }
    this.byAsset.set(asset, own)
    if (this.records.length < maximumRecords) this.records.push(record)
    else this.droppedRecords += 1
  }

  /**
   * Judges all protections by what a tick shows, in the order in which they were set, and closes the positions whose
   * levels are reached. Returns a promise only where the venue has to be asked. Rejects with a VenueError for a refusal;
   * the protection then stands, and is judged again at the next tick.
   */
  judge(seen: Observation, placeOf: (asset: string) => number, now: () => number): MaybePromise<void> {
    for (const own of this.byAsset.values()) {
      follow(own, seen.mid(placeOf(own.asset)), now())
      if (own.fillCount === seen.fillCount && findReached(own, seen.mid(placeOf(own.asset))) === null)
        continue
      return this.judgeSlowly(seen, placeOf, now)
    }
    return undefined
  }

  private async judgeSlowly(
    seen: Observation,
    placeOf: (asset: string) => number,
    now: () => number,
  ): Promise<void> {
    for (const own of [...this.byAsset.values()]) {
      const mid = seen.mid(placeOf(own.asset))
      follow(own, mid, now())
      await this.judgeOne(own, mid, seen.fillCount, now)
    }
  }

  private async judgeOne(own: Protection, mid: number, fillCount: number, now: () => number): Promise<void> {
    if (own.fillCount !== fillCount) {
      const held = await this.targets.readHeld(own.asset)
      const hasTurned = own.held !== null && Math.sign(held) !== Math.sign(own.held)
      if (held === 0 || hasTurned) {
        this.end(own, 'flat', now())
        return
      }
      own.held = held
      own.fillCount = fillCount
      follow(own, mid, now())
    }
    const reached = findReached(own, mid)
    if (reached === null) return
    // What rests on the exit's side would sell the same position a second time, and holds it back until then.
    await this.venue.orders.cancelAll({ asset: own.asset, side: (own.held ?? 0) > 0 ? 'sell' : 'buy' })
    own.record.orderIds = await this.targets.close(own.asset, Math.sign(own.held ?? 0))
    this.end(own, reached, now())
  }

  private end(own: Protection, end: ExitEnd, nowMillis: number): void {
    own.record.end = end
    own.record.toMillis = nowMillis
    // A hook may have set another one while this one was closing its position.
    if (this.byAsset.get(own.asset) === own) this.byAsset.delete(own.asset)
  }
}

/** Moves a trailing stop after the mid, and keeps where it went. */
function follow(own: Protection, mid: number, nowMillis: number): void {
  own.highest = Math.max(own.highest, mid)
  own.lowest = Math.min(own.lowest, mid)
  const level = trailLevel(own)
  if (level === null) return
  own.record.trail ??= { atMillis: [], levels: [] }
  const { atMillis, levels } = own.record.trail
  if (levels.at(-1) === level) return
  atMillis.push(nowMillis)
  levels.push(level)
}

/** Returns the level of the trailing stop in USD; null without one, or before the position is known. */
function trailLevel({ held, highest, levels, lowest }: Protection): number | null {
  const { trail, trailPercent } = levels
  if (held === null || (trail === undefined && trailPercent === undefined)) return null
  const best = held > 0 ? highest : lowest
  const distance = trail ?? (best * (trailPercent ?? 0)) / 100
  return held > 0 ? best - distance : best + distance
}

/** Returns which level a mid has reached: the stop before the trailing stop, and that before the take-profit. */
function findReached(own: Protection, mid: number): 'stop' | 'trail' | 'takeProfit' | null {
  const { held, levels } = own
  if (held === null) return null
  const isBelow = (level: number | null | undefined): boolean =>
    level !== null && level !== undefined && (held > 0 ? mid <= level : mid >= level)
  if (isBelow(levels.stop)) return 'stop'
  if (isBelow(trailLevel(own))) return 'trail'
  const { takeProfit } = levels
  if (takeProfit !== undefined && (held > 0 ? mid >= takeProfit : mid <= takeProfit)) return 'takeProfit'
  return null
}

const levelNames = ['stop', 'takeProfit', 'trail', 'trailPercent']

function findLevelsProblem(levels: ProtectedLevels): string | null {
  const stated = Object.entries(levels).filter(([, value]) => value !== undefined)
  if (stated.length === 0) return `state at least one of ${levelNames.join(', ')}`
  for (const [name, value] of stated) {
    if (!levelNames.includes(name)) return `${name} is none of ${levelNames.join(', ')}`
    if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0)
      return `${name} is a finite number above 0, found ${String(value)}`
  }
  if ((levels.trailPercent ?? 0) >= 100) return 'trailPercent is below 100'
  return levels.trail === undefined || levels.trailPercent === undefined
    ? null
    : 'state one of trail and trailPercent'
}
