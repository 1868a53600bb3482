import { kindOrder, none } from '../../engine/codes.ts'
import type { State } from '../../engine/state.ts'
import { unreachable } from '../../numeric/assert.ts'
import {
  accountFields,
  balanceFields,
  counterFields,
  lockedFields,
  positionFields,
} from './account-fields.ts'
import type { ReadoutSource } from './evaluate-predicate.ts'
import type { Value } from './exact.ts'
import { exact, exactFromText } from './exact.ts'
import type { NamedRows, Readout, Wildcard } from './readouts.ts'
import {
  fillFields,
  marketFields,
  orderFields,
  priceFields,
  quoteFields,
  requestFields,
  type Tally,
} from './trading-fields.ts'

/** What a script knows besides the venue's state. */
export interface ScriptView {
  readonly rows: NamedRows
  /** What is known of the requests that a selector matches. */
  readonly tallyOf: (selector: string) => Tally
  /** The first fill that `fill` runs over. */
  readonly firstFill: number
  /** A figure of an account's run so far; null while it is undefined. */
  readonly figureOf: (account: number, name: string) => number | null
}

/** The read-outs of a venue, as it is when they are read. */
export function readVenue(state: State, view: ScriptView): ReadoutSource {
  return {
    read: (readout, row) => read(state, view, readout, row),
    rowsOf: (wildcard) => rowsOf(state, view, wildcard),
  }
}

function* rowsOf(state: State, view: ScriptView, wildcard: Wildcard): Generator<number> {
  const { orders, quotes, fills } = state
  if (wildcard === 'fill') for (let row = view.firstFill; row < fills.count; row += 1) yield row
  if (wildcard === 'quote') for (let row = 0; row < quotes.count; row += 1) yield row
  if (wildcard !== 'order') return
  for (let row = 0; row < orders.count; row += 1) if (orders.kind.get(row) === kindOrder) yield row
}

function read(state: State, view: ScriptView, readout: Readout, row: number | null): Value {
  const { rows } = view
  switch (readout.family) {
    case 'clock':
      return exact(state.nowMillis - state.config.startMillis, 3)
    case 'price':
      return priceFields[readout.field].of(state, readout.asset)
    case 'market':
      return marketFields[readout.field].of(state, readout.asset)
    case 'order': {
      const { label, field } = readout
      const order = label === '*' ? row : orderRowOf(state, rows, label)
      return orderFields[field].of(state, order, rows.orderRefusal(label))
    }
    case 'quote': {
      const { label, field } = readout
      const quote = label === '*' ? row : rows.quoteRow(label)
      return quoteFields[field].of(state, quote, rows.quoteRefusal(label))
    }
    case 'fill':
      return row === null ? null : fillFields[readout.field].of(state, row)
    case 'balance':
      return balanceFields[readout.field].of(state, readout.account, readout.asset)
    case 'position':
      return positionFields[readout.field].of(state, readout.account, readout.asset)
    case 'locked':
      return lockedFields[readout.field].of(state, readout.account, readout.asset)
    case 'account':
      return accountFields[readout.field].of(state, readout.account)
    case 'requests':
      return requestFields[readout.field].of(view.tallyOf(readout.selector))
    case 'counter':
      return counterFields[readout.field].of(state)
    case 'metrics': {
      const figure = view.figureOf(readout.account, readout.field)
      return figure === null ? null : exactFromText(String(figure))
    }
    case 'happened':
      return rows.instantOf(readout.label) !== null
    default:
      return unreachable(readout)
  }
}

/** By its label, else by the client id in a request that a fault has struck. */
function orderRowOf(state: State, rows: NamedRows, label: string): number | null {
  const row = rows.orderRow(label)
  const named = row === null ? rows.clientOrderOf(label) : null
  if (named === null) return row
  const account = state.accounts.rowOf(named[0])
  return account === none ? null : (state.accounts.listsOf(account).clientOrderIds.get(named[1]) ?? null)
}
