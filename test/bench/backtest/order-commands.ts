import { defineStrategy, type Strategy } from '../../../src/backtest/strategy.ts'

/** At each bar as many resting orders are amended, cancelled and made. */
const turnsAtBar = 20

/** The commands of a run. */
export function orderCommands(resting: number, bars: number): number {
  return resting + 3 * turnsAtBar * bars
}

/** Keeps so many orders resting, too far away to be filled, with prices and quantities that have all their decimals. */
export function orderSender(resting: number): Strategy {
  return defineStrategy({
    name: 'order-sender',
    bar: '1m',
    state,
    onBar({ state, sync }, { close }) {
      const { orders } = sync
      const { ids } = state
      while (ids.length < resting) ids.push(orders.create(newOrder(close, ids.length)).orderId)
      for (let turn = 0; turn < turnsAtBar; turn += 1) {
        const place = state.turns % resting
        const other = (place + resting / 2) % resting
        orders.amend(ids[other] ?? '', amendedTerms(close, other, state.turns))
        orders.cancel(ids[place] ?? '')
        ids[place] = orders.create(newOrder(close, place)).orderId
        state.turns += 1
      }
    },
  })
}

export function promisingOrderSender(resting: number): Strategy {
  return defineStrategy({
    name: 'promising-order-sender',
    bar: '1m',
    state,
    async onBar({ state, venue }, { close }) {
      const { orders } = venue
      const { ids } = state
      while (ids.length < resting) ids.push((await orders.create(newOrder(close, ids.length))).orderId)
      for (let turn = 0; turn < turnsAtBar; turn += 1) {
        const place = state.turns % resting
        const other = (place + resting / 2) % resting
        await orders.amend(ids[other] ?? '', amendedTerms(close, other, state.turns))
        await orders.cancel(ids[place] ?? '')
        ids[place] = (await orders.create(newOrder(close, place))).orderId
        state.turns += 1
      }
    },
  })
}

/** The ids of the resting orders, and how many times one has been replaced. */
function state(): { readonly ids: string[]; turns: number } {
  return { ids: [], turns: 0 }
}

function newOrder(close: number, place: number) {
  const side = place % 2 === 0 ? ('buy' as const) : ('sell' as const)
  return { side, asset: 'BTC', quantity: (123 + place) / 1e4, price: priceAway(close, place) }
}

function amendedTerms(close: number, place: number, turn: number) {
  return { quantity: (321 + (turn % 100)) / 1e4, price: priceAway(close, place + 2 * (turn % 7)) }
}

/** A tenth and more from the market, to the cent. */
function priceAway(close: number, place: number): number {
  const distance = 0.1 + place / 1e5
  return Math.round(close * (place % 2 === 0 ? 1 - distance : 1 + distance) * 100) / 100
}
