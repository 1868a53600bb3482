import { bps, count, percent, ratioText, span, usd } from './figures.ts'

/** A figure by the name that it has in `flattenMetrics`, with its unit. */
export function metricText(name: string, value: number): string {
  const last = name.slice(name.lastIndexOf('.') + 1)
  if (last.endsWith('Millis')) return span(Math.abs(value))
  if (last.endsWith('Bps') || last === 'bps') return bps(value)
  // Names of figures repeat: the total of a shortfall is money, the largest inventory is in units of the asset.
  if (money.test(name)) return usd(value)
  if (name.startsWith('maker.inventory.') && last !== 'timeAtLimit') return ratioText(value)
  if (fractions.has(last)) return percent(value)
  if (counts.has(last)) return count(value)
  return ratioText(value)
}

const fractions: ReadonlySet<string> = new Set([
  ...['total', 'cagr', 'volatility', 'maximum', 'depth', 'ulcer', 'hitRate', 'exposureTime', 'share'],
  ...['probabilisticSharpe', 'deflatedSharpe', 'timeAtTouch', 'timeAtLimit', 'turnoverPerDay'],
  ...['valueAtRisk95', 'shortfall95', 'cornishFisher95', 'valueAtRisk99', 'shortfall99', 'cornishFisher99'],
  ...['fillRatioByCount', 'fillRatioByQuantity', 'alpha', 'marketReturn', 'marketDrawdown'],
])

const counts: ReadonlySet<string> = new Set([
  ...['orders', 'fills', 'count', 'wins', 'losses', 'zeros', 'returns', 'requests', 'rateLimited'],
  ...['longestLosingRun', 'minimumTrackRecord'],
])

const money =
  /^(?:attribution\.|benchmark\.(?:held|trading)|costs\.shortfall\.|costs\.(?:.*[fF]ees)|returns\.profit$|activity\.(?:volume|gross|net)|maker\.volume|trips\.expectancy)/
