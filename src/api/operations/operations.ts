import { assert } from '../../numeric/assert.ts'
import { marketData } from './market-data.ts'
import type { Operation } from './operation.ts'
import { orders } from './orders.ts'
import { portfolio } from './portfolio.ts'
import { quotes } from './quotes.ts'
import { risk } from './risk.ts'

/** The whole interface: its families, each with its operations by the names of the methods of the client. */
export const families = { orders, quotes, marketData, portfolio, risk }

export type Families = typeof families
type RowIn<Family> = Family[keyof Family]
export type AnyRow = { [Name in keyof Families]: RowIn<Families[Name]> }[keyof Families]

export type OperationId = AnyRow['id']

export type RowOf<Id extends OperationId> = Extract<AnyRow, { readonly id: Id }>

/** An operation of any id, where the types of its own parts do not matter. */
export type AnyOperation = Operation & { readonly id: OperationId }

const rows: ReadonlyMap<string, AnyOperation> = new Map(
  Object.values(families).flatMap((family) =>
    Object.values<AnyOperation>(family).map((row) => [row.id, row]),
  ),
)

/** The operations of the specification, and those that a reading adds. */
export const everyOperationId: readonly OperationId[] = [...rows.values()].map(({ id }) => id)

/** The operations of the specification. */
export const operationIds = everyOperationId.filter((id) => routeOf(id).isSpecified)

/** Returns the row of an operation. */
export function routeOf(id: OperationId): AnyOperation {
  const row = rows.get(id)
  assert(row !== undefined, 'every operation has a row')
  return row
}
