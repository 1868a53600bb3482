import { element } from '../../numeric/columns.ts'
import { exp } from '../../numeric/portable-math.ts'
import { quantileOfSorted } from '../../numeric/quantile.ts'
import { variance } from './moments.ts'

/*
 * A classifier that is shown recorded and generated windows, and how often it tells which of two is the recorded one: the
 * area under its curve (AUC), where 0.5 is a guess and 1 never errs. Choice: a logistic model on features and their
 * squares, ridged, so that it is deterministic and needs no package.
 */

/** A window as the judge sees it: its features, and the group that it belongs to. */
export interface JudgedWindow {
  /** Its features, all in the one order of its set. */
  readonly values: readonly number[]
  /** Windows of one group are trained or tested together, never one with the other. */
  readonly group: number
}

/** What a judge has found, and on how much. */
export interface JudgeResult {
  /** The chance that of a recorded and a generated window the judge, who knew neither, picks the recorded one. */
  readonly auc: number
  /** The standard error of `auc`: how far the draw of the windows alone moves it. */
  readonly standardError: number
  readonly realWindows: number
  readonly generatedWindows: number
}

/**
 * Judges windows by fivefold cross-validation: each fifth of the groups is judged by a model that was trained on the
 * rest. Returns null with fewer than five groups on either side, which can't be judged.
 */
export function judgeWindows(
  real: readonly JudgedWindow[],
  generated: readonly JudgedWindow[],
): JudgeResult | null {
  const [realFolds, generatedFolds] = [chooseFolds(real), chooseFolds(generated)]
  if (realFolds === null || generatedFolds === null) return null
  const realScores: number[] = []
  const generatedScores: number[] = []
  for (let fold = 0; fold < foldCount; fold += 1) {
    const isTrained = (folds: readonly number[]) => (_: JudgedWindow, place: number) => folds[place] !== fold
    const isTested = (folds: readonly number[]) => (_: JudgedWindow, place: number) => folds[place] === fold
    const classifier = trainClassifier(
      real.filter(isTrained(realFolds)).map(({ values }) => values),
      generated.filter(isTrained(generatedFolds)).map(({ values }) => values),
    )
    for (const { values } of real.filter(isTested(realFolds)))
      realScores.push(scoreWindow(classifier, values))
    for (const { values } of generated.filter(isTested(generatedFolds)))
      generatedScores.push(scoreWindow(classifier, values))
  }
  return compareScores(realScores, generatedScores)
}

const foldCount = 5

/** Returns the fold of each window: groups take turns in their order. Null with fewer groups than folds. */
function chooseFolds(windows: readonly JudgedWindow[]): readonly number[] | null {
  const groups = [...new Set(windows.map(({ group }) => group))].sort((left, right) => left - right)
  if (groups.length < foldCount) return null
  const places = new Map(groups.map((group, place) => [group, place % foldCount]))
  return windows.map(({ group }) => places.get(group) ?? 0)
}

/**
 * Compares scores: the share of pairs in which the recorded window has the higher one, ties counting half (Mann and
 * Whitney 1947).
 */
export function compareScores(real: readonly number[], generated: readonly number[]): JudgeResult {
  const sorted = Float64Array.from(generated).sort()
  let sum = 0
  for (const score of real) sum += (countBelow(sorted, score, false) + countBelow(sorted, score, true)) / 2
  const [m, n] = [real.length, generated.length]
  const auc = sum / (m * n)
  return { auc, standardError: estimateError(auc, m, n), realWindows: m, generatedWindows: n }
}

/** Estimates the standard error of an area from the numbers of windows (Hanley and McNeil 1982). */
export function estimateError(auc: number, realWindows: number, generatedWindows: number): number {
  const square = auc * auc
  const ofReal = (realWindows - 1) * (auc / (2 - auc) - square)
  const ofGenerated = (generatedWindows - 1) * ((2 * square) / (1 + auc) - square)
  const spread = auc * (1 - auc) + ofReal + ofGenerated
  return Math.sqrt(Math.max(0, spread) / (realWindows * generatedWindows))
}

/** Counts the sorted values below a limit, or up to and with it. */
function countBelow(sorted: Float64Array, limit: number, isIncluded: boolean): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const value = element(sorted, middle)
    if (value < limit || (isIncluded && value === limit)) low = middle + 1
    else high = middle
  }
  return low
}

/** A trained model: scores above 0 speak for a recorded window. */
export interface ClassifierModel {
  readonly constant: number
  readonly terms: readonly Term[]
}

/** A feature: how it is scaled, and the weights of the scaled value and of its square. */
interface Term {
  readonly centre: number
  readonly spread: number
  readonly weight: number
  readonly squareWeight: number
}

/**
 * Trains the classifier, both sides weighing the same whatever their numbers. Both must have a window. Features are scaled
 * as the recorded windows have them.
 */
export function trainClassifier(
  real: readonly (readonly number[])[],
  generated: readonly (readonly number[])[],
): ClassifierModel {
  const scales = (real[0] ?? []).map((_, feature) => measureScale(real.map((values) => values[feature] ?? 0)))
  const rows = [...real, ...generated].map((values) => makeInputs(values, scales))
  const weights = fitLogistic(rows, real.length)
  return {
    constant: element(weights, 0),
    terms: scales.map((scale, feature) => ({
      ...scale,
      weight: element(weights, 1 + 2 * feature),
      squareWeight: element(weights, 2 + 2 * feature),
    })),
  }
}

/** Scores a window: the logarithm of the odds that it is a recorded one. */
export function scoreWindow({ constant, terms }: ClassifierModel, values: readonly number[]): number {
  let score = constant
  for (const [feature, { weight, squareWeight, ...scale }] of terms.entries()) {
    const value = scaleValue(values[feature] ?? 0, scale)
    score += weight * value + squareWeight * (value * value - 1)
  }
  return score
}

/**
 * Measures how far generated windows are from recorded ones: the squared distance of the means of features and squares, in
 * the deviations that they have within both (Mahalanobis 1936), ridged. Errors: a side has no window (RangeError).
 */
export function measureDistance(real: readonly JudgedWindow[], generated: readonly JudgedWindow[]): number {
  if (real.length === 0 || generated.length === 0) throw new RangeError('there is nothing to compare')
  const scales = (real[0]?.values ?? []).map((_, feature) =>
    measureScale(real.map(({ values }) => values[feature] ?? 0)),
  )
  const sides = [real, generated].map((windows) => windows.map(({ values }) => makeInputs(values, scales)))
  const size = 1 + 2 * scales.length
  const difference = new Float64Array(size)
  const spread = Array.from({ length: size }, () => new Float64Array(size))
  for (const [side, rows] of sides.entries()) {
    const middle = new Float64Array(size)
    for (const row of rows) addRow(middle, row, 1 / rows.length)
    addRow(difference, middle, side === 0 ? 1 : -1)
    for (const row of rows) {
      addRow(row, middle, -1)
      addSquare(spread, row, 0.5 / rows.length)
    }
  }
  for (const [i, line] of spread.entries()) line[i] = element(line, i) + distanceRidge
  return multiply(difference, solve(spread, difference))
}

/** Keeps features that hardly vary, or follow from others, from deciding. */
const distanceRidge = 0.3

type Scale = Pick<Term, 'centre' | 'spread'>

/**
 * Measures the median, and the deviation that the quartiles of a normal distribution would have; the standard deviation
 * where most values are the same.
 */
function measureScale(values: readonly number[]): Scale {
  const sorted = Float64Array.from(values).sort()
  const spread = (quantileOfSorted(sorted, 0.75) - quantileOfSorted(sorted, 0.25)) / normalQuartiles
  return {
    centre: quantileOfSorted(sorted, 0.5),
    spread: spread > 0 ? spread : Math.sqrt(variance(values)) || 1,
  }
}

/** The distance of a normal distribution's quartiles in deviations. */
const normalQuartiles = 1.349

/** Values further out say no more: one wild window is not to decide. */
const farthest = 4

function scaleValue(value: number, { centre, spread }: Scale): number {
  return Math.max(-farthest, Math.min(farthest, (value - centre) / spread))
}

function makeInputs(values: readonly number[], scales: readonly Scale[]): Float64Array {
  const inputs = new Float64Array(1 + 2 * scales.length)
  inputs[0] = 1
  for (const [feature, scale] of scales.entries()) {
    const value = scaleValue(values[feature] ?? 0, scale)
    inputs[1 + 2 * feature] = value
    inputs[2 + 2 * feature] = value * value - 1
  }
  return inputs
}

/** The penalty on squared weights, in windows. Choice: set once, never tuned. */
const ridge = 8

/** Fits weights by Newton's method. The first `realCount` rows are the recorded ones. */
function fitLogistic(rows: readonly Float64Array[], realCount: number): Float64Array {
  const size = rows[0]?.length ?? 0
  const weights = new Float64Array(size)
  const ofReal = rows.length / (2 * realCount)
  const ofGenerated = rows.length / (2 * (rows.length - realCount))
  for (let round = 0; round < mostRounds; round += 1) {
    const gradient = new Float64Array(size)
    const curvature = Array.from({ length: size }, () => new Float64Array(size))
    for (const [place, row] of rows.entries()) {
      const chance = 1 / (1 + exp(-multiply(row, weights)))
      const isReal = place < realCount
      const share = isReal ? ofReal : ofGenerated
      addRow(gradient, row, share * ((isReal ? 1 : 0) - chance))
      addSquare(curvature, row, share * Math.max(chance * (1 - chance), 1e-6))
    }
    for (let i = 1; i < size; i += 1) {
      gradient[i] = element(gradient, i) - ridge * element(weights, i)
      const line = curvature[i]
      if (line !== undefined) line[i] = element(line, i) + ridge
    }
    const step = solve(curvature, gradient)
    const longest = step.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    addRow(weights, step, Math.min(1, 2 / (longest + 1e-300)))
    if (longest < 1e-6) break
  }
  return weights
}

const mostRounds = 30

function multiply(left: Float64Array, right: Float64Array): number {
  let sum = 0
  for (let i = 0; i < left.length; i += 1) sum += element(left, i) * element(right, i)
  return sum
}

function addRow(sums: Float64Array, row: Float64Array, factor: number): void {
  for (let i = 0; i < sums.length; i += 1) sums[i] = element(sums, i) + factor * element(row, i)
}

/** Adds the lower half of a row's products with itself. */
function addSquare(sums: readonly Float64Array[], row: Float64Array, factor: number): void {
  for (const [i, line] of sums.entries()) {
    const value = factor * element(row, i)
    for (let j = 0; j <= i; j += 1) line[j] = element(line, j) + value * element(row, j)
  }
}

/** Solves a symmetric positive system, of which the lower half is given, by Cholesky's method. */
function solve(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const at = (i: number, j: number): number => matrix[i]?.[j] ?? 0
  const size = right.length
  const root = Array.from({ length: size }, () => new Float64Array(size))
  const solution = new Float64Array(size)
  for (const [i, line] of root.entries()) {
    for (let j = 0; j <= i; j += 1) {
      const other = root[j] ?? line
      let sum = at(i, j)
      for (let k = 0; k < j; k += 1) sum -= element(line, k) * element(other, k)
      line[j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / element(other, j)
    }
    let sum = element(right, i)
    for (let k = 0; k < i; k += 1) sum -= element(line, k) * element(solution, k)
    solution[i] = sum / element(line, i)
  }
  for (let i = size - 1; i >= 0; i -= 1) {
    let sum = element(solution, i)
    for (let k = i + 1; k < size; k += 1) sum -= (root[k]?.[i] ?? 0) * element(solution, k)
    solution[i] = sum / (root[i]?.[i] ?? 1)
  }
  return solution
}
