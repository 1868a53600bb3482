import { methods, suggestRoute } from '../../api/faults/matches-fault.ts'
import { nearestWord } from '../../api/nearest-word.ts'
import { kindOrder, none } from '../../engine/codes.ts'
import type { State } from '../../engine/state.ts'
import { assert } from '../../numeric/assert.ts'
import { type ReadResult, success } from '../file/mistake.ts'
import {
  exact,
  exactFromText,
  type ReadoutField,
  type ReadoutFields,
  type ReadoutKind,
  type ReadoutType,
  type Value,
} from './exact.ts'
import type { PathStep, WordMistake } from './predicate-tokens.ts'
import { figures } from './run-figures.ts'
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
  type Tally,
} from './trading-fields.ts'

/** The kind of row that a read-out without a fixed row runs over. */
export type Wildcard = 'order' | 'quote' | 'fill'

/** A read-out as plain data. Members that its family does not use are 0 or empty. */
export interface Readout {
  readonly family: FamilyName
  readonly field: string
  /** The engine's row of the account. */
  readonly account: number
  readonly asset: number
  /**
   * The label of an order or quote (`*` for every one), the id of an entry of the timeline, or the selector of
   * requests.
   */
  readonly label: string
}

/** The values that a predicate reads: those of one run at one instant. */
export interface ReadoutSource {
  /** Returns the value of a read-out. `row` is the row that the wildcard stands for. */
  read(readout: Readout, row: number | null): Value
  listRows(wildcard: Wildcard): readonly number[]
}

/**
 * The rows of the orders, quotes and transfers that a script's labels name, their last refusals, and the instants of
 * labels.
 */
export interface NamedRows {
  readonly orders: ByLabel<number>
  readonly quotes: ByLabel<number>
  readonly transfers: ByLabel<number>
  /** The name of the last refusal of each order. */
  readonly orderRefusals: ByLabel<string>
  readonly quoteRefusals: ByLabel<string>
  /** The account and client order id in the request that the fault with this label struck. */
  readonly clientOrders: ByLabel<readonly [account: string, clientOrderId: string]>
  /** The instant at which the timeline's entry with this id first acted. */
  readonly instants: ByLabel<number>
}

type ByLabel<Named> = Pick<ReadonlyMap<string, Named>, 'get'>

/** A venue at one instant, and what a script knows besides its state. */
interface VenueView {
  readonly state: State
  readonly rows: NamedRows
  readonly tallyOf: (selector: string) => Tally
  readonly firstFill: number
}

export function readVenue(view: VenueView): ReadoutSource {
  return {
    read: (readout, row) => families[readout.family].read(view, readout, row),
    listRows: (wildcard) => listRows(view, wildcard),
  }
}

/**
 * Lists the rows that a wildcard runs over. The result is an array, because a generator would double the time of a
 * look.
 */
function listRows({ state, firstFill }: VenueView, wildcard: Wildcard): readonly number[] {
  const { orders, quotes, fills } = state
  const rows: number[] = []
  if (wildcard === 'fill') for (let row = firstFill; row < fills.count; row += 1) rows.push(row)
  if (wildcard === 'quote') for (let row = 0; row < quotes.count; row += 1) rows.push(row)
  if (wildcard === 'order')
    for (let row = 0; row < orders.count; row += 1) if (orders.kind.get(row) === kindOrder) rows.push(row)
  return rows
}

interface Family {
  readonly fields: { readonly [field: string]: ReadoutKind }
  /**
   * The path before the fields, as the reference writes it; null where the reference has words of its own for the
   * family.
   */
  readonly path: string | null
  read(view: VenueView, readout: Readout, row: number | null): Value
}

/** Defines a family of read-outs. `ask` calls the function of a field with what the family is about. */
function defineFamily<About extends readonly unknown[]>(
  path: string | null,
  fields: ReadoutFields<About>,
  ask: (of: ReadoutField<About>['read'], view: VenueView, readout: Readout, row: number | null) => Value,
): Family {
  const read: Family['read'] = (view, readout, row) => {
    const field = fields[readout.field]
    assert(field !== undefined, 'a read-out has a field of its family')
    return ask(field.read, view, readout, row)
  }
  return { fields, path, read }
}

type ReadRow = (state: State, row: number) => Value
type ReadHolding = (state: State, account: number, asset: number) => Value

const readAssetField = (of: ReadRow, { state }: VenueView, { asset }: Readout): Value => of(state, asset)
const readAccountField = (of: ReadRow, { state }: VenueView, { account }: Readout): Value =>
  of(state, account)
const readHoldingField = (of: ReadHolding, { state }: VenueView, { account, asset }: Readout): Value =>
  of(state, account, asset)

const seconds: ReadoutField<[state: State]> = {
  type: 'number',
  read: ({ nowMillis, config }) => exact(nowMillis - config.startMillis, 3),
}
const hasHappened: ReadoutField<[instant: number | undefined]> = {
  type: 'boolean',
  read: (instant) => instant !== undefined,
}

const figureFields: ReadoutFields<[state: State, account: number]> = Object.fromEntries(
  Object.entries(figures).map(([name, { compute: of }]) => [
    name,
    {
      type: 'number',
      read: (state: State, account: number) => {
        const figure = of(state, account)
        return figure === null ? null : exactFromText(String(figure))
      },
    },
  ]),
)

type FamilyName = keyof typeof families

/** All families of read-outs, in the order of the reference. */
export const families = {
  price: defineFamily('price.SYMBOL', priceFields, readAssetField),
  market: defineFamily('market.SYMBOL', marketFields, readAssetField),
  order: defineFamily('order[label]', orderFields, (of, { state, rows }, { label }, row) =>
    label === '*'
      ? of(state, row, null)
      : of(state, findOrderRow(state, rows, label), rows.orderRefusals.get(label) ?? null),
  ),
  quote: defineFamily('quote[label]', quoteFields, (of, { state, rows }, { label }, row) =>
    label === '*'
      ? of(state, row, null)
      : of(state, rows.quotes.get(label) ?? null, rows.quoteRefusals.get(label) ?? null),
  ),
  fill: defineFamily('fill', fillFields, (of, { state }, _, row) => (row === null ? null : of(state, row))),
  account: defineFamily('account[id]', accountFields, readAccountField),
  balance: defineFamily('account[id].balance.SYMBOL', balanceFields, readHoldingField),
  position: defineFamily('account[id].position.SYMBOL', positionFields, readHoldingField),
  requests: defineFamily('requests[METHOD /path]', requestFields, (of, { tallyOf }, { label }) =>
    of(tallyOf(label)),
  ),
  locked: defineFamily(null, lockedFields, readHoldingField),
  counter: defineFamily(null, counterFields, (of, { state }) => of(state)),
  metrics: defineFamily(null, figureFields, readAccountField),
  /** Seconds since the start of the clock. */
  clock: defineFamily(null, { '': seconds }, (of, { state }) => of(state)),
  /** Whether the timeline's entry with this id has acted, or what it awaits has come. */
  happened: defineFamily(null, { '': hasHappened }, (of, { rows }, { label }) =>
    of(rows.instants.get(label)),
  ),
}

/**
 * Returns the row of an order by its label, or else by the client id in a request that a fault has struck; null when
 * there is none.
 */
function findOrderRow(state: State, { orders, clientOrders }: NamedRows, label: string): number | null {
  const named = clientOrders.get(label)
  const row = orders.get(label)
  if (row !== undefined || named === undefined) return row ?? null
  const account = state.accounts.rowOf(named[0])
  return account === none
    ? null
    : (state.accounts.findOrAddLists(account).clientOrderIds.get(named[1]) ?? null)
}

export interface Names {
  readonly assets: ReadonlyMap<string, number>
  readonly accounts: ReadonlyMap<string, number>
  /** The labels that `as` or `bind` gives to orders. */
  readonly orders: ReadonlySet<string>
  readonly quotes: ReadonlySet<string>
  /** The ids of the timeline's entries. */
  readonly labels: ReadonlySet<string>
  readonly apiKeys: ReadonlySet<string>
  /** Returns whether a part of the file that cannot be read may declare this name. */
  isUncertain?(name: string): boolean
}

/** The read-out that a path spells, with the type of its values, or the first step of the path that is wrong. */
export type ResolvedReadout = ReadResult<
  { readonly readout: Readout; readonly type: ReadoutType },
  WordMistake & { readonly step: number }
>

type Steps = readonly PathStep[]

interface Head {
  /** An example of a path, for families that take no label in brackets. */
  readonly example?: string
  resolve(steps: Steps, names: Names): ResolvedReadout
}

/** The resolvers of paths, by the first name of the path. */
const heads: ReadonlyMap<string, Head> = new Map<string, Head>([
  ['price', { example: 'price.BTC.mid', resolve: (steps, names) => resolveAsset('price', steps, names) }],
  [
    'market',
    { example: 'market.BTC.halted', resolve: (steps, names) => resolveAsset('market', steps, names) },
  ],
  ['order', { resolve: (steps, names) => resolveLabel('order', steps, names, names.orders) }],
  ['quote', { resolve: (steps, names) => resolveLabel('quote', steps, names, names.quotes) }],
  ['fill', { example: 'fill.price', resolve: (steps) => resolveField('fill', steps, 1) }],
  ['account', { resolve: resolveAccount }],
  ['requests', { resolve: resolveRequests }],
  ['orders', { example: 'orders.count', resolve: resolveCounter }],
  ['quotes', { example: 'quotes.count', resolve: resolveCounter }],
  ['fills', { example: 'fills.count', resolve: resolveCounter }],
  ['metrics', { resolve: resolveFigure }],
  ['happened', { resolve: resolveEntry }],
  ['clock', { example: 'clock', resolve: (steps) => resolveWhole('clock', steps) }],
])

/** Resolves a path to its read-out, or says which step is wrong. */
export function resolveReadout(steps: Steps, names: Names): ResolvedReadout {
  const { name = '', label = null } = steps[0] ?? {}
  const head = heads.get(name)
  if (head === undefined) return failAtStep(0, `unknown read-out "${name}"`, nearestWord(name, heads.keys()))
  if (label !== null && head.example !== undefined)
    return failAtStep(0, `"${name}" takes no brackets, as in ${head.example}`)
  return head.resolve(steps, names)
}

/** Returns the kind of row that a read-out runs over; null for one about a single thing. */
export function findWildcard({ family, label }: Readout): Wildcard | null {
  if (family === 'fill') return 'fill'
  return (family === 'order' || family === 'quote') && label === '*' ? family : null
}

/** Lists the words that a read-out of text can be; null where it can be any text. */
export function listWords({ family, field }: Readout, names: Names): readonly string[] | null {
  const words = families[family].fields[field]?.words
  return typeof words === 'string' ? [...names[words].keys()] : (words ?? null)
}

/** Returns whether some read-out of text can be this word, whatever names the file declares. */
export const isTextWord = (word: string): boolean => textWords.has(word)

const textWords: ReadonlySet<string> = new Set(
  Object.values(families)
    .flatMap(({ fields }) => Object.values(fields))
    .flatMap(({ words }) => (typeof words === 'object' ? words : [])),
)

/** Returns row 0 for a name that a part which cannot be read may declare, else undefined. */
const uncertainRow = (names: Names, name: string): number | undefined =>
  names.isUncertain?.(name) === true ? 0 : undefined

type About = Partial<Pick<Readout, 'account' | 'asset' | 'label'>>

export function readout(family: FamilyName, field: string, about: About = {}): Readout {
  return { family, field, account: 0, asset: 0, label: '', ...about }
}

function resolveTo(family: FamilyName, field: string, about: About): ResolvedReadout {
  const { type = 'number' } = families[family].fields[field] ?? {}
  return success({ readout: readout(family, field, about), type })
}

const failAtStep = (step: number, reason: string, nearest: string | null = null): ResolvedReadout => ({
  ok: false,
  step,
  reason,
  nearest,
})

function resolveAsset(family: FamilyName, steps: Steps, names: Names): ResolvedReadout {
  const symbol = steps[1]?.name
  if (symbol === undefined) return failAtStep(0, 'an asset must follow, as in price.BTC.mid')
  const asset = names.assets.get(symbol) ?? uncertainRow(names, symbol)
  if (asset === undefined)
    return failAtStep(1, `unknown asset "${symbol}"`, nearestWord(symbol, names.assets.keys()))
  return resolveField(family, steps, 2, { asset })
}

function resolveLabel(
  family: FamilyName,
  steps: Steps,
  names: Names,
  labels: ReadonlySet<string>,
): ResolvedReadout {
  const label = steps[0]?.label ?? null
  if (label === null) return failAtStep(0, `a label in brackets must follow, as in ${family}[first].status`)
  if (label !== '*' && !labels.has(label) && uncertainRow(names, label) === undefined) {
    const reason = `no ${family} is called "${label}"; an action's "as" gives it its name`
    return failAtStep(0, reason, nearestWord(label, labels))
  }
  return resolveField(family, steps, 1, { label })
}

function resolveAccount(steps: Steps, names: Names): ResolvedReadout {
  const account = findAccount(steps, names, 'account[trader].openOrders')
  if (typeof account !== 'number') return account
  const group = steps[1]?.name
  if (group === undefined) return resolveField('account', steps, 1, { account })
  if (group === 'balance' || group === 'position' || Object.hasOwn(lockedFields, group))
    return resolveHolding(steps, names, account, group)
  const known = ['balance', 'position', ...Object.keys(lockedFields), ...Object.keys(accountFields)]
  if (!known.includes(group)) return failAtStep(1, `unknown field "${group}"`, nearestWord(group, known))
  return resolveField('account', steps, 1, { account })
}

function resolveHolding(steps: Steps, names: Names, account: number, group: string): ResolvedReadout {
  const symbol = steps[2]?.name
  if (symbol === undefined)
    return failAtStep(1, `an asset must follow, as in account[${steps[0]?.label}].${group}.BTC`)
  const isCash = group !== 'position' && symbol === 'USD'
  const asset = names.assets.get(symbol) ?? (isCash ? 0 : uncertainRow(names, symbol))
  if (asset === undefined)
    return failAtStep(2, `unknown asset "${symbol}"`, nearestWord(symbol, names.assets.keys()))
  const about = { account, asset }
  if (group === 'balance' || group === 'position') return resolveField(group, steps, 3, about)
  return steps.length > 3
    ? failAtStep(3, `"${symbol}" has no fields here`)
    : resolveTo('locked', group, about)
}

function resolveRequests(steps: Steps, names: Names): ResolvedReadout {
  const label = steps[0]?.label ?? null
  if (label === null)
    return failAtStep(0, 'requests must follow in brackets, as in requests[POST /api/sdk/orders].count')
  const [, method = null, asked = label] = /^(\S+) (\/\S*)$/.exec(label) ?? []
  if (method !== null && !methods.includes(method))
    return failAtStep(0, `"${method}" is not a method of a request`, nearestWord(method, methods))
  const path = asked.startsWith('/') ? suggestRoute(method, asked) : null
  if (path !== null) return failAtStep(0, `"${asked}" is not a path of an operation`, path)
  const isPath = method !== null || /^\/\S*$/.test(label)
  const words = [...names.apiKeys, ...names.accounts.keys()]
  const isName = words.includes(label) || uncertainRow(names, label) !== undefined
  if (isPath || label === '*' || isName) return resolveField('requests', steps, 1, { label })
  const reason = `"${label}" is not a method and path, a key or an account`
  return failAtStep(0, reason, nearestWord(label, words))
}

function resolveFigure(steps: Steps, names: Names): ResolvedReadout {
  const account = findAccount(steps, names, 'metrics[maker].pnl')
  if (typeof account !== 'number') return account
  const field = steps[1]?.name
  if (field === undefined) return failAtStep(0, 'a figure must follow, as in metrics[maker].pnl')
  if (Object.hasOwn(figureFields, field)) return resolveField('metrics', steps, 1, { account })
  const known = Object.keys(figureFields)
  const nearest = nearestWord(field, known)
  const list = nearest === null ? `; the figures are ${known.join(', ')}` : ''
  return failAtStep(1, `unknown figure "${field}"${list}`, nearest)
}

function resolveEntry(steps: Steps, names: Names): ResolvedReadout {
  const label = steps[0]?.label ?? null
  if (label === null) return failAtStep(0, 'an id in brackets must follow, as in happened[news]')
  if (!names.labels.has(label) && uncertainRow(names, label) === undefined)
    return failAtStep(0, `no action has the id "${label}"`, nearestWord(label, names.labels))
  return resolveWhole('happened', steps, { label })
}

function resolveCounter(steps: Steps): ResolvedReadout {
  const path = steps.map(({ name }) => name).join('.')
  const known = Object.keys(counterFields)
  if (known.includes(path)) return resolveTo('counter', path, {})
  return failAtStep(0, `unknown count "${path}": known are ${known.join(', ')}`, nearestWord(path, known))
}

function findAccount(steps: Steps, names: Names, example: string): number | ResolvedReadout {
  const id = steps[0]?.label ?? null
  if (id === null) return failAtStep(0, `an account in brackets must follow, as in ${example}`)
  const account = names.accounts.get(id) ?? uncertainRow(names, id)
  return account ?? failAtStep(0, `unknown account "${id}"`, nearestWord(id, names.accounts.keys()))
}

/** Resolves the step at `index`, which must be the last one, as a field of the family. */
function resolveField(family: FamilyName, steps: Steps, index: number, about: About = {}): ResolvedReadout {
  const known = Object.keys(families[family].fields)
  const name = steps[index]?.name
  if (name === undefined) return failAtStep(index - 1, `a field must follow: ${known.join(', ')}`)
  if (!known.includes(name)) {
    const nearest = nearestWord(name, known)
    const list = nearest === null ? `; the fields here are ${known.join(', ')}` : ''
    return failAtStep(index, `unknown field "${name}"${list}`, nearest)
  }
  if (steps.length > index + 1) return failAtStep(index + 1, `"${name}" has no fields`)
  return resolveTo(family, name, about)
}

const resolveWhole = (family: FamilyName, steps: Steps, about: About = {}): ResolvedReadout =>
  steps.length === 1 ? resolveTo(family, '', about) : failAtStep(1, `"${family}" has no fields`)
