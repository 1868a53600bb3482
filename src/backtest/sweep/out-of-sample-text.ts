import type { OutOfSample } from './out-of-sample.ts'
import { towardsBetter } from './summary.ts'

/** How a figure is written. */
type Shown = (metric: string, value: number) => string

/** What the choice of parameters was worth, in sentences; `show` words a figure. */
export function outOfSampleSentences(result: OutOfSample, show: Shown): readonly string[] {
  const { complete, degradation, inSample, isPerDay, objective, outOfSample } = result
  if (inSample === null || outOfSample === null)
    return ['No fold has the figure both in training and in its test.', ...lossSentences(result)]
  const by = isPerDay ? ' a day' : ''
  const head = `${objective}${by} of the cells that training chose, on average over ${complete} ${complete === 1 ? 'fold' : 'folds'}: ${show(objective, inSample)} in sample, ${show(objective, outOfSample)} out of sample`
  const change = degradation === null ? '' : `, ${changeText(degradation)}`
  const direction = towardsBetter(objective)
  const turned =
    inSample * direction > 0 && outOfSample * direction < 0 ? ' What gained in training lost afterwards.' : ''
  return [
    `${head}${change}.${turned}`,
    ...lossSentences(result),
    ...choiceSentences(result),
    ...chainSentences(result),
  ]
}

/** What is missing may have been the worst of it. */
function lossSentences({ complete, failed, folds }: OutOfSample): readonly string[] {
  const left = folds.length - complete
  if (left === 0 && failed === 0) return []
  const cases = failed === 0 ? '' : ` The strategy failed in ${failed} ${failed === 1 ? 'case' : 'cases'}.`
  if (left === 0) return [`What failed has no figures, and may have been the worst.${cases}`]
  return [
    `${left} of ${folds.length} folds ${left === 1 ? 'is' : 'are'} left out, having no figure in training or in the test: those may have been the worst.${cases}`,
  ]
}

function changeText(degradation: number): string {
  const share = (Math.abs(degradation) * 100).toFixed(1)
  return degradation > 0 ? `${share} % worse` : degradation < 0 ? `${share} % better` : 'the same'
}

function choiceSentences({ betterHalf, correlation, judged }: OutOfSample): readonly string[] {
  if (judged === 0) return []
  const half = `In ${betterHalf} of ${judged} tests the chosen cell was among the better half of all cells; a choice by chance would be in half of them.`
  if (correlation === null) return [half]
  return [
    `${half} The correlation between the cells' figures in training and in the test is ${correlation.toFixed(2)}: 1 would mean that training predicts the test, 0 that it does not.`,
  ]
}

function chainSentences({ chainedMarket, chainedReturn, folds }: OutOfSample): readonly string[] {
  if (chainedReturn === null) return []
  const market = chainedMarket === null ? '' : `, and buying and holding ${percent(chainedMarket)}`
  const [first, last] = [folds[0]?.test.from ?? '', folds.at(-1)?.test.to ?? '']
  return [
    `One after the other, the tests make ${percent(chainedReturn)} from ${first.slice(0, 10)} to ${last.slice(0, 10)}${market}; each begins with the account's first money and without positions.`,
  ]
}

const percent = (fraction: number): string => `${(fraction * 100).toFixed(2)} %`
