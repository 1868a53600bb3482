import { type Figure, isFigure } from './figure.ts'

/*
 * What a run's figures are: the one place that tells each one's name, unit, title in reports, and which way it is
 * better. Money in USD, shares and returns as fractions (0.01 is 1 %), spans in milliseconds, a year of 365 days.
 * Everything is plain JSON data.
 */

/** How a figure is written: a share is a fraction to a tenth of a per cent. */
type FigureUnit =
  | 'usd'
  | 'fraction'
  | 'share'
  | 'basisPoints'
  | 'ratio'
  | 'count'
  | 'span'
  | 'instant'
  | 'text'

export interface MetricRow<Value = unknown> {
  readonly unit: FigureUnit
  /** Of its line in reports, in the order of the lines; empty where it has none. */
  readonly title: string
  readonly better: 'large' | 'small'
  /** Whether a run twice as long has twice as much of it. */
  readonly grows: boolean
  /** Only of the type. */
  readonly value?: Value
}

/** Entries of a list are told apart by one of their fields, or by their place. */
interface FigureList<Fields = FigureFields> {
  readonly by: string | null
  readonly fields: Fields
}

interface FigureFields {
  readonly [name: string]: FigurePart
}

type FigurePart = MetricRow | FigureList | FigureFields

type ValueOf<Part> =
  Part extends MetricRow<infer Value>
    ? Value
    : Part extends FigureList<infer Fields>
      ? readonly ValuesOf<Fields>[]
      : ValuesOf<Part>

type ValuesOf<Fields> = { readonly [Name in keyof Fields]: ValueOf<Fields[Name]> }

/*
 * Which way a figure is better. Choice: costs, losses, uncertainty and durations are better small. Figures with a sign
 * (falls, too: -0.1 is worse than -0.05) and figures that are a matter of taste are ranked from large to small.
 */
const rowOf =
  <Value>(better: 'large' | 'small', grows = false) =>
  (unit: FigureUnit, title = ''): MetricRow<Value> => ({ unit, title, better, grows })

/** A figure that may be undefined. */
const figure = rowOf<Figure>('large')
const smallFigure = rowOf<Figure>('small')
/** A number that is always there. */
const number = rowOf<number>('large')
const smallNumber = rowOf<number>('small')
/** A number that grows with the run. */
const sum = rowOf<number>('large', true)
const smallSum = rowOf<number>('small', true)
const asset = rowOf<string>('large')('text')

function listOf<Fields>(by: string | null, fields: Fields): FigureList<Fields> {
  return { by, fields }
}

/** Losses as positive fractions. */
const tailOver = (span: string) => ({
  valueAtRisk95: smallFigure('fraction', `Value at risk 95 %, ${span}`),
  shortfall95: smallFigure('fraction', `Expected shortfall 95 %, ${span}`),
  cornishFisher95: smallFigure('fraction', `Cornish-Fisher 95 %, ${span}`),
  valueAtRisk99: smallFigure('fraction', `Value at risk 99 %, ${span}`),
  shortfall99: smallFigure('fraction', `Expected shortfall 99 %, ${span}`),
  cornishFisher99: smallFigure('fraction'),
})

const catalogue = {
  /** How many returns there are, of what span, over what time: without this no ratio means anything. */
  sampling: {
    fromMillis: number('instant'),
    toMillis: number('instant'),
    /** Of 24 hours. */
    days: number('ratio'),
    gridMillis: number('span'),
    /** The span of the returns that ratios are made of: a day when there are 30, else a step of the grid. */
    ratioMillis: number('span'),
    returns: number('count'),
  },
  returns: {
    /** Of the grid's returns, flows removed, chained. */
    total: rowOf<Figure>('large', true)('fraction', 'Total return'),
    /** USD: what the equity gained, flows apart. */
    profit: sum('usd'),
    /** From 30 days on. */
    cagr: figure('fraction', 'Compound annual growth'),
    volatility: smallFigure('fraction', 'Volatility a year'),
    sharpe: figure('ratio', 'Sharpe'),
    /** Of the yearly Sharpe ratio (Lo 2002). */
    sharpeError: smallFigure('ratio'),
    /** Divided by the penalty for autocorrelation. */
    smartSharpe: figure('ratio', 'Sharpe, for autocorrelation'),
    sortino: figure('ratio', 'Sortino'),
    calmar: figure('ratio', 'Calmar'),
    skewness: figure('ratio', 'Skewness'),
    /** Raw. */
    kurtosis: figure('ratio', 'Kurtosis (normal: 3)'),
    autocorrelation: figure('ratio', 'Autocorrelation'),
    /** Probability that the true Sharpe ratio is above 0. */
    probabilisticSharpe: figure('share', 'Probability that Sharpe > 0'),
    /** As above, against the best of `trials` tries of no skill. */
    deflatedSharpe: figure('share', 'Deflated Sharpe'),
    /** How many returns it takes before a Sharpe ratio above 0 is believed at 95 %. */
    minimumTrackRecord: smallFigure('count', 'Returns needed to believe it'),
  },
  /**
   * Compared with never trading, and with the market: equal parts of each asset that was held or traded, bought at the
   * start without costs and held.
   */
  benchmark: {
    /** USD: what the positions of the start gained by themselves. */
    heldProfit: sum('usd', 'Profit of what was held at the start'),
    /** USD: the rest of the profit, which trading brought. */
    tradingProfit: sum('usd', 'Profit of trading'),
    marketReturn: figure('fraction', 'Buying and holding'),
    marketDrawdown: figure('fraction', 'Its deepest fall'),
    /** How strongly the account's returns follow the market's. */
    beta: figure('ratio', 'Beta'),
    /** A year's return that the market does not explain. */
    alpha: figure('fraction', 'Alpha a year'),
    correlation: figure('ratio', 'Correlation'),
    /** A year's mean of the account's returns in excess of the market's, over their deviation. */
    informationRatio: figure('ratio', 'Information ratio'),
  },
  drawdown: {
    maximum: figure('fraction', 'Deepest fall'),
    /** Peak to recovery, or to the end. */
    longestMillis: smallNumber('span', 'Longest fall'),
    isLongestOpen: rowOf<boolean>('small')('ratio'),
    ulcer: smallFigure('fraction', 'Ulcer index'),
    /** The five deepest, the deepest first. */
    deepest: listOf(null, {
      peakMillis: number('instant'),
      troughMillis: number('instant'),
      /** Null while it has not recovered. */
      recoveryMillis: rowOf<number | null>('large')('instant'),
      /** Below the peak, as a negative fraction. */
      depth: number('fraction'),
    }),
  },
  tail: {
    /** Over one step of the grid. */
    grid: tailOver('a step'),
    /** Over overlapping 24 hours. */
    day: tailOver('a day'),
  },
  activity: {
    orders: sum('count', 'Orders'),
    fills: sum('count', 'Fills'),
    volume: sum('usd', 'Volume'),
    /** Traded value over mean equity, a day. */
    turnoverPerDay: figure('fraction', 'Turnover a day'),
    /** Share of the grid's instants with a position. */
    exposureTime: figure('share', 'Time with a position'),
    grossMean: figure('usd'),
    grossMaximum: figure('usd'),
    netMean: figure('usd'),
    /** The net exposure furthest from 0. */
    netMaximum: figure('usd'),
    leverageMean: figure('ratio'),
    leverageMaximum: figure('ratio'),
  },
  /**
   * Round trips: what each reduction of a position, by one order at one instant, realised against its average cost, fees
   * apart as in the ledger.
   */
  trips: {
    count: sum('count', 'Round trips'),
    wins: sum('count'),
    losses: smallSum('count'),
    zeros: sum('count'),
    hitRate: figure('share', 'Hit rate'),
    profitFactor: figure('ratio', 'Profit factor'),
    /** USD a trip. */
    expectancy: figure('usd', 'Expectancy'),
    /** Mean win over mean loss. */
    payoff: figure('ratio', 'Payoff'),
    meanHoldMillis: figure('span', 'Mean time held'),
    longestLosingRun: smallNumber('count', 'Longest losing run'),
  },
  /** USD, positive for a cost. */
  costs: {
    fees: smallSum('usd'),
    makerFees: smallSum('usd'),
    takerFees: smallSum('usd'),
    /** Against the mid at arrival, weighted by value. */
    slippageBps: smallFigure('basisPoints', 'Slippage against arrival'),
    byAsset: listOf('asset', {
      asset,
      makerFees: smallNumber('usd'),
      takerFees: smallNumber('usd'),
      slippageBps: smallFigure('basisPoints'),
    }),
    /** Implementation shortfall. The four parts and the fees add up to the total. */
    shortfall: {
      delay: smallSum('usd'),
      spread: smallSum('usd'),
      impact: smallSum('usd'),
      opportunity: smallSum('usd'),
      fees: smallSum('usd'),
      total: smallSum('usd'),
    },
    /** Mean price of the fills against the mean price of the mid over their time. */
    versusTwapBps: smallFigure('basisPoints', 'Against the mean price'),
    /** The same against the mean price of all trades and prints from the first fill to the last, these among them. */
    versusVwapBps: smallFigure('basisPoints', 'Against the volume-weighted price'),
  },
  maker: {
    /** Only of maker fills. */
    fills: sum('count', 'Maker fills'),
    volume: sum('usd', 'Maker volume'),
    spreadBps: figure('basisPoints', 'Spread captured'),
    /** What the mid did after the fills, in the maker's favour positive, weighted by value. */
    markouts: listOf('horizonMillis', {
      horizonMillis: number('span'),
      fills: number('count'),
      bps: figure('basisPoints'),
      /** 95 % by bootstrap. */
      lowBps: figure('basisPoints'),
      highBps: figure('basisPoints'),
      /** Spread captured less the markout. */
      adverseBps: smallFigure('basisPoints'),
    }),
    /** Of orders that could rest and of sides of quotes: shares of their number, and of their value at their own prices. */
    fillRatioByCount: figure('share', 'Fill ratio by number'),
    fillRatioByQuantity: figure('share', 'Fill ratio by quantity'),
    /** Maker fills per hour at the best price. */
    fillsPerHourAtTouch: figure('ratio', 'Fills an hour at the best price'),
    /** Share of the time at the best price of the book on one side at least. */
    timeAtTouch: figure('share', 'Time at the best price'),
    /** Share of the time with a bid and an ask, each within 10, 25 and 50 basis points of the mid. */
    uptime: listOf('withinBps', { withinBps: number('basisPoints'), share: figure('share') }),
    cancelsPerFill: smallFigure('ratio', 'Cancels a fill'),
    requests: sum('count'),
    rateLimited: smallNumber('count'),
    /** Units of the asset on the grid, more or less than at the start. */
    inventory: listOf('asset', {
      asset,
      mean: figure('ratio'),
      deviation: figure('ratio'),
      maximum: figure('ratio'),
      halfLifeMillis: figure('span'),
      /** Share of the grid's instants at 95 % or more of the largest inventory. */
      timeAtLimit: figure('share'),
      /** Correlation with the return of the next step. */
      futureReturn: figure('ratio'),
    }),
  },
  /** Where the profit came from, USD: the parts add up to it. */
  attribution: {
    /** How much better the fills were than the mid at their instant; negative for takers. */
    spread: sum('usd'),
    /** What positions gained while the mid moved. */
    inventory: sum('usd'),
    fees: sum('usd'),
    profit: sum('usd'),
    /** What rounding to the USD atom leaves between the parts and the profit. */
    remainder: sum('usd'),
  },
}

type Told = ValuesOf<typeof catalogue>

export interface Metrics extends Told {
  readonly sampling: Sampling
  /** What should be known before the figures are believed, one sentence each. */
  readonly warnings: readonly string[]
}

export type Sampling = Told['sampling'] & {
  /**
   * A year's interest without risk, of which each step has an equal part. Ratios and alpha are in excess of it; left
   * out where it is 0.
   */
  readonly riskFreeRate?: number
}

export type ReturnMetrics = Told['returns']
export type BenchmarkMetrics = Told['benchmark']
export type DrawdownMetrics = Told['drawdown']
export type Drawdown = DrawdownMetrics['deepest'][number]
export type TailMetrics = Told['tail']
export type TailFigures = TailMetrics['grid']
export type ActivityMetrics = Told['activity']
export type TripMetrics = Told['trips']
export type CostMetrics = Told['costs']
export type AssetCosts = CostMetrics['byAsset'][number]
export type Shortfall = CostMetrics['shortfall']
export type MakerMetrics = Told['maker']
export type Markout = MakerMetrics['markouts'][number]
export type InventoryMetrics = MakerMetrics['inventory'][number]
export type Attribution = Told['attribution']

/** What is told of a figure, by its name in `flattenMetrics`; null where none is called so. */
export function figureRow(name: string): MetricRow | null {
  const part = partAt(name)
  return part !== undefined && isRow(part) ? part : null
}

/** The figures of a group that have titles, in their order. */
export function titledFigures(group: string): readonly (readonly [name: string, row: MetricRow])[] {
  return Object.entries(partAt(group) ?? {}).filter(
    ([, row]: [string, FigurePart]) => isRow(row) && row.title !== '',
  )
}

function partAt(path: string): FigurePart | undefined {
  let part: FigurePart | undefined = catalogue
  for (const word of path.split('.')) part = partOf(part, word)
  return part
}

/**
 * Every figure by a name such as `returns.sharpe` or `maker.markouts.5000.bps`, null where it is undefined: for
 * tables, sweeps and conditions. Entries of lists are named by what tells them apart.
 */
export function flattenMetrics(metrics: Metrics): Readonly<Record<string, number | null>> {
  const flat: Record<string, number | null> = {}
  addAll(flat, '', metrics, catalogue)
  return flat
}

function addAll(
  flat: Record<string, number | null>,
  path: string,
  value: unknown,
  part: FigurePart | undefined,
): void {
  if (typeof value === 'number') flat[path] = value
  else if (typeof value === 'boolean') flat[path] = value ? 1 : 0
  else if (isFigure(value)) flat[path] = value.value
  else if (typeof value === 'object' && value !== null) {
    for (const [key, field] of Object.entries(value)) {
      const name = Array.isArray(value) ? entryName(field, Number(key), part) : key
      addAll(flat, path === '' ? name : `${path}.${name}`, field, partOf(part, name))
    }
  }
}

function entryName(entry: unknown, place: number, list: FigurePart | undefined): string {
  const by = list !== undefined && isList(list) ? list.by : null
  const found = Object.entries(typeof entry === 'object' && entry !== null ? entry : {})
  return String(found.find(([name]) => name === by)?.[1] ?? place + 1)
}

/** Of a list any entry. */
function partOf(part: FigurePart | undefined, name: string): FigurePart | undefined {
  if (part === undefined || isRow(part)) return undefined
  return isList(part) ? part.fields : part[name]
}

const isRow = (part: FigurePart): part is MetricRow => 'unit' in part && typeof part.unit === 'string'

const isList = (part: FigurePart): part is FigureList => 'by' in part && typeof part.fields === 'object'
