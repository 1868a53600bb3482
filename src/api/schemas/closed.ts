import type { Schema } from './infer.ts'

/** An object with all of these properties and no others: the shape of everything that the service answers. */
export function closed<const Properties extends { readonly [name: string]: Schema }>(properties: Properties) {
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(properties),
    properties,
  } as const
}

/** A piece with what the specification says of it in this place. */
export function described<const Piece extends Schema>(piece: Piece, description: string): Piece {
  return { ...piece, description }
}

export function listOf<const Item extends Schema>(items: Item) {
  return { type: 'array', items } as const
}
