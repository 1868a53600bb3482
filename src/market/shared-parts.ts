import {
  checkCorrelation,
  computeNoiseWeights,
  findFirstCorrelated,
  type NoiseWeight,
} from './correlation.ts'
import type { CorrelationSpec, MarketSpec } from './market-spec.ts'
import type { CommonDraws } from './models/common-draws.ts'
import { findNoiseCorrelation } from './models/garch-correlation.ts'
import { GaussianPath, type NoisePath, WeightedNoise } from './models/gaussian-path.ts'
import { brownianMotion } from './models/gaussian-process.ts'
import type { MarketFactors } from './models/market-factor.ts'
import { createMarketFactors } from './models/market-model.ts'
import type { StreamNames } from './models/price-model.ts'
import type { ModelSpec } from './models/price-models.ts'

/** Parts that several assets share, each made when it is first asked for. */
export class SharedParts {
  private readonly spec: MarketSpec
  private readonly paths = new Map<string, NoisePath>()
  private correlated: Correlated | null = null
  private known: MarketFactors | null = null

  constructor(spec: MarketSpec) {
    this.spec = spec
  }

  /** Returns the factors of the model `market`. */
  getFactors(): MarketFactors {
    this.known ??= createMarketFactors(this.spec.seed, this.spec.startMillis)
    return this.known
  }

  /** Returns an asset's Brownian motion, correlated with the others' as the market says. */
  getNoise(symbol: string): NoisePath {
    const weights = this.getCorrelated().weights.get(symbol) ?? []
    if (weights.length < 2) return this.getPath(symbol)
    return new WeightedNoise(
      weights.map((part) => ({ weight: part.weight, path: this.getPath(part.symbol) })),
    )
  }

  /** Returns what an asset draws in common with others; `toNames` names the streams of a symbol. */
  getCommonDraws(symbol: string, toNames: (symbol: string) => StreamNames): CommonDraws {
    const { firsts, weights } = this.getCorrelated()
    const own = [{ symbol, weight: 1 }]
    return {
      names: toNames(firsts.get(symbol) ?? symbol),
      weights: (weights.get(symbol) ?? own).map((part) => ({
        names: toNames(part.symbol),
        weight: part.weight,
      })),
    }
  }

  private getCorrelated(): Correlated {
    this.correlated ??= correlate(this.spec)
    return this.correlated
  }

  private getPath(symbol: string): NoisePath {
    const known = this.paths.get(symbol)
    if (known !== undefined) return known
    const path = new GaussianPath(brownianMotion, { seed: this.spec.seed, symbol }, 'path')
    this.paths.set(symbol, path)
    return path
  }
}

interface Correlated {
  /** Weights of the assets' noises in each one's. */
  readonly weights: ReadonlyMap<string, readonly NoiseWeight[]>
  /** The asset from whose streams each one's volatility comes. */
  readonly firsts: ReadonlyMap<string, string>
}

/**
 * Computes how noises and volatilities are shared so that returns have the correlations of the specification.
 *
 * Choice: where no noises can do that (with leverages so strong that the common volatility alone makes returns
 * more alike than they are told to be), noises have the correlations of the specification and each asset a
 * volatility of its own, and returns are less alike than told.
 */
function correlate({ assets, correlation }: MarketSpec): Correlated {
  if (correlation === undefined) return { weights: new Map(), firsts: new Map() }
  const models = new Map(assets.map(({ symbol, model }) => [symbol, model]))
  const noises = findNoises(correlation, models)
  return checkCorrelation(noises) === null
    ? { weights: computeNoiseWeights(noises), firsts: findFirstCorrelated(correlation) }
    : { weights: computeNoiseWeights(correlation), firsts: new Map() }
}

/** Returns the correlations that noises need for returns to have those of the specification. */
function findNoises(
  { symbols, matrix }: CorrelationSpec,
  models: ReadonlyMap<string, ModelSpec>,
): CorrelationSpec {
  const noises = matrix.map((values) => [...values])
  for (const [row, values] of matrix.entries()) {
    for (let column = 0; column < row; column += 1) {
      const noise = findNoise(
        models.get(symbols[row] ?? ''),
        models.get(symbols[column] ?? ''),
        values[column] ?? 0,
      )
      for (const [left, right] of [
        [row, column],
        [column, row],
      ] as const) {
        const line = noises[left]
        if (line !== undefined) line[right] = noise
      }
    }
  }
  return { symbols, matrix: noises }
}

function findNoise(left: ModelSpec | undefined, right: ModelSpec | undefined, wanted: number): number {
  if (left === undefined || right === undefined || wanted === 0) return wanted
  if (left.kind === 'garch' && right.kind === 'garch') return findNoiseCorrelation(left, right, wanted)
  // What moves with the common noise of volatility is alike already; the rest of the noises does what is left.
  const [one, other] = [leverageOf(left), leverageOf(right)]
  return (wanted - one * other) / Math.sqrt((1 - one * one) * (1 - other * other))
}

const leverageOf = (model: ModelSpec): number => (model.kind === 'heston' ? model.leverage : 0)
