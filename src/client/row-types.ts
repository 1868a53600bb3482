import type { OperationId, RowOf } from '../api/operations/operations.ts'
import type { RecordOf, Shape } from '../shape/shape.ts'
import type { CallOptions } from './call.ts'

/* The types of an operation's input and answer, derived from its row. They are types only: a loaded client has no shapes. */

/** The methods of a family of operations, with the doc comments of its rows. */
export type ClientOf<Family> = { readonly [Name in keyof Family]: MethodOf<Family[Name]> }

type MethodOf<Row> = Row extends AnyRow
  ? (
      ...given: [...InPath<Row['path']>, ...InBody<Row>, ...InQuery<Row>, options?: CallOptions]
    ) => Promise<RecordOf<Row['response']>>
  : never

interface AnyRow {
  readonly path: string
  readonly argument: string | null
  readonly query: { readonly properties: object } & Shape
  readonly body: Shape | null
  readonly bodyItem: Shape | null
  readonly isBodyOptional: boolean
  readonly response: Shape
}

type InPath<Path extends string> = Path extends `${string}:orderId${string}`
  ? [orderId: string]
  : Path extends `${string}:quoteId${string}`
    ? [quoteId: string]
    : Path extends `${string}:asset${string}`
      ? [asset: string]
      : []

type InBody<Row extends AnyRow> = Row['bodyItem'] extends infer Item extends Shape
  ? [items: readonly Given<RecordOf<Item>>[]]
  : Row['body'] extends infer Body extends Shape
    ? Row['isBodyOptional'] extends true
      ? [filter?: Given<RecordOf<Body>>]
      : [body: Given<RecordOf<Body>>]
    : []

type InQuery<Row extends AnyRow> = Row['argument'] extends 'clientOrderId'
  ? [clientOrderId: string]
  : keyof Row['query']['properties'] extends never
    ? []
    : Record<never, never> extends Asked<Row['query']>
      ? [query?: Asked<Row['query']>]
      : [query: Asked<Row['query']>]

/** The body of an operation's success, in full and without an envelope. */
export type AnswerOf<Id extends OperationId> = RecordOf<RowOf<Id>['response']>

/** The body of an operation's request. */
export type BodyOf<Id extends OperationId> = RowOf<Id>['body'] extends infer Body extends Shape
  ? Given<RecordOf<Body>>
  : never

/** One item of the body of an operation whose items the service checks one by one. */
export type ItemOf<Id extends OperationId> = RowOf<Id>['bodyItem'] extends infer Item extends Shape
  ? Given<RecordOf<Item>>
  : never

/** The query of an operation's request. */
export type QueryOf<Id extends OperationId> = Asked<RowOf<Id>['query']>

/** A query as a caller writes it: parameters with a default are optional. */
type Asked<Query extends { readonly properties: object } & Shape> = Given<
  Omit<RecordOf<Query>, Defaulted<Query>> & {
    readonly [Key in Defaulted<Query> & keyof RecordOf<Query>]?: RecordOf<Query>[Key]
  }
>

type Defaulted<Query extends { readonly properties: object }> = {
  [Key in keyof Query['properties']]: Query['properties'][Key] extends { readonly default: string | number }
    ? Key
    : never
}[keyof Query['properties']]

/** A record as a caller writes it: an optional field may also be undefined. */
type Given<Fields> = [RequiredKeys<Fields>] extends [never]
  ? Optional<Fields>
  : [keyof Fields] extends [RequiredKeys<Fields>]
    ? Fields
    : {
        readonly [Key in keyof Fields as IsOptional<Fields, Key> extends true ? never : Key]: Fields[Key]
      } & Optional<Fields>

type RequiredKeys<Fields> = {
  [Key in keyof Fields]-?: IsOptional<Fields, Key> extends true ? never : Key
}[keyof Fields]

type Optional<Fields> = {
  readonly [Key in keyof Fields as IsOptional<Fields, Key> extends true ? Key : never]?:
    | Fields[Key]
    | undefined
}

type IsOptional<Fields, Key extends keyof Fields> =
  Record<never, never> extends Pick<Fields, Key> ? true : false
