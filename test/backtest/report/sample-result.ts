import type { ReportContext } from '../../../src/backtest/report/report-context.ts'
import type { BacktestResult } from '../../../src/backtest/result.ts'
import type { Figure } from '../../../src/metrics/figure.ts'
import type { Metrics } from '../../../src/metrics/metrics.ts'
import type { FillRecord, OrderRecord, QuoteRecord } from '../../../src/metrics/records.ts'
import { createStream } from '../../../src/numeric/random.ts'

/* A result as of a run, of any length, with everything that a report must show. */

export const context: ReportContext = {
  version: '1.2.3',
  parameters: [['refresh', '1s']],
  command: "otcsim backtest maker.ts --seed '7' --set note='<i>'",
  journalDigest: null,
  assertions: [
    { text: 'maxDrawdown < 0.1', isMet: true, got: '0.021' },
    { text: 'sharpe > 2', isMet: false, got: '1.5' },
  ],
  limits: { maxExposure: 500_000, maxExposurePerAsset: { BTC: 300_000 }, maxLeverage: 1 },
  realism: {
    likeness: [{ asset: 'BTC', sentences: ['The judge has a word on it.'] }],
    checks: [
      { asset: 'BTC', name: 'kurtosis', isPassed: true, measured: '8.1', expected: '4 to 40' },
      { asset: 'BTC', name: 'ACF of |r|', isPassed: false, measured: '0.01', expected: '> 0.05' },
    ],
    checkedMillis: 63_072_000_000,
    isCut: true,
  },
  seeds: { seeds: 5, plannedSeeds: 5, failed: 0, profits: [-200, 50, 900, 1_500, 3_000] },
  beside: null,
}

const hour = 3_600_000
const start = 1_767_571_200_000

const some = (value: number): Figure => ({ value, reason: null })
const none = (reason: string): Figure => ({ value: null, reason })

export interface SampleOptions {
  readonly steps?: number
  readonly stepMillis?: number
  readonly fills?: number
}

export function sampleResult({
  steps = 240,
  stepMillis = hour,
  fills = 60,
}: SampleOptions = {}): BacktestResult {
  const walk = createStream('7', 'sample', 'BTC', 0)
  const atMillis: number[] = []
  const price: number[] = []
  const position: number[] = []
  const equity: number[] = []
  let mark = 90_000
  let held = 0
  let value = 1_000_000
  for (let step = 0; step <= steps; step += 1) {
    const move = walk.normal() * 0.004
    value += held * mark * move + 8
    mark *= 1 + move
    if (step % 7 === 3) held = Math.round(walk.normal() * 20) / 10
    atMillis.push(start + step * stepMillis)
    price.push(Math.round(mark * 100) / 100)
    position.push(held)
    equity.push(Math.round(value * 100) / 100)
  }
  const end = start + steps * stepMillis
  const places = Array.from({ length: fills }, (_, place) => Math.floor(((place + 1) * steps) / (fills + 1)))
  const profit = value - 1_000_000
  return {
    format: 'otcsim-backtest',
    version: 1,
    strategy: 'sample <maker> & "friends"',
    parameters: { spreadBps: 5, asset: 'BTC', isSkewed: true },
    source: { kind: 'scenario', name: 'calm' },
    seed: '7',
    account: 'desk',
    fromMillis: start,
    toMillis: end,
    tickMillis: 1_000,
    latency: { order: '5ms', response: '5ms', feed: '20ms' },
    digest: '0123456789abcdef0123456789abcdef',
    sequence: 12_345,
    metrics: sampleMetrics(start, end, stepMillis, steps, profit, fills),
    equity: {
      stepMillis,
      atMillis,
      equity,
      flow: atMillis.map(() => 0),
      cash: atMillis.map((_, step) => (equity[step] ?? 0) - (position[step] ?? 0) * (price[step] ?? 0)),
      assets: [
        { asset: 'BTC', price, position },
        { asset: 'ETH', price: price.map((each) => each / 30), position: price.map(() => 0) },
      ],
    },
    fills: places.map((step, place) => sampleFill(atMillis[step] ?? start, price[step] ?? 1, place)),
    orders: places.slice(0, 20).map((step, place) => sampleOrder(atMillis[step] ?? start, place)),
    quotes: places.map((step, place) => sampleQuote(atMillis[step] ?? start, price[step] ?? 1, place)),
    transfers: [],
    rejects: [{ reason: 'RISK_LIMIT_EXCEEDED', statusCode: 422, message: 'maxOrderSize <b>', count: 3 }],
    calls: { onTick: steps },
    notes: [{ atMillis: start + hour, text: '</script><script>alert(1)</script>' }],
    series: {},
  }
}

function sampleFill(atMillis: number, price: number, place: number): FillRecord {
  const side = place % 2 === 0 ? 'buy' : 'sell'
  return {
    fillId: `fill_${place}`,
    orderId: null,
    quoteId: `quo_${place}`,
    atMillis,
    asset: 'BTC',
    side,
    price: side === 'buy' ? price * 0.999 : price * 1.001,
    quantity: 0.5,
    value: price / 2,
    fee: 1,
    feeCurrency: 'USD',
    feeUsd: 1,
    realized: 2,
    isMaker: true,
    arrivalMid: price,
    mid: price,
    midAfter: [price, null],
    tradedBefore: null,
    cause: { kind: 'flow', price, orderId: null, account: null, sequence: place, command: 'advance' },
  }
}

function sampleOrder(atMillis: number, place: number): OrderRecord {
  return {
    orderId: `ord_${place}`,
    clientOrderId: null,
    asset: 'BTC',
    side: 'buy',
    type: 'limit',
    timeInForce: 'GTC',
    price: 89_000,
    quantity: 1,
    filledQuantity: 0,
    averagePrice: null,
    status: 'cancelled',
    decidedAtMillis: atMillis,
    decisionMid: 90_000,
    createdAtMillis: atMillis,
    arrivalMid: 90_000,
    updatedAtMillis: atMillis + 60_000,
  }
}

function sampleQuote(atMillis: number, price: number, place: number): QuoteRecord {
  return {
    quoteId: `quo_${place}`,
    clientQuoteId: null,
    asset: 'BTC',
    bidPrice: price * 0.999,
    askPrice: price * 1.001,
    bidSize: 0.5,
    askSize: 0.5,
    bidFilled: 0.5,
    askFilled: 0,
    status: 'expired',
    createdAtMillis: atMillis,
    updatedAtMillis: atMillis + 2 * hour,
  }
}

function sampleMetrics(
  fromMillis: number,
  toMillis: number,
  gridMillis: number,
  returns: number,
  profit: number,
  fills: number,
): Metrics {
  const days = (toMillis - fromMillis) / (24 * hour)
  const tail = {
    valueAtRisk95: some(0.012),
    shortfall95: some(0.018),
    cornishFisher95: some(0.013),
    valueAtRisk99: some(0.02),
    shortfall99: some(0.024),
    cornishFisher99: none('the skewness is too large'),
  }
  const markout = (horizonMillis: number, mean: number) => ({
    horizonMillis,
    fills,
    bps: some(mean),
    lowBps: some(mean - 1),
    highBps: some(mean + 1),
    adverseBps: some(5 - mean),
  })
  return {
    sampling: { fromMillis, toMillis, gridMillis, ratioMillis: gridMillis, returns, days },
    returns: {
      total: some(profit / 1_000_000),
      profit,
      cagr: none('the run is shorter than 30 days'),
      volatility: none('the run is shorter than 30 days'),
      sharpe: none('the run is shorter than 30 days'),
      sharpeError: none('the run is shorter than 30 days'),
      tStatistic: some(1.35),
      smartSharpe: none('the run is shorter than 30 days'),
      sortino: none('the run is shorter than 30 days'),
      calmar: none('the run is shorter than 30 days'),
      omega: some(1.2),
      tailRatio: some(1.05),
      stability: some(0.6),
      skewness: some(-0.2),
      kurtosis: some(4.4),
      autocorrelation: some(0.02),
      probabilisticSharpe: some(0.92),
      deflatedSharpe: none('one trial'),
      minimumTrackRecord: some(800),
    },
    benchmark: {
      heldProfit: profit / 4,
      tradingProfit: (3 * profit) / 4,
      marketReturn: some(0.03),
      marketDrawdown: some(-0.05),
      beta: some(0.4),
      alpha: none('the run is shorter than 30 days'),
      correlation: some(0.3),
      informationRatio: none('it moved with the market exactly'),
      upCapture: none('the run is shorter than 30 days'),
      downCapture: none('the run is shorter than 30 days'),
    },
    drawdown: {
      maximum: some(-0.021),
      longestMillis: 40 * hour,
      isLongestOpen: true,
      ulcer: some(0.01),
      deepest: [
        {
          peakMillis: fromMillis + 10 * hour,
          troughMillis: fromMillis + 30 * hour,
          recoveryMillis: fromMillis + 50 * hour,
          depth: -0.021,
        },
        {
          peakMillis: fromMillis + 100 * hour,
          troughMillis: fromMillis + 110 * hour,
          recoveryMillis: null,
          depth: -0.01,
        },
      ],
    },
    tail: { grid: tail, day: tail },
    activity: {
      orders: 20,
      fills,
      volume: fills * 45_000,
      turnoverPerDay: some(0.3),
      exposureTime: some(0.9),
      grossMean: some(80_000),
      grossMaximum: some(250_000),
      netMean: some(-1_000),
      netMaximum: some(-250_000),
      leverageMean: some(0.08),
      leverageMaximum: some(0.25),
    },
    trips: {
      count: 30,
      wins: 18,
      losses: 11,
      zeros: 1,
      hitRate: some(0.62),
      netHitRate: some(0.55),
      profitFactor: some(1.4),
      netProfitFactor: some(1.2),
      expectancy: some(12.5),
      netExpectancy: some(10.5),
      payoff: some(0.9),
      netPayoff: some(0.8),
      meanHoldMillis: some(3.4 * hour),
      longestLosingRun: 4,
      realized: 375,
      netRealized: 315,
      openLots: 1,
      unrealized: -2_258,
      netUnrealized: -2_259,
      open: [{ asset: 'BTC', quantity: 0.5, averageCost: 94_516, unrealized: -2_258, netUnrealized: -2_259 }],
    },
    costs: {
      fees: fills,
      makerFees: fills,
      takerFees: 0,
      slippageBps: some(-4.2),
      byAsset: [{ asset: 'BTC', makerFees: fills, takerFees: 0, slippageBps: some(-4.2) }],
      shortfall: { delay: 1, spread: -20, impact: 3, opportunity: 0, fees: fills, total: fills - 16 },
      versusTwapBps: some(0.4),
      versusVwapBps: some(0.3),
    },
    maker: {
      fills,
      volume: fills * 45_000,
      spreadBps: some(5),
      markouts: [markout(0, 5), markout(1_000, 3.9), markout(60_000, 1.2), markout(3_600_000, -0.8)],
      fillRatioByCount: some(0.5),
      fillRatioByQuantity: some(0.25),
      fillsPerHourAtTouch: none('never at the best price'),
      timeAtTouch: some(0.8),
      uptime: [{ withinBps: 10, share: some(0.7) }],
      cancelsPerFill: some(0.2),
      requests: 4_000,
      rateLimited: 2,
      inventory: [
        {
          asset: 'BTC',
          mean: some(0.02),
          deviation: some(1.2),
          maximum: some(2.6),
          halfLifeMillis: some(2 * hour),
          timeAtLimit: some(0.01),
          futureReturn: some(-0.1),
        },
      ],
    },
    attribution: { spread: fills * 22, inventory: profit - fills * 21, fees: -fills, profit, remainder: 0 },
    warnings: ['There are fewer than 30 days: yearly figures say little.'],
  }
}
