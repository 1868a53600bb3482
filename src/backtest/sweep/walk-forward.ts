import { formatDuration, millisToIso, parseDuration } from '../../numeric/time-text.ts'
import type { Parsed } from './parse-grid.ts'
import type { SweepFold, SweepWindow, WalkForward } from './plan.ts'

/*
 * Parameters that were chosen on a stretch of the market say nothing about that stretch. So a walk forward chooses them
 * in one window and judges them in the next, which begins where the first one ends, and then moves both on by a test.
 */

const maximumFolds = 1_000

/** `180d/30d`: the spans of training and test. */
export interface WalkForwardSpans {
  readonly trainMillis: number
  readonly testMillis: number
}

export function parseWalkForward(text: string): Parsed<WalkForwardSpans> {
  const [train, test, ...more] = text.split('/')
  const trainMillis = parseDuration(train ?? '')
  const testMillis = parseDuration(test ?? '')
  if (
    !(trainMillis !== null && trainMillis > 0 && testMillis !== null && testMillis > 0 && more.length === 0)
  )
    return {
      ok: false,
      problem: `expected the spans of training and test, such as 180d/30d, found "${text}"`,
    }
  return { ok: true, value: { trainMillis, testMillis } }
}

/**
 * As many folds as fit between two instants, the first beginning at the first of them. The rest that is shorter than a
 * test is left out.
 */
export function walkForwardBetween(
  fromMillis: number,
  toMillis: number,
  { testMillis, trainMillis }: WalkForwardSpans,
): Parsed<WalkForward> {
  const count = Math.floor((toMillis - fromMillis - trainMillis) / testMillis)
  if (count < 1) {
    const [whole, span] = [trainMillis + testMillis, Math.max(0, toMillis - fromMillis)].map(formatDuration)
    return { ok: false, problem: `training and test take ${whole}, and there are ${span}` }
  }
  if (count > maximumFolds)
    return { ok: false, problem: `there would be ${count} tests; ${maximumFolds} is the most` }
  const windows: SweepWindow[] = []
  const places = new Map<string, number>()
  const placeOf = (begin: number, end: number): number => {
    const key = `${begin} ${end}`
    const known = places.get(key) ?? windows.length
    if (known === windows.length) windows.push({ from: millisToIso(begin), to: millisToIso(end) })
    places.set(key, known)
    return known
  }
  const folds = Array.from({ length: count }, (_, fold): SweepFold => {
    const begin = fromMillis + fold * testMillis
    const between = begin + trainMillis
    return { train: placeOf(begin, between), test: placeOf(between, between + testMillis) }
  })
  return { ok: true, value: { windows, folds } }
}
