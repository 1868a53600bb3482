/*
 * The subset of JSON Schema 2020-12 (so of OpenAPI 3.1) in which every shape of the interface is written, and the
 * TypeScript type of such a shape. One literal, `as const satisfies Schema`, feeds the validator, the types and the
 * OpenAPI document; a keyword outside the subset does not compile.
 */
export interface Schema {
  readonly type?: TypeName | readonly TypeName[]
  readonly const?: Constant
  readonly enum?: readonly Constant[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: { readonly [name: string]: Schema }
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly default?: Constant
  readonly format?: 'date-time' | 'date-or-time' | 'percent'
  readonly description?: string
}

export interface ObjectSchema extends Schema {
  readonly type: 'object'
  readonly properties: { readonly [name: string]: Schema }
}

export type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'object' | 'array'
type Constant = string | number | boolean | null

/** The values that a schema accepts. */
export type Infer<S> = S extends { readonly const: infer Value }
  ? Value
  : S extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : S extends { readonly anyOf: readonly (infer Member)[] }
      ? Infer<Member>
      : S extends { readonly type: readonly (infer Name)[] }
        ? InferNamed<Name, S>
        : S extends { readonly type: infer Name }
          ? InferNamed<Name, S>
          : unknown

type InferNamed<Name, S> = Name extends 'string'
  ? string
  : Name extends 'number' | 'integer'
    ? number
    : Name extends 'boolean'
      ? boolean
      : Name extends 'null'
        ? null
        : Name extends 'array'
          ? readonly (S extends { readonly items: infer Item } ? Infer<Item> : unknown)[]
          : Name extends 'object'
            ? InferObject<S>
            : never

type InferObject<S> = S extends { readonly properties: infer Properties }
  ? {
      readonly [Key in keyof Properties as Key extends RequiredKey<S> ? Key : never]: Infer<Properties[Key]>
    } & {
      readonly [Key in keyof Properties as Key extends RequiredKey<S> ? never : Key]?: Infer<Properties[Key]>
    } & (S extends { readonly additionalProperties: infer Value extends Schema }
        ? Dictionary<Infer<Value>>
        : unknown)
  : S extends { readonly additionalProperties: infer Value extends Schema }
    ? Dictionary<Infer<Value>>
    : Dictionary<unknown>

interface Dictionary<Value> {
  readonly [key: string]: Value
}

type RequiredKey<S> = S extends { readonly required: readonly (infer Key)[] } ? Key : never
