import { atoms } from '../../src/numeric/units.ts'
import { wideLimits } from '../arbitraries/limits.ts'
import type { RecordedEvent } from '../model/recorded-event.ts'
import type { FillView, OrderView, QuoteView, Step, VenueView } from './venue-view.ts'
import { isLiveView } from './venue-view.ts'

/*
 * A planted breach of each invariant: what the world would look like if its rule were broken. A predicate that does not
 * notice its own breach proves nothing.
 */

export type Breach = (step: Step) => Step

const view = (change: (view: VenueView) => Partial<VenueView>): Breach => {
  return (step) => ({ ...step, view: { ...step.view, ...change(step.view) } })
}
const orders = (change: (order: OrderView) => Partial<OrderView>): Breach =>
  view((real) => ({ orders: real.orders.map((order) => ({ ...order, ...change(order) })) }))
const newOrders = (change: Partial<OrderView>): Breach => {
  return (step) => orders((order) => (order.row >= step.before.orders.length ? change : {}))(step)
}
const before = (change: (order: OrderView) => Partial<OrderView>): Breach => {
  return (step) => ({
    ...step,
    before: { ...step.before, orders: step.before.orders.map((order) => ({ ...order, ...change(order) })) },
  })
}
const fills = (change: (fill: FillView) => Partial<FillView>): Breach =>
  view((real) => ({ fills: real.fills.map((fill) => ({ ...fill, ...change(fill) })) }))
const quotes = (change: (quote: QuoteView) => Partial<QuoteView>): Breach =>
  view((real) => ({ quotes: real.quotes.map((quote) => ({ ...quote, ...change(quote) })) }))
const events = (name: string, change: (event: RecordedEvent) => Partial<RecordedEvent>): Breach => {
  return (step) => ({
    ...step,
    events: step.events.map((event) => (event.name === name ? { ...event, ...change(event) } : event)),
  })
}
const strayPosting: Breach = (step) => {
  const event = {
    at: step.view.now,
    name: 'posted',
    subject: 3,
    account: 4,
    asset: 0,
    first: 1,
    second: 0,
    third: 0,
  }
  return { ...step, events: [...step.events, event] }
}
const limits = (change: Partial<typeof wideLimits>): Breach =>
  view(() => ({ limits: () => ({ ...wideLimits, ...change }) }))

export const breaches: Readonly<Record<string, Breach>> = {
  I1: view((real) => ({ total: (account, asset) => real.total(account, asset) + (account === 3 ? 1n : 0n) })),
  I2: events('posted', () => ({ first: 0 })),
  I3: view((real) => ({ available: (account, asset) => real.available(account, asset) + 1n })),
  I4: view(() => ({ available: () => -1n })),
  I5: view((real) => ({ locked: (account, asset) => real.locked(account, asset) + 1n })),
  I6: orders((order) => ({ reserved: order.reserved + 1n })),
  'I7 filled only grows': before((order) => ({ filled: order.filled + 1n })),
  'I7 only amendments change terms': before((order) => ({ priceTicks: order.priceTicks + 1n })),
  I8: view(() => ({ fills: [] })),
  'I9 fills keep the limit': (step) => {
    const narrow = new Map([...step.history.limits.keys()].map((row) => [row, { low: 10_000n, high: 0n }]))
    return { ...step, history: { ...step.history, limits: narrow } }
  },
  'I9 fills are at the maker’s price': events('trade', (event) => ({ first: event.first + 1 })),
  'I10 fees are exact': fills((fill) => ({ fee: fill.fee + 1n })),
  'I10 fees are the fee account’s': fills((fill) => ({ fee: fill.fee + 1n })),
  I11: fills((fill) => ({ notional: fill.notional + 1n })),
  I12: fills((fill) => ({ steps: fill.steps + 1n })),
  I13: view((real) => ({ total: (account, asset) => real.total(account, asset) + 1n })),
  I14: view((real) => ({
    levels: (asset, side) =>
      real.levels(asset, side).map((level) => (side === 1 ? { ...level, priceTicks: 1n } : level)),
  })),
  I15: events('trade', (event) => ({ first: event.third === 0 ? 10_000 : 0 })),
  I17: view((real) => ({ levels: (asset, side) => real.levels(asset, side).slice(1) })),
  I18: newOrders({ timeInForce: 2, filled: 1n, quantity: 5n }),
  I19: orders(() => ({ timeInForce: 1 })),
  I20: strayPosting,
  I21: before((order) => (isLiveView(order) ? {} : { filled: order.filled - 1n })),
  I22: orders((order) => (order.status === 0 ? { status: 2 } : {})),
  I23: quotes((quote) => (quote.status < 2 ? { expiresAt: 0 } : {})),
  I24: quotes((quote) => (quote.status < 2 ? { status: 2 } : {})),
  'I25 numbers are whole': events('reserved', () => ({ second: -0 })),
  'I25 accepted orders keep the bounds': newOrders({ quantity: 1_000_000n }),
  I26: view((real) => ({
    position: (account, asset) => {
      const position = real.position(account, asset)
      return { ...position, quantity: position.quantity + 1n }
    },
  })),
  I27: view((real) => ({ position: (account, asset) => ({ ...real.position(account, asset), basis: -1n }) })),
  I28: view((real) => ({
    position: (account, asset) => ({ ...real.position(account, asset), realised: -77n }),
  })),
  I35: limits({ maxOrderValue: atoms(0) }),
  I36: limits({ maxOpenOrders: 0 }),
  'I53 time never goes back': events('order-accepted', (event) => ({ at: event.at - 1 })),
  'I53 fills are in time': fills(() => ({ at: 0 })),
  refusals: strayPosting,
}
