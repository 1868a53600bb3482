import type { NaiveAsset } from '../reference/naive-world.ts'
import type { FillView, OrderView, QuoteView, VenueView } from './venue-view.ts'

/** Null when two venues show a reader the same, else the first thing that differs. */
export function viewDifference(
  got: VenueView,
  expected: VenueView,
  assets: readonly NaiveAsset[],
): string | null {
  return (
    rowsDifference('order', got.orders, expected.orders, orderFields) ??
    rowsDifference('quote', got.quotes, expected.quotes, quoteFields) ??
    rowsDifference('fill', got.fills, expected.fills, fillFields) ??
    holdingsDifference(got, expected, assets) ??
    levelsDifference(got, expected, assets)
  )
}

const orderFields = [
  'quote',
  'account',
  'asset',
  'side',
  'type',
  'timeInForce',
  'priceTicks',
  'quantity',
  'filled',
  'status',
  'reserved',
  'makerRate',
  'takerRate',
] as const satisfies readonly (keyof OrderView)[]

const quoteFields = [
  'account',
  'asset',
  'bidOrder',
  'askOrder',
  'createdAt',
  'expiresAt',
  'status',
] as const satisfies readonly (keyof QuoteView)[]

const fillFields = [
  'order',
  'account',
  'asset',
  'side',
  'isMaker',
  'at',
  'priceTicks',
  'steps',
  'notional',
  'fee',
  'feeAsset',
] as const satisfies readonly (keyof FillView)[]

function rowsDifference<Row extends object>(
  name: string,
  got: readonly Row[],
  expected: readonly Row[],
  fields: readonly (keyof Row)[],
): string | null {
  if (got.length !== expected.length) return `${got.length} ${name}s, its twin has ${expected.length}`
  for (const [place, row] of got.entries()) {
    const twin = expected[place]
    const field = fields.find((one) => twin === undefined || row[one] !== twin[one])
    if (field !== undefined)
      return `${name} ${place}: ${String(field)} is ${row[field]}, of its twin ${twin?.[field]}`
  }
  return null
}

function holdingsDifference(
  got: VenueView,
  expected: VenueView,
  assets: readonly NaiveAsset[],
): string | null {
  for (let account = 0; account < expected.accountCount; account += 1) {
    for (const { row } of assets) {
      const [engine, twin] = [figuresOf(got, account, row), figuresOf(expected, account, row)]
      if (engine !== twin) return `account ${account}, asset ${row}: ${engine}, of its twin ${twin}`
    }
  }
  return null
}

function figuresOf(view: VenueView, account: number, asset: number): string {
  const held = `${view.total(account, asset)} total, ${view.locked(account, asset)} locked`
  if (account < 3 || asset === 0) return held
  const { quantity, basis, realised } = view.position(account, asset)
  return `${held}, ${view.pending(account, asset)} pending, ${quantity} at ${basis}, realised ${realised}`
}

function levelsDifference(got: VenueView, expected: VenueView, assets: readonly NaiveAsset[]): string | null {
  for (const { row } of assets.slice(1)) {
    for (const side of [0, 1] as const) {
      const text = (view: VenueView) =>
        view.levels(row, side).map((level) => `${level.priceTicks}x${level.steps}`)
      if (text(got).join() !== text(expected).join())
        return `asset ${row}, side ${side}: ${text(got)}, its twin ${text(expected)}`
    }
  }
  return null
}
