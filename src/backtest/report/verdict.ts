import type { BacktestResult } from '../result.ts'
import { count, percent, ratioText, span, usd } from './figures.ts'

export interface Verdict {
  readonly title: string
  readonly text: string
}

/** What a run says in two sentences: what it earned, and whether luck alone could have earned it. */
export function verdictOf(result: BacktestResult, failedAssertions: number): Verdict {
  const { returns, drawdown, sampling, activity } = result.metrics
  const { profit, total, sharpe, sharpeError } = returns
  const title =
    profit > 0 ? `earned ${usd(profit)}` : profit < 0 ? `lost ${usd(-profit)}` : 'neither earned nor lost'
  const share = total.value === null ? '' : ` (${percent(total.value)})`
  const length = span(sampling.toMillis - sampling.fromMillis)
  const fall =
    drawdown.maximum.value === null
      ? ''
      : `, with a fall of ${percent(Math.abs(drawdown.maximum.value))} at worst`
  const fills = `${count(activity.fills)} ${activity.fills === 1 ? 'fill' : 'fills'}`
  const what = `${title.charAt(0).toUpperCase()}${title.slice(1)}${share} in ${length} and ${fills}${fall}.`
  const failed = failedAssertions === 0 ? '' : ` ${failedAssertions} of the assertions failed.`
  return { title, text: `${what} ${luckText(sharpe.value, sharpeError.value)}${failed}` }
}

function luckText(sharpe: number | null, error: number | null): string {
  if (sharpe === null || error === null || !(error > 0)) {
    return 'There are too few returns to tell skill from luck.'
  }
  const range = `The Sharpe ratio is ${ratioText(sharpe)} ± ${ratioText(error)} a year`
  const isBeyond = Math.abs(sharpe) > 1.959963984540054 * error
  return isBeyond
    ? `${range}: more than chance gives in 19 of 20 runs without skill; one seed is still one path.`
    : `${range}: at most what chance gives in 19 of 20 runs without skill.`
}
