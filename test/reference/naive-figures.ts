import type { History } from '../metrics/histories.ts'

/*
 * The figures of returns, told again from their sources, in the words of empyrical and quantstats where they have them, with
 * lists and plain arithmetic. A year has 365 days. null is "not defined".
 */

export type Figures = Record<string, number | null>
export type List = readonly number[]

export const total = (values: List): number => values.reduce((sum, value) => sum + value, 0)
export const mean = (values: List): number => total(values) / values.length
const gaps = (values: List): List => {
  const center = mean(values)
  return values.map((value) => value - center)
}
/** numpy.std(values, ddof=1) */
export const std = (values: List): number =>
  Math.sqrt(total(gaps(values).map((gap) => gap ** 2)) / (values.length - 1))
/** scipy.stats.moment */
const moment = (values: List, order: number): number => mean(gaps(values).map((gap) => gap ** order))
export const pearson = (left: List, right: List): number => {
  const [a, b] = [mean(left), mean(right)]
  const product = total(left.map((value, at) => (value - a) * (Number(right[at]) - b)))
  const squares = (values: List, center: number): number =>
    total(values.map((value) => (value - center) ** 2))
  return product / Math.sqrt(squares(left, a) * squares(right, b))
}
/** numpy.percentile, the default method */
const percentile = (values: List, share: number): number => {
  const sorted = values.toSorted((left, right) => left - right)
  const place = (sorted.length - 1) * share
  const [low, high] = [Number(sorted[Math.floor(place)]), Number(sorted[Math.ceil(place)])]
  return low + (high - low) * (place - Math.floor(place))
}

/** Returns that differ by what rounding leaves do not vary: a ratio of them would be noise. */
const varies = (values: List): boolean => values.length > 1 && std(values) > 1e-7 * Math.abs(mean(values))

const hourMillis = 3_600_000
const dayMillis = 24 * hourMillis
const yearDays = 365

/** The normal distribution by the series of its density, and its inverse by halving. */
function normalCdf(z: number): number {
  if (z < -8 || z > 8) return erfcTail(z)
  let [term, sum] = [z, z]
  for (let n = 1; n < 400; n += 1) {
    term *= (z * z) / (2 * n + 1)
    sum += term
  }
  return 0.5 + sum * Math.exp((-z * z) / 2) * (1 / Math.sqrt(2 * Math.PI))
}
/** Beyond eight deviations: Mills' ratio as a continued fraction. */
function erfcTail(z: number): number {
  const x = Math.abs(z)
  let fraction = x
  for (let n = 200; n >= 1; n -= 1) fraction = x + n / fraction
  const tail = Math.exp((-x * x) / 2) / (Math.sqrt(2 * Math.PI) * fraction)
  return z < 0 ? tail : 1 - tail
}
function normalPpf(share: number): number {
  let [low, high] = [-8, 8]
  for (let round = 0; round < 200; round += 1) {
    const middle = (low + high) / 2
    if (normalCdf(middle) < share) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** What a unit was worth at each point, what flowed in having bought units at their price; nothing after ruin. */
interface Units {
  readonly at: List
  readonly units: List
  readonly ruinedAt: number
  readonly profit: number
}

function chain(at: List, equity: List, flowsUntil: (from: number, to: number) => number): Units {
  const units = [1]
  let ruinedAt = Number.POSITIVE_INFINITY
  let profit = 0
  for (let place = 1; place < at.length; place += 1) {
    const before = Number(equity[place - 1])
    const gain = Number(equity[place]) - flowsUntil(Number(at[place - 1]), Number(at[place])) - before
    profit += gain
    // A change by less is what sums of decimals leave of none.
    const change = before > 0 && Math.abs(gain / before) > 1e-13 ? Math.max(-1, gain / before) : 0
    if (change === -1 && ruinedAt === Number.POSITIVE_INFINITY) ruinedAt = Number(at[place])
    units.push(Number(units[place - 1]) * (1 + change))
  }
  return { at, units, ruinedAt, profit }
}

/** The returns between neighbouring instants of a list that are just `step` apart, until ruin. */
function returnsBetween({ at, units, ruinedAt }: Units, instants: List, step: number): List {
  const worth = new Map(at.map((instant, place) => [instant, Number(units[place])]))
  return instants.slice(1).flatMap((to, place) => {
    const from = Number(instants[place])
    const before = Number(worth.get(from))
    return to - from === step && from < ruinedAt && before > 0 ? [Number(worth.get(to)) / before - 1] : []
  })
}

/** Where a share of the grid is worth nothing because the account was empty, its return is 0, not missing. */
function gridReturns(series: Units, instants: List, step: number): List {
  return returnsBetween(series, instants, step)
}

const daysOf = ({ grid }: History): number =>
  (Number(grid.atMillis.at(-1)) - Number(grid.atMillis[0])) / dayMillis

function measure(history: History) {
  const { grid } = history
  const points = [...grid.atMillis.entries()].map(([place, at]) => ({
    at,
    equity: Number(grid.equity[place]),
    prices: grid.assets.map(({ price }) => Number(price[place])),
  }))
  for (const [place, at] of (grid.midnights?.atMillis ?? []).entries())
    points.push({
      at,
      equity: Number(grid.midnights?.equity[place]),
      prices: (grid.midnights?.assets ?? []).map(({ price }) => Number(price[place])),
    })
  points.sort((left, right) => left.at - right.at)
  const at = points.map((point) => point.at)
  const flows = (from: number, to: number): number =>
    total(
      history.transfers.filter(({ atMillis }) => atMillis > from && atMillis <= to).map(({ value }) => value),
    )
  const traded = new Set(history.fills.map(({ asset }) => asset))
  const market = grid.assets.flatMap(({ asset, position, price }, place) =>
    (traded.has(asset) || [...position].some((held) => held !== 0)) && Number(price[0]) > 0 ? [place] : [],
  )
  const own = chain(
    at,
    points.map(({ equity }) => equity),
    flows,
  )
  const held = chain(
    at,
    points.map(({ prices }) =>
      mean(market.map((place) => Number(prices[place]) / Number(points[0]?.prices[place]))),
    ),
    () => 0,
  )
  const midnights = at.filter((instant) => instant % dayMillis === 0)
  const instants = [...grid.atMillis]
  const sample = (series: Units): { readonly step: number; readonly values: List } => {
    const daily = returnsBetween(series, midnights, dayMillis)
    return daily.length >= 30
      ? { step: dayMillis, values: daily }
      : { step: grid.stepMillis, values: gridReturns(series, instants, grid.stepMillis) }
  }
  return { own, held, market, sample, instants }
}

/** Every figure of returns, benchmark, drawdown and tail. */
export function naiveFigures(history: History): Figures {
  const { own, held, instants, market, sample } = measure(history)
  const { step, values } = sample(own)
  const days = daysOf(history)
  const perYear = (yearDays * dayMillis) / step
  const riskFree = (history.riskFreeRate ?? 0) / perYear
  const worthAt = new Map(own.at.map((instant, place) => [instant, Number(own.units[place])]))
  const marketAt = new Map(held.at.map((instant, place) => [instant, Number(held.units[place])]))
  const index = instants.map((instant) => Number(worthAt.get(instant)))
  const falls = describeFalls(instants, index)
  const marketSample = market.length === 0 ? null : sample(held)
  return {
    ...describeSampling(history, step, values.length, days),
    ...describeReturns(values, {
      days,
      perYear,
      riskFree,
      total: Number(index.at(-1)) - 1,
      fall: falls['drawdown.maximum'] ?? 0,
      trials: history.trials,
    }),
    'returns.profit': own.profit,
    'benchmark.heldProfit': total(
      history.grid.assets.map(
        ({ position, price }) => Number(position[0]) * (Number(price.at(-1)) - Number(price[0])),
      ),
    ),
    'benchmark.tradingProfit':
      own.profit -
      total(
        history.grid.assets.map(
          ({ position, price }) => Number(position[0]) * (Number(price.at(-1)) - Number(price[0])),
        ),
      ),
    'benchmark.marketReturn': market.length === 0 ? null : Number(held.units.at(-1)) - 1,
    'benchmark.marketDrawdown':
      market.length === 0
        ? null
        : (describeFalls(
            instants,
            instants.map((instant) => Number(marketAt.get(instant))),
          )['drawdown.maximum'] ?? null),
    ...describeMarket(values, marketSample?.values ?? null, { days, perYear, riskFree }),
    ...falls,
    ...describeTails(gridReturns(own, instants, history.grid.stepMillis), history.grid.stepMillis),
  }
}

function describeSampling(history: History, step: number, count: number, days: number): Figures {
  const { riskFreeRate = 0 } = history
  return {
    'sampling.fromMillis': Number(history.grid.atMillis[0]),
    'sampling.toMillis': Number(history.grid.atMillis.at(-1)),
    'sampling.days': days,
    'sampling.gridMillis': history.grid.stepMillis,
    'sampling.ratioMillis': step,
    'sampling.returns': count,
    ...(riskFreeRate === 0 ? {} : { 'sampling.riskFreeRate': riskFreeRate }),
  }
}

interface Scale {
  readonly days: number
  readonly perYear: number
  readonly riskFree: number
}

function describeReturns(
  values: List,
  scale: Scale & { readonly total: number; readonly fall: number; readonly trials: ArrayLike<number> },
): Figures {
  const { days, perYear, riskFree } = scale
  const isLong = days >= 30
  const count = values.length
  const excess = values.map((value) => value - riskFree)
  const ofReturn = varies(excess) ? mean(excess) / std(excess) : null
  const cagr = isLong && scale.total > -1 ? (1 + scale.total) ** (yearDays / days) - 1 : null
  const downside = Math.sqrt(mean(excess.map((value) => Math.min(value, 0) ** 2)))
  const rho = count >= 3 && varies(values) ? autocorr(values) : null
  const sharpe = isLong && ofReturn !== null ? ofReturn * Math.sqrt(perYear) : null
  const gains = total(excess.filter((value) => value > 0))
  const losses = -total(excess.filter((value) => value < 0))
  const skew = varies(values) ? moment(values, 3) / moment(values, 2) ** 1.5 : null
  const kurtosis = varies(values) ? moment(values, 4) / moment(values, 2) ** 2 : null
  return {
    'returns.total': scale.total,
    'returns.cagr': cagr,
    'returns.volatility': isLong && count >= 2 ? std(values) * Math.sqrt(perYear) : null,
    'returns.sharpe': sharpe,
    'returns.sharpeError':
      isLong && ofReturn !== null ? Math.sqrt(((1 + ofReturn ** 2 / 2) / count) * perYear) : null,
    'returns.tStatistic': ofReturn === null ? null : mean(excess) / (std(excess) / Math.sqrt(count)),
    'returns.smartSharpe': sharpe === null || rho === null ? null : sharpe / penalty(rho, count),
    'returns.sortino':
      isLong && count >= 2 && downside > 0 ? (mean(excess) / downside) * Math.sqrt(perYear) : null,
    'returns.calmar': cagr === null || scale.fall === 0 ? null : cagr / Math.abs(scale.fall),
    'returns.omega': count >= 2 && losses > 0 ? gains / losses : null,
    'returns.tailRatio':
      count >= 1 && percentile(values, 0.05) !== 0
        ? Math.abs(percentile(values, 0.95)) / Math.abs(percentile(values, 0.05))
        : null,
    'returns.stability': stability(values),
    'returns.skewness': skew,
    'returns.kurtosis': kurtosis,
    'returns.autocorrelation': rho,
    ...describeSkill(excess, scale.trials),
  }
}

/** quantstats.stats.autocorr_penalty, with the geometric sum over all lags and the sign of the coefficient dropped */
function penalty(rho: number, count: number): number {
  const lags = Array.from({ length: count - 1 }, (_, at) => at + 1)
  return Math.sqrt(1 + 2 * total(lags.map((lag) => ((count - lag) / count) * Math.abs(rho) ** lag)))
}

/** The sample autocorrelation of lag 1 (Box and Jenkins) */
export function autocorr(values: List): number {
  const own = gaps(values)
  return total(own.slice(1).map((gap, at) => gap * Number(own[at]))) / total(own.map((gap) => gap ** 2))
}

/** empyrical.stability_of_timeseries */
function stability(values: List): number | null {
  if (values.length < 2 || values.some((value) => value <= -1)) return null
  let sum = 0
  const sums = values.map((value) => {
    sum += Math.log1p(value)
    return sum
  })
  if (sums.every((one) => one === sums[0])) return null
  return (
    pearson(
      sums.map((_, at) => at),
      sums,
    ) ** 2
  )
}

/** Bailey and Lopez de Prado, "The Sharpe Ratio Efficient Frontier" (2012) and "The Deflated Sharpe Ratio" (2014) */
function describeSkill(excess: List, trials: ArrayLike<number>): Figures {
  const none = {
    'returns.probabilisticSharpe': null,
    'returns.deflatedSharpe': null,
    'returns.minimumTrackRecord': null,
  }
  if (!varies(excess)) return none
  const sr = mean(excess) / std(excess)
  const [g3, g4] = [moment(excess, 3) / moment(excess, 2) ** 1.5, moment(excess, 4) / moment(excess, 2) ** 2]
  const variance = 1 - g3 * sr + ((g4 - 1) / 4) * sr ** 2
  if (variance <= 0) return none
  const psr = (benchmark: number): number =>
    normalCdf(((sr - benchmark) * Math.sqrt(excess.length - 1)) / Math.sqrt(variance))
  const ratios = Array.from(trials)
  const gamma = 0.5772156649015329
  const best =
    std(ratios) *
    ((1 - gamma) * normalPpf(1 - 1 / ratios.length) + gamma * normalPpf(1 - 1 / (ratios.length * Math.E)))
  return {
    'returns.probabilisticSharpe': psr(0),
    'returns.deflatedSharpe': ratios.length < 2 ? null : psr(best),
    'returns.minimumTrackRecord': sr > 0 ? 1 + variance * (normalPpf(0.95) / sr) ** 2 : null,
  }
}

/** empyrical.beta, alpha, up_capture, down_capture; the information ratio by the year */
function describeMarket(own: List, market: List | null, { days, perYear, riskFree }: Scale): Figures {
  const figures: Figures = {
    'benchmark.beta': null,
    'benchmark.alpha': null,
    'benchmark.correlation': null,
    'benchmark.informationRatio': null,
    'benchmark.upCapture': null,
    'benchmark.downCapture': null,
  }
  if (market === null || market.length !== own.length) return figures
  const isLong = days >= 30
  const [a, b] = [mean(own), mean(market)]
  if (own.length >= 3 && varies(market)) {
    const beta =
      total(own.map((value, at) => (value - a) * (Number(market[at]) - b))) /
      total(market.map((value) => (value - b) ** 2))
    figures['benchmark.beta'] = beta
    const alphas = own.map((value, at) => value - riskFree - beta * (Number(market[at]) - riskFree))
    if (isLong) figures['benchmark.alpha'] = mean(alphas) * perYear
    if (varies(own)) figures['benchmark.correlation'] = pearson(own, market)
  }
  if (!isLong || own.length < 2) return figures
  const active = own.map((value, at) => value - Number(market[at]))
  // A tracking error that is nothing beside the market's own deviation is the market itself.
  if (std(active) > 1e-5 * std(market))
    figures['benchmark.informationRatio'] = (mean(active) / std(active)) * Math.sqrt(perYear)
  const annualReturn = (values: List): number =>
    values.reduce((growth, value) => growth * (1 + value), 1) ** (1 / (values.length / perYear)) - 1
  for (const [name, sign] of [
    ['upCapture', 1],
    ['downCapture', -1],
  ] as const) {
    const within = (_: number, at: number): boolean => sign * Number(market[at]) > 0
    if (market.some(within))
      figures[`benchmark.${name}`] = annualReturn(own.filter(within)) / annualReturn(market.filter(within))
  }
  return figures
}

function describeFalls(at: List, index: List): Figures {
  let peak = 0
  const peaks = index.map((value) => {
    peak = Math.max(peak, value)
    return peak
  })
  const depths = index.map((value, place) => value / Number(peaks[place]) - 1)
  const end = Number(at.at(-1))
  const falls: { depth: number; peak: number; trough: number; recovery: number | null }[] = []
  for (let place = 1; place < index.length; place += 1) {
    if (!(Number(depths[place]) < 0) || Number(depths[place - 1]) < 0) continue
    let last = place
    while (last + 1 < index.length && Number(depths[last + 1]) < 0) last += 1
    const part = depths.slice(place, last + 1)
    const trough = place + part.indexOf(Math.min(...part))
    falls.push({
      depth: Math.min(...part),
      peak: Number(at[place - 1]),
      trough: Number(at[trough]),
      recovery: last + 1 < index.length ? Number(at[last + 1]) : null,
    })
  }
  const lengths = falls.map(({ peak, recovery }) => (recovery ?? end) - peak)
  const longest = Math.max(0, ...lengths)
  const figures: Figures = {
    'drawdown.maximum': Math.min(0, ...depths),
    'drawdown.longestMillis': longest,
    'drawdown.isLongestOpen': longest > 0 && falls[lengths.indexOf(longest)]?.recovery === null ? 1 : 0,
    'drawdown.ulcer': Math.sqrt(mean(depths.map((depth) => depth ** 2))),
  }
  const deepest = falls.toSorted((left, right) => left.depth - right.depth).slice(0, 5)
  for (const [place, { depth, peak, recovery, trough }] of deepest.entries()) {
    const name = `drawdown.deepest.${place + 1}`
    figures[`${name}.depth`] = depth
    figures[`${name}.peakMillis`] = peak
    figures[`${name}.troughMillis`] = trough
    if (recovery !== null) figures[`${name}.recoveryMillis`] = recovery
  }
  return figures
}

function describeTails(values: List, step: number): Figures {
  const perDay = dayMillis / step
  const sums = Number.isInteger(perDay)
    ? values.slice(perDay - 1).map((_, at) => total(values.slice(at, at + perDay)))
    : []
  const figures: Figures = {}
  for (const [span, returns] of [
    ['grid', values],
    ['day', sums],
  ] as const)
    for (const level of [95, 99]) {
      const share = 1 - level / 100
      figures[`tail.${span}.valueAtRisk${level}`] = returns.length === 0 ? null : -percentile(returns, share)
      figures[`tail.${span}.shortfall${level}`] =
        returns.length === 0 ? null : shortfall(returns, 1 - level / 100)
      figures[`tail.${span}.cornishFisher${level}`] = cornishFisher(returns, share)
    }
  return figures
}

/** Acerbi and Tasche, "On the coherence of expected shortfall" (2002): the mean of the worst n * share, the last in part */
function shortfall(returns: List, share: number): number {
  const sorted = returns.toSorted((left, right) => left - right)
  const worst = sorted.length * share
  return -total(sorted.map((value, at) => value * Math.min(1, Math.max(0, worst - at)))) / worst
}

/** Cornish and Fisher, in the domain that Maillard (2012) gives, and only where it tells a loss */
function cornishFisher(returns: List, share: number): number | null {
  if (!varies(returns)) return null
  const s = moment(returns, 3) / moment(returns, 2) ** 1.5
  const k = moment(returns, 4) / moment(returns, 2) ** 2 - 3
  const slope = (z: number): number =>
    1 + (z * s) / 3 + ((3 * z * z - 3) * k) / 24 - ((6 * z * z - 5) * s * s) / 36
  const zs = Array.from({ length: 6_181 }, (_, at) => -3.09 + at / 1_000)
  if (zs.some((z) => slope(z) <= 0)) return null
  const z = normalPpf(share)
  const quantile =
    z + ((z * z - 1) * s) / 6 + ((z ** 3 - 3 * z) * k) / 24 - ((2 * z ** 3 - 5 * z) * s * s) / 36
  const loss = -(mean(returns) + quantile * std(returns))
  return loss < 0 ? null : loss
}
