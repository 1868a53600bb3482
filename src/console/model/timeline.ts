import { compareMoments } from '../../api/noted-moments.ts'
import { isFailedRequest } from '../../api/request-words.ts'
import type { HistoryEntry, RequestRow, WorldMoment } from './documents.ts'

/*
 * The moments of a world's history. A moment is after a line of the journal, at an instant; everything that
 * happened at one moment is shown at once.
 */

/** Moment of the history with the indices of its items. */
export interface PastMoment extends WorldMoment {
  readonly firstIndex: number
  readonly lastIndex: number
  readonly isFailure: boolean
}

/** Adds items, in order, to the moments to which they belong. */
export function addItems(
  moments: readonly PastMoment[],
  items: readonly HistoryEntry[],
): readonly PastMoment[] {
  if (items.length === 0) return moments
  const grown = [...moments]
  for (const { sequence, at, index, refusal } of items) {
    const last = grown.at(-1)
    const isFailure = refusal !== null
    if (last !== undefined && last.sequence === sequence && last.at === at)
      grown[grown.length - 1] = { ...last, lastIndex: index, isFailure: last.isFailure || isFailure }
    else grown.push({ sequence, at, firstIndex: index, lastIndex: index, isFailure })
  }
  return grown
}

/** Returns how many moments are not after a given one: its position on the scrubber. */
export function findPosition(moments: readonly WorldMoment[], moment: WorldMoment): number {
  let low = 0
  let high = moments.length
  while (low < high) {
    const middle = (low + high) >> 1
    const candidate = moments[middle]
    if (candidate !== undefined && compareMoments(candidate, moment) <= 0) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Returns the moment at a position of the scrubber: 0 is the beginning, and the position after the last moment
 * is the present, null.
 */
export function momentAt(
  moments: readonly PastMoment[],
  begins: WorldMoment,
  position: number,
): WorldMoment | null {
  if (position <= 0) return begins
  if (position > moments.length) return null
  return moments[position - 1] ?? null
}

/** Returns the next or the previous moment; null is the present, as argument and as result. */
export function stepMoment(
  moments: readonly PastMoment[],
  begins: WorldMoment,
  from: WorldMoment | null,
  by: 1 | -1,
): WorldMoment | null {
  if (from === null) return by > 0 ? null : (moments.at(-1) ?? begins)
  const position = findPosition(moments, from)
  if (by > 0) return moments[position] ?? null
  const here = moments[position - 1]
  const isBetween = here !== undefined && compareMoments(here, from) < 0
  return momentAt(moments, begins, isBetween ? position : position - 1)
}

/** Returns the moment this many milliseconds later or earlier; null when that is not in the past. */
export function shiftMoment(
  moments: readonly PastMoment[],
  begins: WorldMoment,
  from: WorldMoment,
  byMillis: number,
  now: string,
): WorldMoment | null {
  const target = new Date(Date.parse(from.at) + byMillis).toISOString()
  const position = findPosition(moments, from)
  if (byMillis < 0) return findLatestMoment(moments, begins, position, target)
  let sequence = from.sequence
  let latest = from.at
  for (const moment of moments.slice(position)) {
    // After a restore or a reset the time is earlier again, which is another timeline.
    if (moment.at > target || moment.at < latest) return { sequence, at: target }
    sequence = moment.sequence
    latest = moment.at
  }
  return target >= now ? null : { sequence, at: target }
}

/** Returns the latest moment at an instant among the moments before a position. */
function findLatestMoment(
  moments: readonly PastMoment[],
  begins: WorldMoment,
  position: number,
  target: string,
): WorldMoment {
  for (let index = position - 1; index >= 0; index -= 1) {
    const moment = moments[index]
    if (moment !== undefined && moment.at <= target) return { sequence: moment.sequence, at: target }
  }
  return target > begins.at ? { sequence: begins.sequence, at: target } : begins
}

/**
 * Returns the moment of an instant, the latest one if the instant occurred several times; null for the present.
 */
export function findMoment(
  moments: readonly PastMoment[],
  begins: WorldMoment,
  at: string,
  now: string,
): WorldMoment | null {
  if (at >= now) return null
  return findLatestMoment(moments, begins, moments.length, at)
}

/** Lists the moments of all failures in order: what the venue refused, and requests answered with an error. */
export function listFailures(
  moments: readonly PastMoment[],
  requests: readonly RequestRow[],
): readonly WorldMoment[] {
  const refused = moments.filter(({ isFailure }) => isFailure)
  const failed = requests
    .filter(isFailedRequest)
    .map(({ worldSequence, at }) => ({ sequence: worldSequence, at }))
  const all: WorldMoment[] = [...refused, ...failed].sort(compareMoments)
  return all.filter((moment, index) => {
    const before = all[index - 1]
    return before === undefined || compareMoments(before, moment) !== 0
  })
}

/**
 * Returns the next failure after a moment, or the previous one before it. It wraps around at both ends, and
 * starts over from the present.
 */
export function findNextFailure(
  moments: readonly WorldMoment[],
  from: WorldMoment | null,
  by: 1 | -1,
): WorldMoment | null {
  const [first] = moments
  const last = moments.at(-1)
  if (first === undefined || last === undefined) return null
  if (from === null) return by > 0 ? first : last
  const position = findPosition(moments, from)
  if (by > 0) return moments[position] ?? first
  const here = moments[position - 1]
  const isHere = here !== undefined && compareMoments(here, from) === 0
  return moments[position - (isHere ? 2 : 1)] ?? last
}

/** Category of an event, by which it has a row of its own on the strip. */
export type EventCategory = 'orders' | 'quotes' | 'trades' | 'script' | 'admin'
export const eventCategories: readonly EventCategory[] = ['orders', 'quotes', 'trades', 'script', 'admin']

/** Returns the category of a history item. */
export function categorize({ kind, type }: Pick<HistoryEntry, 'kind' | 'type'>): EventCategory {
  if (type === 'trade') return 'trades'
  if (type === 'scenario.action') return 'script'
  if (kind === 'change') return 'admin'
  if (type.includes('order')) return 'orders'
  return type.includes('quote') ? 'quotes' : 'admin'
}
