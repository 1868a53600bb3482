import type { Schema } from '../file/schema-words.ts'
import { duration, positiveDuration, priceTerm, symbol, word } from '../file/schema-words.ts'

/* What several actions have in common. */

export const record = (
  required: readonly string[],
  properties: { readonly [name: string]: Schema },
  description?: string,
): Schema => ({
  ...(description === undefined ? {} : { description }),
  type: 'object',
  additionalProperties: false,
  required,
  properties,
})

export const side: Schema = { enum: ['buy', 'sell'], description: 'Buy or sell.' }

export const account: Schema = {
  title: "an account's id",
  type: 'string',
  minLength: 1,
  maxLength: 64,
  description: "The account's id.",
}

export const asset: Schema = { ...symbol, description: 'The asset, against USD.' }

export const lasts = (what: string): Schema => ({ ...duration, description: what })

/** `for`: without it, there is no end. */
export const inForce = (what: string): Schema => ({ ...positiveDuration, description: what })

export const label = (what: string): Schema => ({ ...word, description: what })

export const price = (what: string): Schema => ({ ...priceTerm, description: what })
