import { expectTypeOf, it } from 'vitest'
import type { AccountRow, AssetRow, OrderRow, QuoteRow } from '../../src/engine/codes.ts'
import type { matchTaker } from '../../src/engine/orders/matching.ts'
import type { endOrder, endQuote, executeTrade } from '../../src/engine/orders/transitions.ts'
import type { HoldingTable, Ledger } from '../../src/engine/tables/holdings.ts'
import type { PriceTicks, QuantitySteps } from '../../src/numeric/units.ts'

/* What the compiler tells apart. Nothing here runs anything: `npm run check` is the test. */

type Arguments<Callee extends (...given: never[]) => unknown> = Parameters<Callee>

it('rows of one table are not those of another, and no bare numbers', () => {
  expectTypeOf<AccountRow>().not.toExtend<AssetRow>()
  expectTypeOf<AssetRow>().not.toExtend<AccountRow>()
  expectTypeOf<OrderRow>().not.toExtend<QuoteRow>()
  expectTypeOf<number>().not.toExtend<OrderRow>()
  expectTypeOf<OrderRow>().toExtend<number>()
})

it('matching and the transitions tell rows, prices and quantities apart', () => {
  expectTypeOf<Arguments<typeof matchTaker>[1]>().toEqualTypeOf<OrderRow>()
  expectTypeOf<Arguments<typeof endOrder>[1]>().toEqualTypeOf<OrderRow>()
  expectTypeOf<Arguments<typeof endQuote>[1]>().toEqualTypeOf<QuoteRow>()
  expectTypeOf<Arguments<typeof executeTrade>[3]>().toEqualTypeOf<AssetRow>()
  expectTypeOf<Arguments<typeof executeTrade>[5]>().toEqualTypeOf<PriceTicks>()
  expectTypeOf<Arguments<typeof executeTrade>[6]>().toEqualTypeOf<QuantitySteps>()
})

it('a reader may look up by a bare number, but not by the row of another table', () => {
  expectTypeOf<[number, number]>().toExtend<Arguments<HoldingTable['rowOf']>>()
  expectTypeOf<[AccountRow, AssetRow]>().toExtend<Arguments<Ledger['total']>>()
  expectTypeOf<[AssetRow, AccountRow]>().not.toExtend<Arguments<Ledger['total']>>()
})
