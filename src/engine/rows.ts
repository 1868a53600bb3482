import type { none } from './codes.ts'

/*
 * Row numbers of the engine's tables. A brand keeps the row of one table, a price and a quantity from being passed for
 * one another. It exists for the compiler alone: a row is a small integer, and the functions below return what they get.
 * Commands carry bare numbers, which become rows once they have been checked.
 */

declare const table: unique symbol
type Row<Table extends string> = number & { readonly [table]: Table }

export type AccountRow = Row<'accounts'>
/** A row of the assets: 0 is cash, the traded ones follow. */
export type AssetRow = Row<'assets'>
/** A row of the order table: an order of its own, or a leg of a quote. */
export type OrderRow = Row<'orders'>
export type QuoteRow = Row<'quotes'>
export type FillRow = Row<'fills'>
/** A row of the holdings: what one account has of one asset. */
export type HoldingRow = Row<'holdings'>

/** What look-ups of readers take: a bare number or a row of this table, but no row of another. */
type AnyRow<Table extends string> = number & { readonly [table]?: Table }
export type AnyAccountRow = AnyRow<'accounts'>
export type AnyAssetRow = AnyRow<'assets'>
export type AnyOrderRow = AnyRow<'orders'>
export type AnyQuoteRow = AnyRow<'quotes'>

/** The type of `none`, which stands for a row that is not there. */
export type NoRow = typeof none

export const accountRow = (row: number): AccountRow => row as AccountRow
export const assetRow = (row: number): AssetRow => row as AssetRow
export const orderRow = (row: number): OrderRow => row as OrderRow
export const quoteRow = (row: number): QuoteRow => row as QuoteRow
export const fillRow = (row: number): FillRow => row as FillRow
export const holdingRow = (row: number): HoldingRow => row as HoldingRow
