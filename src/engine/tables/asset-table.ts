import { assert, missing } from '../../numeric/assert.ts'
import {
  type Atoms,
  atoms,
  decimalToNumber,
  multiplyDivideHalfEven,
  notionalAtoms,
  powerOfTen,
} from '../../numeric/units.ts'
import { type AssetRow, assetRow, cash, type NoRow, none } from '../codes.ts'
import type { AssetConfig, PairConfig } from '../config.ts'

export const cashScale = 6
/** The largest sum or product that still counts as exact: a little below 2^53. */
export const maximumExact = 9e15
/** The decimals of size limits, which are in 10^-8 units. */
const sizeScale = 8

/** A traded asset with the factors that convert its ticks, steps and atoms into one another. */
export interface Asset {
  readonly symbol: string
  readonly scale: number
  readonly pair: PairConfig
  readonly stepAtoms: number
  /** The USD atoms of one tick times one step, as a fraction with `notionalDenominator`. */
  readonly notionalNumerator: number
  readonly notionalDenominator: number
  /** The USD atoms of one tick times one atom, as a fraction with `valueDenominator`. */
  readonly valueNumerator: number
  readonly valueDenominator: number
  /** The size of one quantity step in 10^-8 units. */
  readonly stepSize: number
  /** Bounds on prices and quantities: the pair's own, narrowed to what keeps every product exact. */
  readonly minimumTicks: number
  readonly minimumSteps: number
  readonly maximumSteps: number
  /** The bounds that keep every product of the engine exact, whatever those of the pair are. */
  readonly maximumPriceTicks: number
  readonly maximumQuantitySteps: number
  /** One tick in USD and one step in units, for the market's doubles. */
  readonly tickUsd: number
  readonly stepUnits: number
}

/** Returns the value of a quantity, which is not negative, at a price: half-even to the USD atom. */
export function computeNotional(asset: Asset, ticks: number, steps: number): Atoms {
  const product = ticks * steps * asset.notionalNumerator
  if (asset.notionalDenominator === 1 && product <= Number.MAX_SAFE_INTEGER) return atoms(product)
  return atoms(notionalAtoms(ticks, steps, asset.notionalNumerator, asset.notionalDenominator))
}

/** Returns the highest price that the steps of a traded asset can count exactly, USD. */
export function maximumPriceUsd(config: AssetConfig): number {
  const asset = compileAsset(config)
  return asset === null ? 0 : asset.maximumPriceTicks * asset.tickUsd
}

/** The assets of a venue: row 0 is cash, the others trade against it. Their number never changes. */
export class AssetTable {
  readonly count: number
  private readonly configs: readonly AssetConfig[]
  private readonly assets: (Asset | null)[]
  private readonly rows = new Map<string, AssetRow>()
  /** All rows in order, cash first. */
  readonly all: readonly AssetRow[]
  /** The rows of the traded assets, which are all but cash. */
  readonly allTraded: readonly AssetRow[]

  constructor(configs: readonly AssetConfig[]) {
    this.configs = configs
    this.count = configs.length
    this.assets = configs.map(compileAsset)
    this.all = configs.map((_, row) => assetRow(row))
    for (const row of this.all) this.rows.set(this.symbol(row), row)
    this.allTraded = this.all.slice(1)
  }

  /** Returns the row of a symbol, or -1. */
  rowOf(symbol: string): AssetRow | NoRow {
    return this.rows.get(symbol) ?? none
  }

  config(row: number): AssetConfig {
    const config = this.configs[row]
    assert(config !== undefined, 'an asset row is within the configuration')
    return config
  }

  symbol(row: number): string {
    return this.config(row).symbol
  }

  /** Returns a traded asset (not cash), with its pair as it is now. Throws for cash. */
  tradedAsset(row: number): Asset {
    return this.assets[row] ?? missingAsset()
  }

  setPair(row: number, pair: PairConfig): void {
    this.assets[row] = compileAsset({ ...this.config(row), pair })
  }

  /** Returns the value of a quantity of a traded asset at a price, half-even to the USD atom. */
  notional(row: number, ticks: number, steps: number): Atoms {
    return computeNotional(this.tradedAsset(row), ticks, steps)
  }

  /**
   * Returns the value of a signed balance at a price, half-even to the USD atom; for cash the balance itself. A value
   * beyond 2^53, which only a price that has run away makes, is a double near it.
   */
  value(row: number, ticks: number, amountAtoms: number): Atoms {
    if (row === cash) return atoms(amountAtoms)
    const asset = this.tradedAsset(row)
    const steps = Math.floor(amountAtoms / asset.stepAtoms)
    const product = ticks * steps * asset.notionalNumerator
    // A whole number of steps, each worth whole atoms per tick, needs no wide arithmetic.
    if (asset.notionalDenominator === 1 && steps * asset.stepAtoms === amountAtoms && isSafe(product))
      return atoms(product + 0)
    const nearly = (amountAtoms * ticks * asset.valueNumerator) / asset.valueDenominator
    if (Math.abs(nearly) > maximumExact) return atoms(nearly)
    return atoms(multiplyDivideHalfEven(amountAtoms, ticks * asset.valueNumerator, asset.valueDenominator))
  }
}

/** Throws. It is a function of its own, so that the look-up stays small enough for V8 to inline. */
function missingAsset(): never {
  return missing('a traded asset row is not cash')
}

function isSafe(value: number): boolean {
  return value <= Number.MAX_SAFE_INTEGER && value >= -Number.MAX_SAFE_INTEGER
}

function compileAsset(config: AssetConfig): Asset | null {
  const { pair, scale, symbol } = config
  if (pair === null) return null
  const { priceStep, quantityStep } = pair
  assert(quantityStep.scale <= scale, 'a quantity step is a whole number of atoms')
  assert(quantityStep.scale <= sizeScale, 'a quantity step has at most 8 decimals')
  const notionalScale = priceStep.scale + quantityStep.scale - cashScale
  const valueScale = priceStep.scale + scale - cashScale
  const stepAtoms = quantityStep.units * powerOfTen(scale - quantityStep.scale)
  const stepSize = quantityStep.units * powerOfTen(sizeScale - quantityStep.scale)
  const notionalNumerator = priceStep.units * quantityStep.units * powerOfTen(Math.max(0, -notionalScale))
  const valueNumerator = priceStep.units * powerOfTen(Math.max(0, -valueScale))
  const maximumQuantitySteps = Math.floor(maximumExact / Math.max(stepAtoms, stepSize, notionalNumerator))
  return {
    symbol,
    scale,
    pair,
    stepAtoms,
    notionalNumerator,
    notionalDenominator: powerOfTen(Math.max(0, notionalScale)),
    valueNumerator,
    valueDenominator: powerOfTen(Math.max(0, valueScale)),
    stepSize,
    minimumTicks: Math.max(1, pair.minPriceTicks),
    minimumSteps: Math.max(1, pair.minQuantitySteps),
    maximumSteps: Math.min(pair.maxQuantitySteps, maximumQuantitySteps),
    maximumPriceTicks: Math.floor(maximumExact / Math.max(notionalNumerator, valueNumerator)),
    maximumQuantitySteps,
    tickUsd: decimalToNumber(priceStep.units, priceStep.scale),
    stepUnits: decimalToNumber(quantityStep.units, quantityStep.scale),
  }
}
