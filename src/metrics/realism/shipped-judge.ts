import { type ClassifierModel, compareScores, estimateError, type JudgeResult, scoreWindow } from './judge.ts'
import { figuresOfDays, figuresOfWeeks, type JudgeFigures } from './judge-figures.ts'
import { daysOfMinutes, listFeatures, type WindowKind } from './window-features.ts'
import type { PathWindow } from './windows.ts'

/*
 * A judge that is trained already, for paths beside which there is no recording. Two classifiers know recorded windows from
 * those of the default market, and from those of the other models; the one that tells more counts.
 */

/** What the judge has found on a path's windows. */
export interface PathResult extends JudgeResult {
  readonly kind: WindowKind
}

/**
 * Judges the windows of a generated path against recorded ones on which the judge was not trained. Returns null without a
 * window. The error is too small where windows depend on each other, as those of one month do.
 */
export function judgePath(windows: readonly PathWindow[], kind: WindowKind): PathResult | null {
  if (windows.length === 0) return null
  const figures = kind === daysOfMinutes ? figuresOfDays : figuresOfWeeks
  const aucs = figures.constants.map((_, place) => {
    const classifier = makeClassifier(figures, kind, place)
    const scores = windows.map(({ values }) => scoreWindow(classifier, values))
    return compareScores(figures.scores[place] ?? [], scores).auc
  })
  const auc = Math.max(...aucs)
  const { realWindows } = figures
  const standardError = estimateError(auc, realWindows, windows.length)
  return { kind, auc, standardError, realWindows, generatedWindows: windows.length }
}

function makeClassifier(
  { constants, terms }: JudgeFigures,
  kind: WindowKind,
  place: number,
): ClassifierModel {
  return {
    constant: constants[place] ?? 0,
    terms: listFeatures(kind).map((name) => {
      const [centre = 0, spread = 1, ...weights] = terms[name] ?? []
      const [weight = 0, squareWeight = 0] = weights.slice(2 * place)
      return { centre, spread, weight, squareWeight }
    }),
  }
}
