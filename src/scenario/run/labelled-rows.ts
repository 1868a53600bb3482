import { none } from '../../engine/codes.ts'
import type { State } from '../../engine/state.ts'
import type { SeenRequest } from '../actions/requests.ts'
import type { NamedRows } from '../predicates/readouts.ts'

export interface CapturedRows {
  readonly orders: readonly (readonly [string, number])[]
  readonly quotes: readonly (readonly [string, number])[]
  readonly transfers: readonly (readonly [string, number])[]
  readonly orderRefusals: readonly (readonly [string, string])[]
  readonly quoteRefusals: readonly (readonly [string, string])[]
  readonly clientOrders: readonly (readonly [string, readonly [string, string]])[]
  readonly instants: readonly (readonly [string, number])[]
}

/** What labels name: a label means the newest thing that was made under it. */
export class LabelledRows implements NamedRows {
  readonly orders = new Map<string, number>()
  readonly quotes = new Map<string, number>()
  readonly transfers = new Map<string, number>()
  readonly orderRefusals = new Map<string, string>()
  readonly quoteRefusals = new Map<string, string>()
  readonly clientOrders = new Map<string, readonly [account: string, clientOrderId: string]>()
  readonly instants = new Map<string, number>()

  orderRow(label: string): number | null {
    return this.orders.get(label) ?? null
  }

  quoteRow(label: string): number | null {
    return this.quotes.get(label) ?? null
  }

  transferRow(label: string): number | null {
    return this.transfers.get(label) ?? null
  }

  orderRefusal(label: string): string | null {
    return this.orderRefusals.get(label) ?? null
  }

  quoteRefusal(label: string): string | null {
    return this.quoteRefusals.get(label) ?? null
  }

  clientOrderOf(label: string): readonly [account: string, clientOrderId: string] | null {
    return this.clientOrders.get(label) ?? null
  }

  instantOf(label: string): number | null {
    return this.instants.get(label) ?? null
  }

  /** Binds a label to the order or quote that a client's request has just made. */
  bind(label: string, request: SeenRequest, state: State): void {
    const account = request.account === null ? none : state.accounts.rowOf(request.account)
    if (account === none) return
    const isQuote = request.path.includes('/quotes')
    const newest = (isQuote ? state.accounts.lastQuote : state.accounts.lastOrder).get(account)
    if (newest !== none) (isQuote ? this.quotes : this.orders).set(label, newest)
  }

  capture(): CapturedRows {
    return {
      orders: [...this.orders],
      quotes: [...this.quotes],
      transfers: [...this.transfers],
      orderRefusals: [...this.orderRefusals],
      quoteRefusals: [...this.quoteRefusals],
      clientOrders: [...this.clientOrders],
      instants: [...this.instants],
    }
  }

  restore(captured: CapturedRows): void {
    refill(this.orders, captured.orders)
    refill(this.quotes, captured.quotes)
    refill(this.transfers, captured.transfers)
    refill(this.orderRefusals, captured.orderRefusals)
    refill(this.quoteRefusals, captured.quoteRefusals)
    refill(this.clientOrders, captured.clientOrders)
    refill(this.instants, captured.instants)
  }
}

function refill<Value>(map: Map<string, Value>, entries: readonly (readonly [string, Value])[]): void {
  map.clear()
  for (const [key, value] of entries) map.set(key, value)
}
