import type { Operation } from '../api/operations/operation.ts'
import { families, type OperationId } from '../api/operations/operations.ts'

/** An operation as the client calls it. */
export interface Endpoint {
  readonly id: OperationId
  readonly method: Operation['method']
  readonly path: string
  readonly changesNothing: boolean
  /** The arguments of its method, in order, without the options that follow. */
  readonly takes: readonly Argument[]
}

interface Argument {
  /**
   * Where the argument goes: the id or symbol in the path, the query, the body, or a body that may be left out to mean
   * all.
   */
  readonly place: 'parameter' | 'query' | 'body' | 'filter'
  /** The field of the query or body that the argument is; null if it is the whole. */
  readonly field: string | null
}

/**
 * The endpoints of the client's methods, by family and name. The build replaces this module by its values, so that a browser
 * loads no shapes (`test/build/prepared-modules.ts`).
 */
export const endpoints: Named<Named<Endpoint>> = mapValues(families, (rows) => mapValues(rows, makeEndpoint))

interface Named<Value> {
  readonly [name: string]: Value
}

function mapValues<Value, Result>(values: Named<Value>, change: (value: Value) => Result): Named<Result> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}

function makeEndpoint(row: Operation & { readonly id: OperationId }): Endpoint {
  const { id, method, path } = row
  return {
    id,
    method,
    path,
    changesNothing: method === 'GET' || row.changesNothing,
    takes: listArguments(row),
  }
}

function listArguments({ argument, body, bodyItem, isBodyOptional, path, query }: Operation): Argument[] {
  const takes: Argument[] = path.includes(':') ? [{ place: 'parameter', field: null }] : []
  const list = Object.entries(body?.properties ?? {}).find(([, { type }]) => type === 'array')
  if (body !== null && bodyItem !== null) takes.push({ place: 'body', field: list?.[0] ?? null })
  else if (body !== null) takes.push({ place: isBodyOptional ? 'filter' : 'body', field: null })
  if (argument !== null || Object.keys(query.properties).length > 0)
    takes.push({ place: 'query', field: argument })
  return takes
}
