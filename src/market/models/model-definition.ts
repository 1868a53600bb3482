import { assert } from '../../numeric/assert.ts'
import { kindInFile, readStated } from '../../shape/in-file.ts'
import { number, type Shape } from '../../shape/shape.ts'
import type { SpecProblem } from '../../shape/spec-checks.ts'
import { checkShape } from '../check-shape.ts'
import type { Candles } from '../recordings/candle-table.ts'
import type { CommonDraws } from './common-draws.ts'
import type { NoisePath } from './gaussian-path.ts'
import type { MarketFactors } from './market-factor.ts'
import type { PriceModel, StreamNames } from './price-model.ts'

/* Fields that several models share. */

export const vol = number(0, 100, 'Annual volatility in the long run; 0.6 is 60 %.')
export const volBetweenJumps = number(0, 100, 'Annual volatility between the jumps; 0.6 is 60 %.')
export const drift = number(-100, 100, 'Annual drift of the price; 0.1 is 10 %.', { default: 0 })
export const noiseVol = number(
  0,
  100,
  'Annual volatility of the noise between the points; 0 is a pure line.',
  {
    default: 0,
  },
)

/*
 * A price model is declared once, in a file of its own: the shape of its specification, which gives its type,
 * the schema and reference of scenario files, the reading of a file, the checks and the journal's line; rules
 * across its fields; and the path. `price-models.ts` lists them.
 */

/** What reading a model from a file may depend on of its asset. */
export interface AssetInput {
  readonly symbol: string
  /** Price at the start, USD. */
  readonly price: number
  /** Candles of the file that the model names; empty if it names none. */
  readonly candles: Candles
}

/** What the models of one market share. */
export interface MarketContext {
  readonly startMillis: number
  readonly names: StreamNames
  /** Returns the asset's Brownian motion, correlated with the others' as the market says. */
  getNoise(): NoisePath
  /** Returns what the asset has in common with those that it is correlated with, besides that motion. */
  getCommonDraws(): CommonDraws
  /** Returns the factors that all assets share. */
  getFactors(): MarketFactors
}

/** How a file states a model whose file fields differ from those of its specification. */
export interface FileDefinition<Spec> {
  readonly shape: Shape
  /**
   * Returns the specification that a file states; `stated` has been validated by the shape. Problems are added
   * to the list, with paths in the file.
   */
  read(stated: unknown, asset: AssetInput, problems: SpecProblem[]): Spec
}

/** What a price model declares about itself; `defineModel` derives the rest. */
interface ModelDeclaration<Spec extends object> {
  readonly shape: Shape
  /** Returns defaults that depend on the asset, for fields that a file may leave out. */
  readonly usual?: (asset: AssetInput) => Partial<Spec>
  /**
   * How files state the model: by default the fields of the shape; null for a model that no file states
   * directly.
   */
  readonly stated?: FileDefinition<object> | null
  /** Returns what is wrong with a file's fields together, although each is valid, or null. */
  readonly checkStated?: (stated: unknown) => string | null
  /**
   * Returns the first problem of a specification's fields together, although each is within its range, or null.
   */
  readonly rule?: (spec: Spec) => SpecProblem | null
  /** Creates the path of a specification that is sound. */
  readonly path: (price: number, spec: Spec, context: MarketContext) => PriceModel
}

/** Price model as the rest of the program uses it. */
export interface ModelDefinition<Spec extends object> {
  readonly kind: string
  readonly shape: Shape
  /** Schema of the model in scenario files; null for a model that no file states directly. */
  readonly fileSchema: Shape | null
  /** Whether the model needs nothing but its few figures, so that a price can change to it at any time. */
  readonly isGenerated: boolean
  /** Returns the specification that a file states. Problems are added to the list, with paths in the file. */
  read(stated: unknown, asset: AssetInput, problems: SpecProblem[]): object
  /** Returns the first problem of a specification, with fields in the order of the shape, or null. */
  check(model: object): SpecProblem | null
  /** Creates the path of a specification that is sound, starting at `price` (USD). */
  create(model: object, price: number, context: MarketContext): PriceModel
  /** Returns whether a specification is of this model, by its kind. */
  isSpec(model: object): model is Spec
}

export type SpecOf<Definition> = Definition extends ModelDefinition<infer Spec> ? Spec : never

/** Defines a price model by its declaration. */
export function defineModel<Spec extends object>(declaration: ModelDeclaration<Spec>): ModelDefinition<Spec> {
  const { shape, usual, rule, checkStated, path } = declaration
  const kind = String(shape.properties?.['kind']?.const)
  const isSpec = (model: object): model is Spec => 'kind' in model && model.kind === kind
  const checkSpec = (model: object): Spec => {
    assert(isSpec(model), `this is a specification of the model ${kind}`)
    return model
  }
  return {
    kind,
    shape,
    fileSchema: declaration.stated === undefined ? kindInFile(shape) : (declaration.stated?.shape ?? null),
    isGenerated: declaration.stated === undefined,
    read: (stated, asset, problems) => {
      if (declaration.stated != null) return declaration.stated.read(stated, asset, problems)
      const message = checkStated?.(stated) ?? null
      if (message !== null) problems.push({ field: '', message })
      return Object(
        readStated(shape, message === null ? stated : { kind }, usual?.(asset) ?? {}, '', problems),
      )
    },
    check: (model) => checkShape(shape, model, 'model') ?? rule?.(checkSpec(model)) ?? null,
    create: (model, price, context) => path(price, checkSpec(model), context),
    isSpec,
  }
}
