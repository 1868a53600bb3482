import type { Operation } from '../api/operations/operation.ts'
import { type Families, families, type OperationId } from '../api/operations/operations.ts'
import { assert } from '../numeric/assert.ts'

export interface Endpoint {
  readonly id: OperationId
  readonly method: Operation['method']
  readonly path: string
  readonly changesNothing: boolean
  /** What its method takes, in this order, before its options. */
  readonly takes: readonly Argument[]
}

/** An id or symbol in the path; a body; one that says what is meant, or all; a list in that field of the body, or alone; one parameter. */
export type Argument = 'parameter' | 'body' | 'filter' | `items:${string}` | 'query' | `query:${string}`

export type Endpoints = {
  readonly [Family in keyof Families]: { readonly [Name in keyof Families[Family]]: Endpoint }
}

/**
 * The operations as the client's methods. The build replaces this module by its values, so a browser loads no shapes:
 * `test/build/prepared-modules.ts`.
 */
export const endpoints: Endpoints = {
  orders: endpointsOf(families.orders),
  quotes: endpointsOf(families.quotes),
  marketData: endpointsOf(families.marketData),
  portfolio: endpointsOf(families.portfolio),
  risk: endpointsOf(families.risk),
}

type Rows<Name extends string> = { readonly [Key in Name]: Operation & { readonly id: OperationId } }

function endpointsOf<Name extends string>(rows: Rows<Name>): { readonly [Key in Name]: Endpoint } {
  const made: Partial<Record<Name, Endpoint>> = {}
  for (const name in rows) made[name] = endpointFor(rows[name])
  assertWhole(made, rows)
  return made
}

function assertWhole<Name extends string>(
  made: Partial<Record<Name, Endpoint>>,
  rows: Rows<Name>,
): asserts made is Record<Name, Endpoint> {
  for (const name in rows) assert(made[name] !== undefined, `${name} has an endpoint`)
}

function endpointFor(row: Rows<string>[string]): Endpoint {
  const { id, method, path } = row
  return { id, method, path, changesNothing: method === 'GET' || row.changesNothing, takes: argumentsOf(row) }
}

function argumentsOf({
  argument,
  body,
  bodyItem,
  isBodyOptional,
  path,
  query,
}: Operation): readonly Argument[] {
  const lists = Object.entries(body?.properties ?? {}).filter(([, { type }]) => type === 'array')
  const takes: Argument[] = path.includes(':') ? ['parameter'] : []
  if (bodyItem !== null) takes.push(`items:${lists[0]?.[0] ?? ''}`)
  else if (body !== null) takes.push(isBodyOptional ? 'filter' : 'body')
  if (argument !== null) takes.push(`query:${argument}`)
  else if (Object.keys(query.properties).length > 0) takes.push('query')
  return takes
}
