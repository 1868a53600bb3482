import type { OperationId, routes } from '../api/routes/routes.ts'
import type { Infer, ObjectSchema, Schema } from '../api/schemas/infer.ts'

/*
 * The input and the output of each operation, from the contract in `src/api`. Types only: a loaded client has no
 * schema.
 */

type Routes = typeof routes

/** The body of a success, in its full shape and without an envelope. */
export type ResponseOf<Id extends OperationId> = Infer<Routes[Id]['response']>

export type BodyOf<Id extends OperationId> = Routes[Id]['body'] extends infer Body extends ObjectSchema
  ? Given<Infer<Body>>
  : never

/** For bodies whose items the service checks one by one. */
export type ItemOf<Id extends OperationId> = Routes[Id] extends {
  readonly bodyItem: infer Item extends Schema
}
  ? Given<Infer<Item>>
  : never

/** A parameter with a default need not be given. */
export type QueryOf<Id extends OperationId> = Routes[Id]['query'] extends infer Query extends ObjectSchema
  ? Given<
      Omit<Infer<Query>, DefaultedKey<Query>> & {
        readonly [Key in DefaultedKey<Query> & keyof Infer<Query>]?: Infer<Query>[Key]
      }
    >
  : never

type DefaultedKey<Query extends ObjectSchema> = {
  [Key in keyof Query['properties']]: Query['properties'][Key] extends { readonly default: unknown }
    ? Key
    : never
}[keyof Query['properties']]

/** As a caller writes it: undefined means that a field is not there. */
type Given<Fields> = {
  readonly [Key in keyof Fields as IsOptional<Fields, Key> extends true ? never : Key]: Fields[Key]
} & {
  readonly [Key in keyof Fields as IsOptional<Fields, Key> extends true ? Key : never]?:
    | Fields[Key]
    | undefined
}

type IsOptional<Fields, Key extends keyof Fields> =
  Record<never, never> extends Pick<Fields, Key> ? true : false
