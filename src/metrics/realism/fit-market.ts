import { createMarket } from '../../market/create-market.ts'
import { type ModelSpec, readModel } from '../../market/models/price-models.ts'
import { exp, log } from '../../numeric/portable-math.ts'
import { quantileOfSorted } from '../../numeric/quantile.ts'
import { type JudgedWindow, type JudgeResult, judgeWindows, measureDistance } from './judge.ts'
import { daysOfMinutes, listFeatures, type WindowKind, weeksOfHours } from './window-features.ts'
import { type CloseSeries, cutWindows, type PathWindow } from './windows.ts'

/*
 * The default model, fitted to a recording: its parameters are those whose windows are nearest to the recorded ones. Fitted
 * on every other block of the recording, judged on the rest, with windows of other seeds.
 */

/** A recording and the model from which the fit begins. */
export interface FitRequest {
  readonly closes: CloseSeries
  readonly symbol: string
  /** What is traded a day in USD; null if the recording has no volumes. */
  readonly dailyVolumeUsd: number | null
  /** Called with the share of the search that is done, 0 to 1. */
  readonly onProgress?: (done: number) => void
}

type MarketModel = Extract<ModelSpec, { readonly kind: 'market' }>

/** What was found on one kind of window. */
export interface FittedKind {
  readonly kind: WindowKind
  readonly fitted: number
  readonly judged: number
  readonly leftOut: number
  /** How well the judge tells the fitted model, and the model before the fit, from the recording. */
  readonly auc: JudgeResult
  readonly aucBefore: JudgeResult
  /** How well the judge tells the recording's fitted half from its judged half. */
  readonly aucWithin: JudgeResult
  readonly facts: readonly FitFact[]
}

/** A feature: its median in the judged windows, with their tenths, and in those of the fitted model. */
export interface FitFact {
  readonly name: string
  readonly recorded: number
  readonly low: number
  readonly high: number
  readonly fitted: number
  readonly before: number
}

export interface FitResult {
  readonly model: MarketModel
  readonly kinds: readonly FittedKind[]
  /** How many models were tried. */
  readonly trials: number
}

/** The fewest whole windows from which a model is fitted, half of which are kept for the judge. */
const leastWindows: ReadonlyMap<WindowKind, number> = new Map([
  [daysOfMinutes, 28],
  [weeksOfHours, 24],
])

/**
 * Fits the default model to a recording. Returns in words why it cannot be fitted. The same recording gives the same model.
 */
export function fitMarket({ closes, symbol, dailyVolumeUsd, onProgress }: FitRequest): FitResult | string {
  const parts = [daysOfMinutes, weeksOfHours].flatMap((kind) => splitRecording(closes, kind))
  const usable = parts.filter(({ count, kind }) => count >= (leastWindows.get(kind) ?? 0))
  if (usable.length === 0) return describeLack(parts)
  const start = startModel(closes, symbol, dailyVolumeUsd)
  const hasMinutes = usable.some(({ kind }) => kind === daysOfMinutes)
  const wanted = usable.map(({ kind }) => kind)
  const measure = (model: MarketModel): number => {
    const drawn = drawFit(model, symbol, 'fit', wanted)
    return usable.reduce((sum, { fitted, kind }) => sum + measureDistance(fitted, drawn.get(kind) ?? []), 0)
  }
  const { model, trials } = searchModel(start, hasMinutes, measure, onProgress)
  const [after, before] = [model, start].map((one) => drawFit(one, symbol, 'judge', wanted))
  const kinds = usable.flatMap((part) =>
    judgePart(part, after?.get(part.kind) ?? [], before?.get(part.kind) ?? []),
  )
  return { model, kinds, trials }
}

interface RecordingPart {
  readonly kind: WindowKind
  readonly count: number
  readonly leftOut: number
  readonly fitted: readonly JudgedWindow[]
  readonly judged: readonly JudgedWindow[]
}

/** Cuts the recording into windows, and every other block of them off for the judge. */
function splitRecording(closes: CloseSeries, kind: WindowKind): readonly RecordingPart[] {
  if (closes.stepMillis > kind.stepMillis) return []
  const { standing, windows, withGaps } = cutWindows(closes, kind)
  const lengthMillis = kind.stepMillis * kind.length
  // Six blocks a side at least, so that the judge has its five groups.
  const longest = kind.blockMillis / lengthMillis
  const inBlock = Math.max(1, Math.min(longest, Math.floor(windows.length / 12)))
  const first = windows[0]?.fromMillis ?? 0
  const grouped = windows.map(({ fromMillis, values }) => ({
    group: Math.floor((fromMillis - first) / (inBlock * lengthMillis)),
    values: pickValues(kind, values),
  }))
  return [
    {
      kind,
      count: windows.length,
      leftOut: withGaps + standing,
      fitted: grouped.filter(({ group }) => group % 2 === 0),
      judged: grouped.filter(({ group }) => group % 2 !== 0),
    },
  ]
}

function describeLack(parts: readonly RecordingPart[]): string {
  const wanted = [...leastWindows].map(([{ name }, least]) => `${least} × a whole ${name}`).join(' or ')
  const found = parts.map(
    ({ count, kind, leftOut }) => `${count} × a whole ${kind.name} (and ${leftOut} with gaps)`,
  )
  return `it is too short: a fit takes ${wanted}, and it has ${found.join(' and ') || 'none of either'}`
}

/** Returns whether a fit compares a feature. Not the hours without a move: those come from the tick of a recording. */
const isCompared = (kind: WindowKind, name: string): boolean => kind !== weeksOfHours || name !== 'zeros'

const pickValues = (kind: WindowKind, values: readonly number[]): readonly number[] =>
  listFeatures(kind).flatMap((name, place) => (isCompared(kind, name) ? [values[place] ?? 0] : []))

/** Makes the usual model of the symbol, with the volatility and volume of the recording. */
function startModel(closes: CloseSeries, symbol: string, dailyVolumeUsd: number | null): MarketModel {
  const { prices, stepMillis } = closes
  let [last, squares, count] = [Number.NaN, 0, 0]
  for (const price of prices) {
    if (Number.isNaN(price)) continue
    const value = Number.isNaN(last) ? 0 : log(price / last)
    squares += value * value
    count += 1
    last = price
  }
  const vol = Math.sqrt((squares / Math.max(1, count)) * (31_536_000_000 / stepMillis))
  const usual = readModel({ kind: 'market' }, { symbol, price: 1, candles: [] }, [])
  if (usual.kind !== 'market') throw new TypeError('the default model is `market`')
  return {
    ...usual,
    vol: roundFigure(Math.min(Math.max(vol, 0.01), 10)),
    dailyVolumeUsd: roundFigure(dailyVolumeUsd ?? usual.dailyVolumeUsd),
  }
}

/**
 * A parameter of the fit, with its bounds and its first step. For a parameter that must stay above 0, the step is the
 * logarithm of a factor; else it is added.
 */
interface FitParameter {
  readonly name: 'vol' | 'ownShare' | 'commonVolatility' | 'marketShareSd' | 'standstillBps'
  readonly least: number
  readonly most: number
  readonly step: number
  readonly isFactor: boolean
}

const parameters: readonly FitParameter[] = [
  { name: 'vol', least: 0.01, most: 10, step: 0.15, isFactor: true },
  { name: 'standstillBps', least: 0.01, most: 50, step: 0.6, isFactor: true },
  { name: 'ownShare', least: 0.02, most: 8, step: 0.7, isFactor: true },
  { name: 'commonVolatility', least: 0, most: 1, step: 0.3, isFactor: false },
  { name: 'marketShareSd', least: 0, most: 0.8, step: 0.15, isFactor: false },
]

/** The rounds of the search, each with half the steps of the one before. */
const rounds = 4

/** A step is taken if it brings the model nearer by at least three hundredths. Less may be chance. */
const leastGain = 0.97

/** Searches along one parameter after the other, up and down, with steps that halve. */
function searchModel(
  start: MarketModel,
  hasMinutes: boolean,
  measure: (model: MarketModel) => number,
  onProgress: FitRequest['onProgress'],
): { readonly model: MarketModel; readonly trials: number } {
  const searched = parameters.filter(({ name }) => hasMinutes || name !== 'standstillBps')
  let [model, least, trials] = [start, measure(start), 1]
  for (let round = 0; round < rounds; round += 1) {
    for (const [place, parameter] of searched.entries()) {
      for (const sign of [1, -1]) {
        const tried = moveModel(model, parameter, (sign * parameter.step) / (1 << round))
        if (tried[parameter.name] === model[parameter.name]) continue
        const distance = measure(tried)
        trials += 1
        if (distance > leastGain * least) continue
        model = tried
        least = distance
        break
      }
      onProgress?.((round + (place + 1) / searched.length) / rounds)
    }
  }
  return { model, trials }
}

function moveModel(
  model: MarketModel,
  { isFactor, least, most, name }: FitParameter,
  step: number,
): MarketModel {
  const value = model[name]
  const moved = isFactor ? Math.max(value, least) * exp(step) : value + step
  return { ...model, [name]: roundFigure(Math.min(Math.max(moved, least), most)) }
}

const roundFigure = (value: number): number => Number(value.toPrecision(3))

/** How many paths are drawn, and how long. The same seeds for each model, so that only the model differs. */
const drawn = { paths: 6, weeks: 13, startMillis: 1_767_571_200_000 }

function drawFit(
  model: MarketModel,
  symbol: string,
  purpose: string,
  kinds: readonly WindowKind[],
): ReadonlyMap<WindowKind, readonly JudgedWindow[]> {
  const windows = new Map(kinds.map((kind): [WindowKind, JudgedWindow[]] => [kind, []]))
  for (let path = 0; path < drawn.paths; path += 1) {
    const closes = drawCloses(model, symbol, `${purpose}/${path}`)
    windows.get(weeksOfHours)?.push(...group(cutWindows(closes, weeksOfHours).windows, weeksOfHours, path))
    const days = windows.get(daysOfMinutes)
    // Two days of each week, in turns, so that each day of the week has its share.
    for (let week = 0; days !== undefined && week < drawn.weeks; week += 1) {
      const day = 7 * week + ((2 * week) % 6)
      const part = {
        ...closes,
        fromMillis: closes.fromMillis + day * 86_400_000,
        prices: closes.prices.subarray(day * 1_440, (day + 2) * 1_440 + 60),
      }
      days.push(...group(cutWindows(part, daysOfMinutes).windows, daysOfMinutes, path * drawn.weeks + week))
    }
  }
  return windows
}

/** Draws the closes of minutes, from an hour before the start on. */
function drawCloses(model: MarketModel, symbol: string, seed: string): CloseSeries {
  const { startMillis, weeks } = drawn
  const assets = [{ symbol, price: 1_000, model, flow: { kind: 'none' as const } }]
  const market = createMarket({ seed, startMillis, gridMillis: 60_000, assets })
  const prices = Float64Array.from({ length: weeks * 10_080 + 60 }, (_, place) =>
    market.minuteClose(0, place - 60),
  )
  return { fromMillis: startMillis - 3_600_000, stepMillis: 60_000, prices }
}

const group = (windows: readonly PathWindow[], kind: WindowKind, place: number): readonly JudgedWindow[] =>
  windows.map(({ values }) => ({ group: place, values: pickValues(kind, values) }))

function judgePart(
  { fitted, judged, kind, leftOut }: RecordingPart,
  after: readonly JudgedWindow[],
  before: readonly JudgedWindow[],
): readonly FittedKind[] {
  const [auc, aucBefore, aucWithin] = [after, before, fitted].map((windows) => judgeWindows(judged, windows))
  if (!auc || !aucBefore || !aucWithin) return []
  const names = listFeatures(kind).filter((name) => isCompared(kind, name))
  const facts = names.map((name, place): FitFact => {
    const at = (windows: readonly JudgedWindow[], share: number): number =>
      quantileOfSorted(Float64Array.from(windows, ({ values }) => values[place] ?? 0).sort(), share)
    return {
      name,
      recorded: at(judged, 0.5),
      low: at(judged, 0.1),
      high: at(judged, 0.9),
      fitted: at(after, 0.5),
      before: at(before, 0.5),
    }
  })
  return [{ kind, fitted: fitted.length, judged: judged.length, leftOut, auc, aucBefore, aucWithin, facts }]
}
