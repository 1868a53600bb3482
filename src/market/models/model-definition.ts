import { assert } from '../../numeric/assert.ts'
import type { FieldProblem } from '../../shape/field-problem.ts'
import { kindInFile, readStated } from '../../shape/in-file.ts'
import { number, type Shape } from '../../shape/shape.ts'
import { checkShape } from '../check-shape.ts'
import type { Candle } from '../recordings/candle.ts'
import type { NoisePath } from './gaussian-path.ts'
import type { PriceModel, StreamNames } from './price-model.ts'
import type { MarketFactors } from './return-factor.ts'

/* Fields that several models have. */

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
 * A price model is told once, in a file of its own: the shape of its specification, from which come its type, the
 * schema and the reference of scenario files, what a file's words mean, the checks and the journal's line; what its
 * fields must fulfil together; and the path. `price-models.ts` lists them.
 */

/** Of the asset whose model a file states. */
export interface AssetInput {
  readonly symbol: string
  /** At the start, USD. */
  readonly price: number
  /** Of the file that the model names, if it names one. */
  readonly candles: readonly Candle[]
}

/** What the models of one market have in common. */
export interface MarketContext {
  readonly startMillis: number
  readonly names: StreamNames
  /** The asset's Brownian motion, correlated with the others' as the market says. */
  getNoise(): NoisePath
  getFactors(): MarketFactors
}

/** What a file says of a model, where that is no rewriting of its fields. */
export interface FileDefinition<Spec> {
  readonly shape: Shape
  /** `fileSchema` has been validated by the shape. */
  read(stated: unknown, asset: AssetInput, problems: FieldProblem[]): Spec
}

interface ModelDeclaration<Spec extends object> {
  readonly shape: Shape
  /** Fields without a default that a file may leave out. */
  readonly usual?: (asset: AssetInput) => Partial<Spec>
  /** Null: no file states it as such. Without it the fields of the shape are stated. */
  readonly stated?: FileDefinition<object> | null
  /** What is wrong with what a file states, although each field is right. */
  readonly checkStated?: (stated: unknown) => string | null
  /** What is wrong with fields that are each in their range. */
  readonly rule?: (spec: Spec) => FieldProblem | null
  readonly path: (price: number, spec: Spec, surroundings: MarketContext) => PriceModel
}

export interface ModelDefinition<Spec extends object> {
  readonly kind: string
  readonly shape: Shape
  /** Of a file; null when no file states it as such. */
  readonly fileSchema: Shape | null
  /** Whether it needs nothing but its few figures, so that a price can be switched to it at any time. */
  readonly isGenerated: boolean
  /** The specification that a file's words mean; what is wrong is added to the problems, by paths in the file. */
  read(stated: unknown, asset: AssetInput, problems: FieldProblem[]): object
  /** The first thing that is wrong; fields in the order of the shape. */
  check(model: object): FieldProblem | null
  create(model: object, price: number, surroundings: MarketContext): PriceModel
  isSpec(model: object): model is Spec
}

export type SpecOf<Definition> = Definition extends ModelDefinition<infer Spec> ? Spec : never

export function defineModel<Spec extends object>(given: ModelDeclaration<Spec>): ModelDefinition<Spec> {
  const { shape, usual, rule, checkStated: statedProblem, path } = given
  const kind = String(shape.properties?.['kind']?.const)
  const isSpec = (model: object): model is Spec => 'kind' in model && model.kind === kind
  const known = (model: object): Spec => {
    assert(isSpec(model), `this is a specification of the model ${kind}`)
    return model
  }
  return {
    kind,
    shape,
    fileSchema: given.stated === undefined ? kindInFile(shape) : (given.stated?.shape ?? null),
    isGenerated: given.stated === undefined,
    read: (stated, asset, problems) => {
      if (given.stated != null) return given.stated.read(stated, asset, problems)
      const message = statedProblem?.(stated) ?? null
      if (message !== null) problems.push({ field: '', message })
      return Object(
        readStated(shape, message === null ? stated : { kind }, usual?.(asset) ?? {}, '', problems),
      )
    },
    check: (model) => checkShape(shape, model, 'model') ?? rule?.(known(model)) ?? null,
    create: (model, price, surroundings) => path(price, known(model), surroundings),
    isSpec,
  }
}
