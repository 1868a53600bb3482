import process from 'node:process'
import {
  type ClassifierModel,
  type JudgedWindow,
  scoreWindow,
  trainClassifier,
} from '../../src/metrics/realism/judge.ts'
import {
  daysOfMinutes,
  listFeatures,
  type WindowKind,
  weeksOfHours,
} from '../../src/metrics/realism/window-features.ts'
import { quantileOfSorted } from '../../src/numeric/quantile.ts'
import { drawWindows, judgedAssets } from './generated-windows.ts'
import { isJudged, isUsed, readRealWindows } from './real-windows.ts'
import { assetOf, candidates, defaultAsset } from './specs.ts'

/*
 * Prints `judge-figures.ts` anew, from the features of recorded windows in TEST_RECORDINGS and windows of seeds that
 * nothing else draws: npx tsx test/realism/train-judge.ts > src/metrics/realism/judge-figures.ts
 */

const folder = process.env['TEST_RECORDINGS']
if (folder === undefined) throw new Error('TEST_RECORDINGS names no folder of recorded windows')

/** How volatile an asset is and how coarse its ticks are is its own matter; minutes that stand still are the model's. */
const leftOut = (name: string, kind: WindowKind): boolean =>
  name === 'log_sd' || (kind === weeksOfHours && name === 'zeros')

function printFigures(name: string, kind: WindowKind, from: string): string {
  const real = readRealWindows(from, kind).filter(isUsed)
  const names = listFeatures(kind)
  const kept = names.filter((feature) => !leftOut(feature, kind))
  const pick = (windows: readonly JudgedWindow[]): readonly (readonly number[])[] =>
    windows.map(({ values }) => kept.map((feature) => values[names.indexOf(feature)] ?? 0))
  const fitted = pick(real.filter((window) => !isJudged(window)))
  const held = pick(real.filter(isJudged))
  const own = ['201', '202'].flatMap((seed) =>
    judgedAssets(kind).flatMap((symbol) => drawWindows(defaultAsset(symbol), seed, kind)),
  )
  const others = candidates.flatMap(({ model }) => drawWindows(assetOf(model), '201', kind))
  const classifiers = [own, others].map((windows) => trainClassifier(fitted, pick(windows)))
  const lines = kept.map((feature, place) => {
    const terms = classifiers.flatMap((classifier) => classifier.terms[place] ?? [])
    const weights = terms.flatMap(({ weight, squareWeight }) => [weight, squareWeight])
    const numbers = [terms[0]?.centre ?? 0, terms[0]?.spread ?? 1, ...weights].map(round)
    return `    ${/^\w+$/.test(feature) ? feature : `'${feature}'`}: [${numbers.join(', ')}],`
  })
  const scores = classifiers.map((classifier) => `    [${listScores(classifier, held).join(', ')}],`)
  return [
    `export const ${name}: JudgeFigures = {`,
    `  realWindows: ${held.length},`,
    `  constants: [${classifiers.map(({ constant }) => round(constant)).join(', ')}],`,
    '  terms: {',
    ...lines,
    '  },',
    '  scores: [',
    ...scores,
    '  ],',
    '}',
    '',
  ].join('\n')
}

/** The scores of forty equal parts of the recorded windows, at the middle of each. */
function listScores(classifier: ClassifierModel, windows: readonly (readonly number[])[]): readonly number[] {
  const sorted = Float64Array.from(windows, (values) => scoreWindow(classifier, values)).sort()
  return Array.from({ length: 40 }, (_, place) => round(quantileOfSorted(sorted, (place + 0.5) / 40)))
}

const round = (value: number): number => Number(value.toPrecision(4))

const head = `/*
 * Figures of the judge that is shipped, as \`test/realism/train-judge.ts\` prints them: trained on recorded windows of the
 * blocks on which the default market was fitted, with scores of those of the other blocks.
 */

/** Figures of two classifiers: the first knows windows of the default market, the second those of the other models. */
export interface JudgeFigures {
  /** The recorded windows whose scores are below. */
  readonly realWindows: number
  readonly constants: readonly number[]
  /** By feature: its median and spread in recorded windows, then each classifier's weights of value and square. */
  readonly terms: Readonly<Record<string, readonly number[]>>
  /** Of each classifier, the scores of forty equal parts of the recorded windows. */
  readonly scores: readonly (readonly number[])[]
}
`
process.stdout.write(
  [
    head,
    printFigures('figuresOfDays', daysOfMinutes, folder),
    printFigures('figuresOfWeeks', weeksOfHours, folder),
  ].join('\n'),
)
