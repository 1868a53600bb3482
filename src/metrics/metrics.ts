import type { Figure } from './figure.ts'

/*
 * What a run's figures are. Money in USD, shares and returns as fractions (0.01 is 1 %), basis points where the name
 * ends so, spans in milliseconds, a year of 365 days. Everything is plain JSON data.
 */
export interface Metrics {
  readonly sampling: Sampling
  readonly returns: ReturnMetrics
  readonly benchmark: BenchmarkMetrics
  readonly drawdown: DrawdownMetrics
  readonly tail: TailMetrics
  readonly activity: ActivityMetrics
  readonly trips: TripMetrics
  readonly costs: CostMetrics
  readonly maker: MakerMetrics
  readonly attribution: Attribution
  /** What should be known before the figures are believed, one sentence each. */
  readonly warnings: readonly string[]
}

/** How many returns there are, of what span, over what time: without this no ratio means anything. */
export interface Sampling {
  readonly fromMillis: number
  readonly toMillis: number
  readonly gridMillis: number
  /** The span of the returns that ratios are made of: a day when there are 30, else a step of the grid. */
  readonly ratioMillis: number
  /** How many of them. */
  readonly returns: number
  /** Days of 24 hours. */
  readonly days: number
  /**
   * A year's interest without risk, of which each step has an equal part. Ratios and alpha are in excess of it; left
   * out where it is 0.
   */
  readonly riskFreeRate?: number
}

export interface ReturnMetrics {
  /** Of the grid's returns, flows removed, chained. */
  readonly total: Figure
  /** USD: what the equity gained, flows apart. */
  readonly profit: number
  /** From 30 days on. */
  readonly cagr: Figure
  readonly volatility: Figure
  readonly sharpe: Figure
  /** Of the yearly Sharpe ratio (Lo 2002). */
  readonly sharpeError: Figure
  /** Divided by the penalty for autocorrelation. */
  readonly smartSharpe: Figure
  readonly sortino: Figure
  readonly calmar: Figure
  readonly skewness: Figure
  /** Raw: 3 for a normal distribution. */
  readonly kurtosis: Figure
  /** Of neighbouring returns. */
  readonly autocorrelation: Figure
  /** Probability that the true Sharpe ratio is above 0. */
  readonly probabilisticSharpe: Figure
  /** As above, against the best of `trials` tries of no skill. */
  readonly deflatedSharpe: Figure
  /** How many returns it takes before a Sharpe ratio above 0 is believed at 95 %. */
  readonly minimumTrackRecord: Figure
}

/**
 * Compared with never trading, and with the market: equal parts of each asset that was held or traded, bought at the
 * start without costs and held.
 */
export interface BenchmarkMetrics {
  /** USD: what the positions of the start gained by themselves. */
  readonly heldProfit: number
  /** USD: the rest of the profit, which trading brought. */
  readonly tradingProfit: number
  readonly marketReturn: Figure
  readonly marketDrawdown: Figure
  /** How strongly the account's returns follow the market's. */
  readonly beta: Figure
  /** A year's return that the market does not explain. */
  readonly alpha: Figure
  /** With the market's returns. */
  readonly correlation: Figure
  /** A year's mean of the account's returns in excess of the market's, over their deviation. */
  readonly informationRatio: Figure
}

export interface Drawdown {
  readonly peakMillis: number
  readonly troughMillis: number
  /** Null while it has not recovered. */
  readonly recoveryMillis: number | null
  /** Below the peak, as a negative fraction. */
  readonly depth: number
}

export interface DrawdownMetrics {
  readonly maximum: Figure
  /** Peak to recovery, or to the end. */
  readonly longestMillis: number
  readonly isLongestOpen: boolean
  readonly ulcer: Figure
  /** The five deepest, the deepest first. */
  readonly deepest: readonly Drawdown[]
}

/** Losses as positive fractions. */
export interface TailFigures {
  readonly valueAtRisk95: Figure
  readonly shortfall95: Figure
  readonly cornishFisher95: Figure
  readonly valueAtRisk99: Figure
  readonly shortfall99: Figure
  readonly cornishFisher99: Figure
}

export interface TailMetrics {
  /** Over one step of the grid. */
  readonly grid: TailFigures
  /** Over overlapping 24 hours. */
  readonly day: TailFigures
}

export interface ActivityMetrics {
  readonly orders: number
  readonly fills: number
  readonly volume: number
  /** Traded value over mean equity, a day. */
  readonly turnoverPerDay: Figure
  /** Share of the grid's instants with a position. */
  readonly exposureTime: Figure
  readonly grossMean: Figure
  readonly grossMaximum: Figure
  readonly netMean: Figure
  /** The net exposure furthest from 0. */
  readonly netMaximum: Figure
  readonly leverageMean: Figure
  readonly leverageMaximum: Figure
}

/**
 * Round trips: what each reduction of a position, by one order at one instant, realised against its average cost, fees
 * apart as in the ledger.
 */
export interface TripMetrics {
  readonly count: number
  readonly wins: number
  readonly losses: number
  readonly zeros: number
  readonly hitRate: Figure
  readonly profitFactor: Figure
  /** USD a trip. */
  readonly expectancy: Figure
  /** Mean win over mean loss. */
  readonly payoff: Figure
  readonly meanHoldMillis: Figure
  readonly longestLosingRun: number
}

/** Implementation shortfall, USD, positive for a cost. The four parts and the fees add up to the total. */
export interface Shortfall {
  readonly delay: number
  readonly spread: number
  readonly impact: number
  readonly opportunity: number
  readonly fees: number
  readonly total: number
}

export interface AssetCosts {
  readonly asset: string
  /** USD, positive for a cost. */
  readonly makerFees: number
  readonly takerFees: number
  /** Against the mid at arrival, weighted by value; positive for a cost. */
  readonly slippageBps: Figure
}

export interface CostMetrics {
  readonly fees: number
  readonly makerFees: number
  readonly takerFees: number
  readonly slippageBps: Figure
  readonly byAsset: readonly AssetCosts[]
  readonly shortfall: Shortfall
  /** Mean price of the fills against the mean price of the mid over their time, positive for a cost. */
  readonly versusTwapBps: Figure
  /** The same against the mean price of all trades and prints from the first fill to the last, these among them. */
  readonly versusVwapBps: Figure
}

/** What the mid did after the fills, in the maker's favour positive, weighted by value. */
export interface Markout {
  readonly horizonMillis: number
  readonly fills: number
  readonly bps: Figure
  /** 95 % by bootstrap. */
  readonly lowBps: Figure
  readonly highBps: Figure
  /** Spread captured less the markout. */
  readonly adverseBps: Figure
}

export interface MakerMetrics {
  /** Only of maker fills. */
  readonly fills: number
  readonly volume: number
  readonly spreadBps: Figure
  readonly markouts: readonly Markout[]
  /** Of orders that could rest and of sides of quotes: shares of their number, and of their value at their own prices. */
  readonly fillRatioByCount: Figure
  readonly fillRatioByQuantity: Figure
  /** Maker fills per hour at the best price. */
  readonly fillsPerHourAtTouch: Figure
  /** Share of the time at the best price of the book on one side at least. */
  readonly timeAtTouch: Figure
  /** Share of the time with a bid and an ask, each within 10, 25 and 50 basis points of the mid. */
  readonly uptime: readonly { readonly withinBps: number; readonly share: Figure }[]
  readonly cancelsPerFill: Figure
  readonly requests: number
  readonly rateLimited: number
  readonly inventory: readonly InventoryMetrics[]
}

/** Units of the asset on the grid, more or less than at the start. */
export interface InventoryMetrics {
  readonly asset: string
  readonly mean: Figure
  readonly deviation: Figure
  readonly maximum: Figure
  readonly halfLifeMillis: Figure
  /** Share of the grid's instants at 95 % or more of the largest inventory. */
  readonly timeAtLimit: Figure
  /** Correlation with the return of the next step. */
  readonly futureReturn: Figure
}

/** Where the profit came from, USD: the parts add up to it. */
export interface Attribution {
  /** How much better the fills were than the mid at their instant; negative for takers. */
  readonly spread: number
  /** What positions gained while the mid moved. */
  readonly inventory: number
  /** Paid fees, negative. */
  readonly fees: number
  readonly profit: number
  /** What rounding to the USD atom leaves between the parts and the profit. */
  readonly remainder: number
}
