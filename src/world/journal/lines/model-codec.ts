import type { RecordedModel, SwitchModel } from '../../../market/market-spec.ts'
import {
  type GeneratedModelSpec,
  generatedModels,
  isGeneratedModel,
} from '../../../market/models/price-models.ts'
import { isTupleOfShapes, type Shape } from '../../../shape/shape.ts'
import {
  type Codec,
  type CodecOfSome,
  choice,
  finite,
  listOf,
  natural,
  oneOf,
  recordOf,
  Undecodable,
} from './codec.ts'

/** The model that a price is switched to. The engine refuses figures that make no sense. */
export const modelCodec: Codec<SwitchModel> = choice<SwitchModel>(({ kind }, path) => {
  if (kind === 'recorded') return recordedCodec
  const shape = generatedModels.get(String(kind))
  if (shape === undefined) throw new Undecodable(`${path}.kind`, 'the name of a model')
  return generatedCodec(shape)
})

const recordedCodec = recordOf<RecordedModel>({ kind: oneOf('recorded'), place: natural })

function generatedCodec(shape: Shape): Codec<GeneratedModelSpec> {
  const { encode, decode } = shapeCodec(shape)
  return {
    encode,
    decode: (json, path) => {
      const model = decode(json, path)
      if (!isGeneratedModel(model)) throw new Undecodable(path, 'a model')
      return model
    },
  }
}

/** A value of such a shape; its ranges do not matter. */
function shapeCodec(shape: Shape): Codec<unknown> {
  const { encode, decode } = plainCodec(shape)
  return { encode, decode }
}

function plainCodec({ const: fixed, items, properties }: Shape): CodecOfSome<unknown> {
  if (fixed !== undefined) return oneOf(fixed)
  if (items !== undefined && !isTupleOfShapes(items)) return listOf(shapeCodec(items))
  if (properties === undefined) return finite
  const parts = Object.entries(properties).map(([key, part]) => [key, shapeCodec(part)] as const)
  return recordOf<{ readonly [key: string]: unknown }>(Object.fromEntries(parts))
}
