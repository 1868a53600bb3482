import { meantRoute, methods } from '../../api/faults/matches-fault.ts'
import { nearestWord } from '../../api/flaw.ts'
import type { ReadoutKind, ReadoutType } from './exact.ts'
import {
  accountFields,
  balanceFields,
  counterFields,
  fillFields,
  lockedFields,
  marketFields,
  orderFields,
  positionFields,
  priceFields,
  quoteFields,
  requestFields,
} from './trading-fields.ts'

/* The read-outs that predicates may name, and how a path of names becomes one. */

/** What a read-out without a fixed row runs over, one after the other. */
export type Wildcard = 'order' | 'quote' | 'fill'

export type Readout =
  /** Seconds since the clock's start. */
  | { readonly family: 'clock' }
  | { readonly family: 'price'; readonly asset: number; readonly field: keyof typeof priceFields }
  | { readonly family: 'market'; readonly asset: number; readonly field: keyof typeof marketFields }
  /** The label `*` means every order (or quote) of the venue. */
  | { readonly family: 'order'; readonly label: string; readonly field: keyof typeof orderFields }
  | { readonly family: 'quote'; readonly label: string; readonly field: keyof typeof quoteFields }
  | { readonly family: 'fill'; readonly field: keyof typeof fillFields }
  | Holding<'balance', keyof typeof balanceFields>
  | Holding<'position', keyof typeof positionFields>
  | Holding<'locked', keyof typeof lockedFields>
  | { readonly family: 'account'; readonly account: number; readonly field: keyof typeof accountFields }
  | { readonly family: 'requests'; readonly selector: string; readonly field: keyof typeof requestFields }
  | { readonly family: 'counter'; readonly field: keyof typeof counterFields }
  | { readonly family: 'metrics'; readonly account: number; readonly field: string }
  /** Whether the timeline's entry with this id has acted, or what it awaits has come. */
  | { readonly family: 'happened'; readonly label: string }

interface Holding<Family, Field> {
  readonly family: Family
  readonly account: number
  readonly asset: number
  readonly field: Field
}

/** What the names in a read-out may refer to. */
export interface Names {
  readonly assets: ReadonlyMap<string, number>
  readonly accounts: ReadonlyMap<string, number>
  /** Labels that `as` or `bind` gives to orders, and to quotes. */
  readonly orders: ReadonlySet<string>
  readonly quotes: ReadonlySet<string>
  /** Ids of the timeline's entries. */
  readonly labels: ReadonlySet<string>
  /** API keys that the scenario names. */
  readonly apiKeys: ReadonlySet<string>
  /** Figures that `metrics[account]` has. */
  readonly metrics: ReadonlySet<string>
  /** Of a file with parts that cannot be read: whether one of them may give this name. */
  isInDoubt?(name: string): boolean
}

/** `account[acme].balance.USD.total` is account with the label acme, followed by three plain steps. */
export interface PathStep {
  readonly name: string
  readonly label: string | null
}

export type ResolvedReadout =
  | { readonly ok: true; readonly readout: Readout; readonly type: ReadoutType }
  /** `step` is the index of the wrong step. */
  | { readonly ok: false; readonly step: number; readonly reason: string; readonly nearest: string | null }

const families = [
  ...['price', 'market', 'order', 'quote', 'fill', 'account', 'requests', 'orders', 'quotes', 'fills'],
  ...['metrics', 'happened', 'clock'],
]

/** The families that are not about one labelled thing, each with an example. */
const unlabelled: ReadonlyMap<string, string> = new Map([
  ['price', 'price.BTC.mid'],
  ['market', 'market.BTC.halted'],
  ['fill', 'fill.price'],
  ['orders', 'orders.count'],
  ['quotes', 'quotes.count'],
  ['fills', 'fills.count'],
  ['clock', 'clock'],
])

/** The read-out that the steps spell, or which of them is wrong. */
export function resolveReadout(steps: readonly PathStep[], names: Names): ResolvedReadout {
  const { name: head = '', label = null } = steps[0] ?? {}
  const example = unlabelled.get(head)
  if (label !== null && example !== undefined)
    return unresolved(0, `"${head}" takes no brackets, as in ${example}`, null)
  switch (head) {
    case 'clock':
      return steps.length === 1
        ? found({ family: 'clock' }, 'number')
        : unresolved(1, '"clock" has no fields', null)
    case 'price':
      return ofAsset(steps, names, priceFields, (asset, field) => ({ family: 'price', asset, field }))
    case 'market':
      return ofAsset(steps, names, marketFields, (asset, field) => ({ family: 'market', asset, field }))
    case 'order':
      return ofLabel(steps, names, names.orders, orderFields, (label, field) => ({
        family: 'order',
        label,
        field,
      }))
    case 'quote':
      return ofLabel(steps, names, names.quotes, quoteFields, (label, field) => ({
        family: 'quote',
        label,
        field,
      }))
    case 'fill':
      return withField(steps, 1, fillFields, (field) => ({ family: 'fill', field }))
    case 'account':
      return ofAccount(steps, names)
    case 'requests':
      return ofRequests(steps, names)
    case 'metrics':
      return ofMetrics(steps, names)
    case 'happened':
      return ofEntry(steps, names)
    case 'orders':
    case 'quotes':
    case 'fills':
      return ofCounter(steps)
    default:
      return unresolved(0, `unknown read-out "${head}"`, nearestWord(head, families))
  }
}

/** What kind of row a read-out runs over; null for one about a single thing. */
export function wildcardOf(readout: Readout): Wildcard | null {
  if (readout.family === 'fill') return 'fill'
  const isOpen = (readout.family === 'order' || readout.family === 'quote') && readout.label === '*'
  return isOpen ? readout.family : null
}

/** A row for a name that a part may give which cannot be read. */
const doubted = (names: Names, name: string): number | undefined =>
  names.isInDoubt?.(name) === true ? 0 : undefined

const found = (readout: Readout, type: ReadoutType): ResolvedReadout => ({ ok: true, readout, type })

const unresolved = (step: number, reason: string, nearest: string | null): ResolvedReadout => ({
  ok: false,
  step,
  reason,
  nearest,
})

export const notYet = (word: string): string =>
  `"${word}" is a known word that this version does not implement yet`

type FieldTypes<Field extends string> = { readonly [name in Field]: ReadoutKind }

function ofAsset<Field extends string>(
  steps: readonly PathStep[],
  names: Names,
  fields: FieldTypes<Field>,
  make: (asset: number, field: Field) => Readout,
): ResolvedReadout {
  const symbol = steps[1]?.name
  if (symbol === undefined) return unresolved(0, 'an asset must follow, as in price.BTC.mid', null)
  const asset = names.assets.get(symbol) ?? doubted(names, symbol)
  if (asset === undefined)
    return unresolved(1, `unknown asset "${symbol}"`, nearestWord(symbol, names.assets.keys()))
  return withField(steps, 2, fields, (field) => make(asset, field))
}

function ofLabel<Field extends string>(
  steps: readonly PathStep[],
  names: Names,
  labels: ReadonlySet<string>,
  fields: FieldTypes<Field>,
  make: (label: string, field: Field) => Readout,
): ResolvedReadout {
  const family = steps[0]?.name ?? ''
  const label = steps[0]?.label ?? null
  if (label === null)
    return unresolved(0, `a label in brackets must follow, as in ${family}[first].status`, null)
  if (label !== '*' && !labels.has(label) && doubted(names, label) === undefined) {
    return unresolved(
      0,
      `no ${family} is called "${label}"; an action's "as" gives it its name`,
      nearestWord(label, labels),
    )
  }
  return withField(steps, 1, fields, (field) => make(label, field))
}

function ofAccount(steps: readonly PathStep[], names: Names): ResolvedReadout {
  const account = accountIn(steps, names, 'account[trader].openOrders')
  if (typeof account !== 'number') return account
  const group = steps[1]?.name
  if (group === 'balance' || group === 'position' || isFieldOf(lockedFields, group ?? ''))
    return ofHolding(steps, names, account, group ?? '')
  if (group !== undefined && !(group in accountFields)) {
    return unresolved(
      1,
      `unknown field "${group}"`,
      nearestWord(group, [
        'balance',
        'position',
        ...Object.keys(lockedFields),
        ...Object.keys(accountFields),
      ]),
    )
  }
  return withField(steps, 1, accountFields, (field) => ({ family: 'account', account, field }))
}

function ofHolding(
  steps: readonly PathStep[],
  names: Names,
  account: number,
  group: string,
): ResolvedReadout {
  const symbol = steps[2]?.name
  if (symbol === undefined)
    return unresolved(1, `an asset must follow, as in account[${steps[0]?.label}].${group}.BTC`, null)
  const isCash = group !== 'position' && symbol === 'USD'
  const asset = names.assets.get(symbol) ?? (isCash ? 0 : doubted(names, symbol))
  if (asset === undefined)
    return unresolved(2, `unknown asset "${symbol}"`, nearestWord(symbol, names.assets.keys()))
  if (isFieldOf(lockedFields, group)) {
    if (steps.length > 3) return unresolved(3, `"${symbol}" has no fields here`, null)
    return found({ family: 'locked', account, asset, field: group }, 'number')
  }
  if (group === 'balance')
    return withField(steps, 3, balanceFields, (field) => ({ family: 'balance', account, asset, field }))
  return withField(steps, 3, positionFields, (field) => ({ family: 'position', account, asset, field }))
}

function ofRequests(steps: readonly PathStep[], names: Names): ResolvedReadout {
  const selector = steps[0]?.label ?? null
  if (selector === null)
    return unresolved(0, 'requests must follow in brackets, as in requests[POST /api/sdk/orders].count', null)
  const [, method = null, asked = selector] = /^(\S+) (\/\S*)$/.exec(selector) ?? []
  if (method !== null && !methods.includes(method))
    return unresolved(0, `"${method}" is not a method of a request`, nearestWord(method, methods))
  const path = asked.startsWith('/') ? meantRoute(method, asked) : null
  if (path !== null) return unresolved(0, `"${asked}" is not a path of an operation`, path)
  const isPath = method !== null || /^\/\S*$/.test(selector)
  const words = [...names.apiKeys, ...names.accounts.keys()]
  const isName = words.includes(selector) || doubted(names, selector) !== undefined
  if (!isPath && selector !== '*' && !isName) {
    return unresolved(
      0,
      `"${selector}" is not a method and path, a key or an account`,
      nearestWord(selector, words),
    )
  }
  return withField(steps, 1, requestFields, (field) => ({ family: 'requests', selector, field }))
}

function ofMetrics(steps: readonly PathStep[], names: Names): ResolvedReadout {
  const account = accountIn(steps, names, 'metrics[maker].profit')
  if (typeof account !== 'number') return account
  const field = steps[1]?.name
  if (field === undefined) return unresolved(0, 'a figure must follow, as in metrics[maker].profit', null)
  if (!names.metrics.has(field)) {
    const nearest = nearestWord(field, names.metrics)
    const list = nearest === null ? `; the figures are ${[...names.metrics].join(', ')}` : ''
    return unresolved(1, `unknown figure "${field}"${list}`, nearest)
  }
  if (steps.length > 2) return unresolved(2, `"${field}" has no fields`, null)
  return found({ family: 'metrics', account, field }, 'number')
}

function ofEntry(steps: readonly PathStep[], names: Names): ResolvedReadout {
  const label = steps[0]?.label ?? null
  if (label === null) return unresolved(0, 'an id in brackets must follow, as in happened[news]', null)
  if (!names.labels.has(label) && doubted(names, label) === undefined)
    return unresolved(0, `no action has the id "${label}"`, nearestWord(label, names.labels))
  return steps.length === 1
    ? found({ family: 'happened', label }, 'boolean')
    : unresolved(1, '"happened" has no fields', null)
}

function ofCounter(steps: readonly PathStep[]): ResolvedReadout {
  const path = steps.map(({ name }) => name).join('.')
  if (isFieldOf(counterFields, path)) return found({ family: 'counter', field: path }, 'number')
  const known = Object.keys(counterFields)
  return unresolved(0, `unknown count "${path}": known are ${known.join(', ')}`, nearestWord(path, known))
}

function accountIn(steps: readonly PathStep[], names: Names, example: string): number | ResolvedReadout {
  const id = steps[0]?.label ?? null
  if (id === null) return unresolved(0, `an account in brackets must follow, as in ${example}`, null)
  const account = names.accounts.get(id) ?? doubted(names, id)
  return account ?? unresolved(0, `unknown account "${id}"`, nearestWord(id, names.accounts.keys()))
}

function withField<Field extends string>(
  steps: readonly PathStep[],
  index: number,
  fields: FieldTypes<Field>,
  make: (field: Field) => Readout,
): ResolvedReadout {
  const name = steps[index]?.name
  if (name === undefined)
    return unresolved(index - 1, `a field must follow: ${Object.keys(fields).join(', ')}`, null)
  if (!isFieldOf(fields, name)) {
    const nearest = nearestWord(name, Object.keys(fields))
    const list = nearest === null ? `; the fields here are ${Object.keys(fields).join(', ')}` : ''
    return unresolved(index, `unknown field "${name}"${list}`, nearest)
  }
  if (steps.length > index + 1) return unresolved(index + 1, `"${name}" has no fields`, null)
  return found(make(name), fields[name].type)
}

function isFieldOf<Field extends string>(fields: FieldTypes<Field>, name: string): name is Field {
  return Object.hasOwn(fields, name)
}

const kindsByFamily: { readonly [family: string]: { readonly [field: string]: ReadoutKind } } = {
  price: priceFields,
  market: marketFields,
  order: orderFields,
  quote: quoteFields,
  fill: fillFields,
  balance: balanceFields,
  position: positionFields,
  locked: lockedFields,
  account: accountFields,
}

/** The words that a read-out of text can be; null where it can be any. */
export function wordsOf(readout: Readout, names: Names): readonly string[] | null {
  const words = 'field' in readout ? kindsByFamily[readout.family]?.[readout.field]?.words : undefined
  return typeof words === 'string' ? [...names[words].keys()] : (words ?? null)
}

/** Whether some read-out of text is this word, whatever the file's names are. */
export const isTextWord = (word: string): boolean => textWords.has(word)

const textWords: ReadonlySet<string> = new Set(
  Object.values(kindsByFamily)
    .flatMap((fields) => Object.values(fields))
    .flatMap(({ words }) => (typeof words === 'object' ? words : [])),
)

/** What became of the orders, quotes and transfers that a script's labels name, and when the labels came. */
export interface NamedRows {
  orderRow(label: string): number | null
  quoteRow(label: string): number | null
  transferRow(label: string): number | null
  /** The name of the last refusal; null when there was none. */
  orderRefusal(label: string): string | null
  quoteRefusal(label: string): string | null
  /** The client id in the request that the fault with this label struck. */
  clientOrderOf(label: string): readonly [account: string, clientOrderId: string] | null
  /** When the timeline's entry with this id first acted; null until then. */
  instantOf(label: string): number | null
}
