import { nearestWord } from '../api/nearest-word.ts'

/*
 * The read-outs that predicates may name: one table of families and fields. A field's value and unit are those of the
 * wire's field of the same name, unless said otherwise.
 */

export type ReadoutType = 'number' | 'text' | 'boolean'

export type PriceReadout = keyof typeof priceFields
export type MarketReadout = keyof typeof marketFields
export type OrderReadout = keyof typeof orderFields
export type QuoteReadout = keyof typeof quoteFields
export type BalanceReadout = keyof typeof balanceFields
export type PositionReadout = keyof typeof positionFields
export type AccountReadout = keyof typeof accountFields

export type Readout =
  /** Seconds since the clock's start. */
  | { readonly family: 'clock' }
  | { readonly family: 'price'; readonly asset: number; readonly field: PriceReadout }
  | { readonly family: 'market'; readonly asset: number; readonly field: MarketReadout }
  | { readonly family: 'order'; readonly label: string; readonly field: OrderReadout }
  | { readonly family: 'quote'; readonly label: string; readonly field: QuoteReadout }
  | {
      readonly family: 'balance'
      readonly account: number
      readonly asset: number
      readonly field: BalanceReadout
    }
  | {
      readonly family: 'position'
      readonly account: number
      readonly asset: number
      readonly field: PositionReadout
    }
  | { readonly family: 'account'; readonly account: number; readonly field: AccountReadout }

/** `price.BTC.mid`. `mark` is the price that the venue values positions at. */
const priceFields = {
  bid: 'number',
  ask: 'number',
  mid: 'number',
  last: 'number',
  mark: 'number',
  open: 'number',
  high24h: 'number',
  low24h: 'number',
  volume24h: 'number',
  change24h: 'number',
} as const satisfies Fields

/** `market.BTC.halted`; `status` is active or inactive. */
const marketFields = { halted: 'boolean', status: 'text' } as const satisfies Fields

/** `order[label].status`; `exists` is false while the label has no accepted order. */
const orderFields = {
  exists: 'boolean',
  status: 'text',
  side: 'text',
  price: 'number',
  quantity: 'number',
  filledQuantity: 'number',
  remainingQuantity: 'number',
  averagePrice: 'number',
  /** What the venue's last refusal of it was called, such as RISK_LIMIT_EXCEEDED; unknown while there was none. */
  refusal: 'text',
} as const satisfies Fields

/** `quote[label].status`. */
const quoteFields = {
  exists: 'boolean',
  status: 'text',
  bidPrice: 'number',
  askPrice: 'number',
  bidSize: 'number',
  askSize: 'number',
  bidFilled: 'number',
  askFilled: 'number',
  refusal: 'text',
} as const satisfies Fields

/** `account[id].balance.USD.available`. */
const balanceFields = {
  total: 'number',
  available: 'number',
  locked: 'number',
  pendingDeposit: 'number',
  pendingWithdrawal: 'number',
} as const satisfies Fields

/** `account[id].position.BTC.quantity`: absolute, `side` (long, short, flat) tells the direction. */
const positionFields = {
  quantity: 'number',
  side: 'text',
  averageEntryPrice: 'number',
  realizedPnl: 'number',
  unrealizedPnl: 'number',
} as const satisfies Fields

/** `account[id].openOrders`. */
const accountFields = { openOrders: 'number' } as const satisfies Fields

type Fields = { readonly [field: string]: ReadoutType }

/** What the names in a read-out may refer to. */
export interface Names {
  readonly assets: ReadonlyMap<string, number>
  readonly accounts: ReadonlyMap<string, number>
  /** Labels that `as` gives to orders, and to quotes. */
  readonly orders: ReadonlySet<string>
  readonly quotes: ReadonlySet<string>
}

/** `account[acme].balance.USD.total` is account with label acme, then three plain steps. */
export interface Step {
  readonly name: string
  readonly label: string | null
}

export type Resolved =
  | { readonly ok: true; readonly readout: Readout; readonly type: ReadoutType }
  /** `step` is the index of the step at fault. */
  | { readonly ok: false; readonly step: number; readonly reason: string; readonly nearest: string | null }

const families = ['price', 'market', 'order', 'quote', 'account', 'clock']
/** Planned by the scenario format, not evaluated by this version. */
const plannedFamilies = ['requests', 'orders', 'quotes', 'fill', 'metrics']

/** Finds the read-out that the steps spell, or says which step is wrong. */
export function resolveReadout(steps: readonly Step[], names: Names): Resolved {
  const head = steps[0]?.name ?? ''
  switch (head) {
    case 'clock':
      return steps.length === 1
        ? found({ family: 'clock' }, 'number')
        : fault(1, '"clock" has no fields', null)
    case 'price':
      return ofAsset(steps, names, priceFields, (asset, field) => ({ family: 'price', asset, field }))
    case 'market':
      return ofAsset(steps, names, marketFields, (asset, field) => ({ family: 'market', asset, field }))
    case 'order':
      return ofLabel(steps, names.orders, orderFields, (label, field) => ({ family: 'order', label, field }))
    case 'quote':
      return ofLabel(steps, names.quotes, quoteFields, (label, field) => ({ family: 'quote', label, field }))
    case 'account':
      return ofAccount(steps, names)
    default:
      if (plannedFamilies.includes(head)) return fault(0, notYet(head), null)
      return fault(0, `unknown read-out "${head}"`, nearestWord(head, families))
  }
}

const found = (readout: Readout, type: ReadoutType): Resolved => ({ ok: true, readout, type })

const fault = (step: number, reason: string, nearest: string | null): Resolved => ({
  ok: false,
  step,
  reason,
  nearest,
})

export const notYet = (word: string): string =>
  `"${word}" is a known word that this version does not implement yet`

function ofAsset<Field extends string>(
  steps: readonly Step[],
  names: Names,
  fields: { readonly [name in Field]: ReadoutType },
  make: (asset: number, field: Field) => Readout,
): Resolved {
  const symbol = steps[1]?.name
  if (symbol === undefined) return fault(0, 'an asset must follow, as in price.BTC.mid', null)
  const asset = names.assets.get(symbol)
  if (asset === undefined)
    return fault(1, `unknown asset "${symbol}"`, nearestWord(symbol, names.assets.keys()))
  return withField(steps, 2, fields, (field) => make(asset, field))
}

function ofLabel<Field extends string>(
  steps: readonly Step[],
  labels: ReadonlySet<string>,
  fields: { readonly [name in Field]: ReadoutType },
  make: (label: string, field: Field) => Readout,
): Resolved {
  const family = steps[0]?.name ?? ''
  const label = steps[0]?.label ?? null
  if (label === null) return fault(0, `a label in brackets must follow, as in ${family}[first].status`, null)
  if (label === '*') return fault(0, notYet(`${family}[*]`), null)
  if (!labels.has(label)) {
    return fault(
      0,
      `no ${family} is called "${label}"; an action's "as" gives it its name`,
      nearestWord(label, labels),
    )
  }
  return withField(steps, 1, fields, (field) => make(label, field))
}

function ofAccount(steps: readonly Step[], names: Names): Resolved {
  const id = steps[0]?.label ?? null
  if (id === null)
    return fault(0, 'an account in brackets must follow, as in account[trader].openOrders', null)
  const account = names.accounts.get(id)
  if (account === undefined)
    return fault(0, `unknown account "${id}"`, nearestWord(id, names.accounts.keys()))
  const group = steps[1]?.name
  if (group === 'balance' || group === 'position') {
    const symbol = steps[2]?.name
    if (symbol === undefined) return fault(1, `an asset must follow, as in account[${id}].${group}.BTC`, null)
    const asset = names.assets.get(symbol) ?? (group === 'balance' && symbol === 'USD' ? 0 : undefined)
    if (asset === undefined)
      return fault(2, `unknown asset "${symbol}"`, nearestWord(symbol, names.assets.keys()))
    if (group === 'balance') {
      return withField(steps, 3, balanceFields, (field) => ({ family: 'balance', account, asset, field }))
    }
    return withField(steps, 3, positionFields, (field) => ({ family: 'position', account, asset, field }))
  }
  if (group !== undefined && !(group in accountFields)) {
    return fault(
      1,
      `unknown field "${group}"`,
      nearestWord(group, ['balance', 'position', ...Object.keys(accountFields)]),
    )
  }
  return withField(steps, 1, accountFields, (field) => ({ family: 'account', account, field }))
}

function withField<Field extends string>(
  steps: readonly Step[],
  index: number,
  fields: { readonly [name in Field]: ReadoutType },
  make: (field: Field) => Readout,
): Resolved {
  const name = steps[index]?.name
  if (name === undefined)
    return fault(index - 1, `a field must follow: ${Object.keys(fields).join(', ')}`, null)
  if (!isFieldOf(fields, name))
    return fault(index, `unknown field "${name}"`, nearestWord(name, Object.keys(fields)))
  if (steps.length > index + 1) return fault(index + 1, `"${name}" has no fields`, null)
  return found(make(name), fields[name])
}

function isFieldOf<Field extends string>(
  fields: { readonly [name in Field]: ReadoutType },
  name: string,
): name is Field {
  return Object.hasOwn(fields, name)
}
