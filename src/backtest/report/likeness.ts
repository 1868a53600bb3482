import type { Market } from '../../market/market.ts'
import type { ModelSpec } from '../../market/models/price-models.ts'
import { cutMarketWindows } from '../../metrics/realism/market-windows.ts'
import { judgePath, type PathResult } from '../../metrics/realism/shipped-judge.ts'
import { daysOfMinutes, type WindowKind, weeksOfHours } from '../../metrics/realism/window-features.ts'
import type { PathWindow } from '../../metrics/realism/windows.ts'

/** The models whose path is recorded or scripted; only generated paths are tested. */
const givenModels: ReadonlySet<ModelSpec['kind']> = new Set([
  'constant',
  'waypoints',
  'replay',
  'trades',
  'book',
])

/** Returns whether a model generates its path, so that it can be asked how like a real one that is. */
export const isGenerated = ({ kind }: ModelSpec): boolean => !givenModels.has(kind)

/** Paths of one asset, and from when to when. */
export interface LikenessRequest {
  /** One market per path; they differ by their seeds. */
  readonly markets: readonly Market[]
  readonly asset: number
  readonly fromMillis: number
  readonly toMillis: number
}

/** How like a real one a path is, by each kind of window. */
export interface LikenessReport {
  readonly verdicts: readonly PathResult[]
  /** Whether there were more windows than were looked at. */
  readonly isCut: boolean
}

/** The most windows that are judged. More would add nothing: their own error is far below that of the recorded ones. */
const mostWindows: ReadonlyMap<WindowKind, number> = new Map([
  [daysOfMinutes, 400],
  [weeksOfHours, 200],
])

/** Judges paths by their whole days and weeks. Days of the first paths count where there are too many. */
export function judgeLikeness({ markets, asset, fromMillis, toMillis }: LikenessRequest): LikenessReport {
  const verdicts: PathResult[] = []
  let isCut = false
  for (const [kind, most] of mostWindows) {
    const windows: PathWindow[] = []
    const lengthMillis = kind.stepMillis * kind.length
    // Parts of windows at both ends are not counted: two more cover them.
    const perPath = Math.ceil(most / markets.length) + 2
    const end = Math.min(toMillis, fromMillis + perPath * lengthMillis)
    for (const market of markets)
      windows.push(...cutMarketWindows({ market, asset, fromMillis, toMillis: end }, kind).windows)
    const verdict = judgePath(windows.slice(0, most), kind)
    if (windows.length > most || end < toMillis) isCut = true
    if (verdict !== null) verdicts.push(verdict)
  }
  return { verdicts, isCut }
}

/** Describes what the judge has found, with what it has looked at and what it says of recordings among each other. */
export function describeLikeness({ verdicts, isCut }: LikenessReport): readonly string[] {
  if (verdicts.length === 0)
    return ['Nobody has judged how like a real one this path is: it has no whole day from midnight (UTC).']
  const found = verdicts.map(
    ({ kind, auc, standardError, realWindows, generatedWindows }) =>
      `Of a recorded ${kind.name} and one of ${generatedWindows === 1 ? 'this one' : `these ${generatedWindows}`}, ` +
      `the judge picks the recorded one ${formatShare(auc)} of the time (± ${formatShare(standardError)} or more; ` +
      `${realWindows} recorded ones; two recorded assets: ${formatShare(recordedAgainstRecorded.get(kind) ?? Number.NaN)}).`,
  )
  return [
    ...found,
    '50 % is a guess, and at 100 % it never errs. It knows recorded bitcoin and ether, and by the hour solana, of 2020 to 2026, ' +
      `and looks at the shape of returns, not at how large they are.${isCut ? ' Only the first windows were looked at.' : ''}`,
  ]
}

/**
 * The share of pairs, 0 to 1, in which the judge distinguishes recorded bitcoin from recorded ether, by the kind of
 * window. Measured by `npm run realism`.
 */
const recordedAgainstRecorded: ReadonlyMap<WindowKind, number> = new Map([
  [daysOfMinutes, 0.76],
  [weeksOfHours, 0.61],
])

const formatShare = (share: number): string => `${(100 * share).toFixed(0)} %`
