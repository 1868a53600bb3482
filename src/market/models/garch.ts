import { element } from '../../numeric/columns.ts'
import { log } from '../../numeric/portable-math.ts'
import { type RandomStream, StreamSeries } from '../../numeric/random.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import { kind, number, type RecordOf, record, wholeMinutes } from '../../shape/shape.ts'
import { problem, type SpecProblem } from '../../shape/spec-checks.ts'
import { usualFigures } from '../usual-figures.ts'
import { CachedMinutes } from './cached-minutes.ts'
import type { NoisePath } from './gaussian-path.ts'
import { defineModel, vol } from './model-definition.ts'
import { minutesPerYear, type PriceModel, type StreamNames } from './price-model.ts'
import { blockMinutes, createSteppedModel, type MinuteBlock } from './stepped-path.ts'

const shape = record(
  {
    kind: kind('garch'),
    vol,
    barMinutes: wholeMinutes(1, 1440, 'Length of one step of the model.', { default: 60 }),
    alpha: number(0, 1, "Weight of the last bar's squared return."),
    beta: number(0, 1, "Weight of the last bar's variance."),
    asymmetry: number(-1, 1, 'Half of it is added to alpha after falls, and subtracted after rises.'),
    tails: number(2.05, 1000, 'Degrees of freedom of the Student-t shocks.'),
  },
  'GARCH(1,1) with Student-t shocks on bars of its own (1h by default).',
)

export type GarchSpec = RecordOf<typeof shape>

/**
 * Model `garch`: GARCH(1,1) with Student-t shocks, and asymmetry as Glosten, Jagannathan and Runkle define it,
 * on bars of its own: h' = w + alpha r^2 + beta h + asymmetry (1[r < 0] - 1/2) r^2. Within a bar the path is a
 * bridge. `vol` determines w.
 */
export const garch = defineModel<GarchSpec>({
  shape,
  usual: ({ symbol }) => ({ vol: usualFigures(symbol).vol, ...(fitted.get(symbol) ?? fittedOfOthers) }),
  rule: ({ alpha, beta, asymmetry }): SpecProblem | null => {
    if (!(alpha + beta > 0 && alpha + beta <= 0.9999)) {
      return problem(
        'model.beta',
        'with alpha is not above 0 and at most 0.9999, so the variance has no mean',
      )
    }
    const least = alpha - (asymmetry < 0 ? -asymmetry : asymmetry) / 2
    return least >= 0
      ? null
      : problem('model.asymmetry', 'is more than twice alpha, so a variance could be negative')
  },
  path: (price, spec, { getNoise: noise, getCommonDraws: common, names }) =>
    createGarch(price, spec, noise(), names, common().names),
})

/* Fitted to hourly returns of the three (market.md 2b). */
const fittedOfOthers = { alpha: 0.061, beta: 0.935, asymmetry: 0.008, tails: 4.8 }
const fitted: ReadonlyMap<string, typeof fittedOfOthers> = new Map([
  ['BTC', { alpha: 0.044, beta: 0.951, asymmetry: 0.02, tails: 3.65 }],
  ['ETH', { alpha: 0.046, beta: 0.95, asymmetry: 0.024, tails: 4 }],
  ['SOL', fittedOfOthers],
])

/**
 * Creates a path of GARCH bars, which count from the market's start. Half of the variance is subtracted from
 * the return, so that the price has no drift.
 */
function createGarch(
  price: number,
  spec: GarchSpec,
  noise: NoisePath,
  names: StreamNames,
  commonNames: StreamNames,
): PriceModel {
  const bars = new GarchBars(spec, noise, commonNames)
  const { barMinutes } = spec

  const fillBlock = (block: number, out: MinuteBlock): void => {
    const first = block * blockMinutes
    noise.fillIncrements(first, blockMinutes, out.returns)
    for (let i = 0; i < blockMinutes; i += 1) {
      const bar = Math.floor((first + i) / barMinutes)
      const deviation = bars.scaleAt(bar) / Math.sqrt(barMinutes)
      const variance = bars.varianceAt(bar)
      out.returns[i] = deviation * element(out.returns, i) - variance / (2 * barMinutes)
      out.deviations[i] = deviation
      out.activities[i] = bars.meanVariance > 0 ? Math.sqrt(variance / bars.meanVariance) : 1
    }
  }
  return createSteppedModel(price, fillBlock, noise, names)
}

/**
 * Bars of a GARCH process. The variance depends on every return before it, but forgets half of them in a
 * half-life. So bars come in eras, and each era is run from the mean variance through the era before it, whose
 * shocks it shares. Any era costs two, and where two eras meet the variance is off by about a thousandth.
 */
class GarchBars {
  readonly meanVariance: number
  private readonly spec: GarchSpec
  private readonly noise: NoisePath
  private readonly streams: StreamSeries
  private readonly eraBars: number
  private readonly eras: CachedMinutes<Era>

  /** `names` are those of the draws that widen the shocks of correlated assets together. */
  constructor(spec: GarchSpec, noise: NoisePath, names: StreamNames) {
    this.spec = spec
    this.noise = noise
    this.streams = new StreamSeries(names.seed, 'garch', names.symbol)
    this.meanVariance = (spec.vol * spec.vol * spec.barMinutes) / minutesPerYear
    const halfLives = (10 * log(2)) / -log(spec.alpha + spec.beta)
    let eraBars = 256
    while (eraBars < halfLives && eraBars < 16_384) eraBars *= 2
    this.eraBars = eraBars
    this.eras = new CachedMinutes<Era>(
      2,
      () => createEra(eraBars),
      (index, era) => this.runEra(index, this.runEra(index - 1, this.meanVariance, era), era),
    )
  }

  /** Returns the variance of a bar's return, given the bars before. */
  varianceAt(bar: number): number {
    const index = Math.floor(bar / this.eraBars)
    return element(this.eras.at(index).variances, bar - index * this.eraBars)
  }

  /**
   * Returns the move per unit of Gaussian noise in a bar: the bar's deviation times its draw of the Student-t
   * distribution.
   */
  scaleAt(bar: number): number {
    const index = Math.floor(bar / this.eraBars)
    return element(this.eras.at(index).scales, bar - index * this.eraBars)
  }

  /** Writes an era that begins with a variance. Returns the variance after it. */
  private runEra(index: number, start: number, { variances, scales }: Era): number {
    const { tails, barMinutes } = this.spec
    const barMillis = barMinutes * millisPerMinute
    let from = this.noise.at(index * this.eraBars * barMillis)
    let variance = start
    for (let place = 0; place < this.eraBars; place += 1) {
      const bar = index * this.eraBars + place
      const to = this.noise.at((bar + 1) * barMillis)
      const scale = Math.sqrt(variance) * drawWidth(this.streams.at(bar), tails)
      variances[place] = variance
      scales[place] = scale
      const shock = (scale * (to - from)) / Math.sqrt(barMinutes)
      variance = computeNextVariance(this.spec, this.meanVariance, variance, shock)
      from = to
    }
    return variance
  }
}

/**
 * Draws by how much a bar's normal variable is widened to one of Student's t distribution of variance 1, from
 * the stream of the bar: so assets with other tails draw nearly the same.
 */
export function drawWidth(stream: RandomStream, tails: number): number {
  return Math.sqrt((tails - 2) / stream.chiSquare(tails))
}

/** Computes the variance of the next bar's return from that of a bar and from its return. */
export function computeNextVariance(
  { alpha, beta, asymmetry }: GarchSpec,
  meanVariance: number,
  variance: number,
  shock: number,
): number {
  const constant = meanVariance * (1 - alpha - beta)
  const weight = alpha + (shock < 0 ? asymmetry / 2 : -asymmetry / 2)
  const next = constant + beta * variance + weight * shock * shock
  return Math.min(Math.max(next, constant), meanVariance * maximumVarianceMultiple)
}

/**
 * Choice: largest variance as a multiple of the mean, which is a hundred times the volatility. With tails so
 * fat that they have no fourth moment, one shock could otherwise end a run.
 */
const maximumVarianceMultiple = 10_000

interface Era {
  readonly variances: Float64Array
  readonly scales: Float64Array
}

function createEra(bars: number): Era {
  return { variances: new Float64Array(bars), scales: new Float64Array(bars) }
}
