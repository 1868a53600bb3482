import { type JudgeResult, judgeWindows } from '../../src/metrics/realism/judge.ts'
import { daysOfMinutes, type WindowKind, weeksOfHours } from '../../src/metrics/realism/window-features.ts'
import type { PathWindow } from '../../src/metrics/realism/windows.ts'
import { drawWindows, judgedAssets, recordedTickBps } from './generated-windows.ts'
import { isJudged, isUsed, type RealWindow, readRealWindows } from './real-windows.ts'
import { assetOf, candidates, defaultAsset } from './specs.ts'
import type { Row, Section } from './table.ts'
import { rangeText } from './table.ts'

/* The chance that the judge tells a recorded window from a generated one, beside that for two recorded ones. */

/** Seeds that no fit has seen. */
const freshSeeds = ['101', '102', '103', '104']

/** 2020-01-01T00:00:00Z: no hour before it was used for the fit. */
const firstUsedMillis = 1_577_836_800_000

interface Comparison {
  readonly name: string
  readonly verdicts: readonly (JudgeResult | null)[]
  /** The most that is allowed; absent where the figure is there for comparison. */
  readonly most?: number
}

/** The judge's table for both kinds of windows. Errors: the folder lacks the features of recorded windows (Error). */
export function judgeSection(folder: string): Section {
  const rows = [...compareDays(folder), ...compareWeeks(folder)].map(makeRow)
  const columns = ['AUC', 'error', 'recorded', 'generated']
  return {
    title: 'The judge: 0.5 is a guess, 1 never errs; means over seeds [least, greatest]',
    columns,
    rows,
  }
}

function compareDays(folder: string): readonly Comparison[] {
  const all = readRealWindows(folder, daysOfMinutes)
  const judged = all.filter(isJudged)
  const inYears = (from: number, to: number): readonly RealWindow[] =>
    all.filter(({ fromMillis }) => fromMillis >= from && fromMillis < to)
  const middle = 1_680_307_200_000
  return [
    { name: 'days: default market', verdicts: judgeSeeds(judged, daysOfMinutes), most: 0.8 },
    ...judgeModels(judged, daysOfMinutes),
    compareReal('days: recorded BTC, ETH', ofAsset(all, 'BTC'), ofAsset(all, 'ETH')),
    compareReal('days: recorded to 2023-03, later', inYears(0, middle), inYears(middle, Infinity)),
    compareReal(
      'days: recorded odd, even weeks',
      judged,
      all.filter((one) => !isJudged(one)),
    ),
  ]
}

function compareWeeks(folder: string): readonly Comparison[] {
  const everything = readRealWindows(folder, weeksOfHours)
  const all = everything.filter(isUsed)
  const judged = all.filter(isJudged)
  const unused = everything.filter(
    ({ series, fromMillis }) => series === 'dj' && fromMillis < firstUsedMillis,
  )
  return [
    { name: 'weeks: default market', verdicts: judgeSeeds(judged, weeksOfHours), most: 0.74 },
    { name: 'weeks: default, 2017 to 2019', verdicts: judgeSeeds(unused, weeksOfHours), most: 0.85 },
    ...judgeModels(judged, weeksOfHours),
    compareReal('weeks: recorded BTC, ETH', ofAsset(all, 'BTC'), ofAsset(all, 'ETH')),
    compareReal('weeks: recorded 2017 to 2019, later', unused, all),
    compareReal(
      'weeks: recorded odd, even months',
      judged,
      all.filter((one) => !isJudged(one)),
    ),
  ]
}

const ofAsset = (windows: readonly RealWindow[], asset: string): readonly RealWindow[] =>
  windows.filter((window) => window.asset === asset)

function judgeSeeds(real: readonly PathWindow[], kind: WindowKind): readonly (JudgeResult | null)[] {
  return freshSeeds.map((seed) => judgeWindows(real, drawDefault(seed, kind)))
}

/** Draws windows of all judged assets of the default market. */
function drawDefault(seed: string, kind: WindowKind): readonly PathWindow[] {
  return judgedAssets(kind).flatMap((symbol) =>
    drawWindows(defaultAsset(symbol), seed, kind, kind === weeksOfHours ? recordedTickBps[symbol] : 0),
  )
}

function judgeModels(real: readonly PathWindow[], kind: WindowKind): readonly Comparison[] {
  const prefix = kind === daysOfMinutes ? 'days' : 'weeks'
  return candidates.map(({ name, model }) => ({
    name: `${prefix}: ${name}`,
    verdicts: [judgeWindows(real, drawWindows(assetOf(model), freshSeeds[0] ?? '', kind))],
  }))
}

const compareReal = (
  name: string,
  left: readonly PathWindow[],
  right: readonly PathWindow[],
): Comparison => ({ name, verdicts: [judgeWindows(left, right)] })

function makeRow({ name, verdicts, most }: Comparison): Row {
  const found = verdicts.flatMap((verdict) => verdict ?? [])
  const aucs = found.map(({ auc }) => auc)
  const mean = aucs.reduce((sum, value) => sum + value, 0) / aucs.length
  const spread = found.length > 1 ? ` [${Math.min(...aucs).toFixed(3)}, ${Math.max(...aucs).toFixed(3)}]` : ''
  const first = found[0]
  return {
    fact: 0,
    name,
    band: most === undefined ? '' : rangeText(0.5, most),
    values: [
      `${mean.toFixed(3)}${spread}`,
      first?.standardError.toFixed(3) ?? '-',
      String(first?.realWindows ?? 0),
      String(first?.generatedWindows ?? 0),
    ],
    // No verdict is none that holds.
    isOk: found.length === verdicts.length && found.length > 0 && (most === undefined || mean <= most),
  }
}
