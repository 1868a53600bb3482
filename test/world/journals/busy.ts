import type { Command } from '../../../src/engine/command.ts'
import { createStream } from '../../../src/numeric/random.ts'
import { atoms, millis, partsPerMillion, priceTicks, quantitySteps } from '../../../src/numeric/units.ts'
import { setClock } from '../../../src/world/change-world.ts'
import type { World } from '../../../src/world/world.ts'
import { limitSets } from '../../arbitraries/limits.ts'

const api = '/api/sdk'

/** Sends a world many requests of clients, some of them wrong, and of admins. The seed decides which. */
export function runBusily(world: World, seed: string, steps: number): void {
  const stream = createStream(seed, 'busy', '', 0)
  for (let step = 0; step < steps; step += 1) {
    if (stream.integer(4) === 0) world.advance(stream.integer(5000))
    const act = acts[stream.integer(acts.length)]
    act?.(world, (bound) => stream.integer(bound))
  }
}

type Draw = (bound: number) => number
type Act = (world: World, draw: Draw) => void

const client: Act = (world, draw) => {
  const { orders, quotes } = world.venue.state
  const orderId = `ord_${1 + draw(Math.max(1, orders.count))}`
  const quoteId = `qt_${1 + draw(Math.max(1, quotes.count))}`
  const account = ['desk', 'trader'][draw(2)] ?? 'desk'
  const send = (method: string, path: string, body?: object) =>
    world.request(account, method, api + path, body)
  const order = (): object => ({
    side: ['buy', 'sell'][draw(2)],
    asset: 'BTC',
    quantity: (1 + draw(draw(9) === 0 ? 200_000 : 30_000)) / 10_000,
    price: 49_900 + draw(200),
    timeInForce: ['GTC', 'GTC', 'IOC', 'FOK'][draw(4)],
    ...(draw(6) === 0 ? { metadata: { note: 'größer', nested: [draw(9), null, { deep: true }] } } : {}),
    ...(draw(5) === 0 ? { clientOrderId: `c-${draw(1_000_000)}` } : {}),
  })
  const bid = 49_900 + draw(150)
  const quote = (): object => ({
    bidPrice: bid,
    askPrice: bid + 20,
    bidSize: 0.5,
    askSize: 0.4,
    validForSeconds: 1 + draw(60),
  })
  const sends: (() => unknown)[] = [
    () => send('POST', '/orders', order()),
    () => send('POST', '/orders', order()),
    () => send('POST', '/orders', { side: 'buy', asset: 'BTC', quantity: 0.01, orderType: 'market' }),
    () => send('POST', '/orders/batch', { orders: [order(), { ...order(), quantity: 1e-9 }, order()] }),
    () => send('PATCH', `/orders/${orderId}`, { quantity: (1 + draw(9000)) / 10_000 }),
    () => send('DELETE', `/orders/${orderId}`),
    () => send('DELETE', '/orders/batch', { asset: 'BTC', side: 'buy' }),
    () => send('POST', '/quotes', { asset: 'BTC', ...quote() }),
    () => send('PATCH', `/quotes/${quoteId}`, quote()),
    () => send('PATCH', '/quotes/batch/update', [{ quoteId, ...quote() }]),
    () => send('DELETE', `/quotes/${quoteId}`),
    () => send('GET', '/orders?limit=5'),
  ]
  sends[draw(sends.length)]?.()
}

const control: Act = (world, draw) => {
  const at = world.now
  const { orders, quotes, transfers } = world.venue.state
  const account = 3 + draw(2)
  const commands: (() => Command)[] = [
    () => ({
      kind: draw(2) === 0 ? 'deposit' : 'withdraw',
      at,
      account,
      asset: 0,
      atoms: atoms(1 + draw(1e9)),
      pendingMillis: millis(draw(3) * 1000),
    }),
    () => ({ kind: 'settle-transfer', at, transfer: draw(Math.max(1, transfers.count)) }),
    () => ({ kind: 'set-limits', at, account, limits: limitSets[0] }),
    () => ({
      kind: 'set-fees',
      at,
      account,
      makerRate: partsPerMillion(draw(200) - 100),
      takerRate: partsPerMillion(draw(2000)),
    }),
    () => ({ kind: 'set-account-type', at, account, type: 'margin' }),
    () => ({
      kind: 'set-pair',
      at,
      asset: 1,
      minQuantitySteps: quantitySteps(1 + draw(3)),
      maxQuantitySteps: null,
      minPriceTicks: null,
      minNotionalAtoms: atoms(0),
    }),
    () => ({
      kind: 'halt',
      at,
      asset: 1,
      mode: draw(2) === 0 ? 'reject' : 'rest',
      forMillis: millis(1 + draw(3000)),
    }),
    () => ({ kind: 'resume', at, asset: 1 }),
    () => ({
      kind: 'move-price',
      at,
      asset: 1,
      points: [
        { offsetMillis: millis(0), priceTicks: priceTicks(4_990_000 + draw(20_000)) },
        { offsetMillis: millis(9000), priceTicks: priceTicks(5_000_000) },
      ],
      noiseVol: partsPerMillion(0),
    }),
    () => ({
      kind: 'create-account',
      at,
      account: {
        id: `new-${draw(1e6)}`,
        type: 'cash',
        balances: new Map([
          ['USD', atoms(5e9)],
          ['BTC', atoms(1e8)],
        ]),
        averageEntryPrices: new Map([['BTC', 4e12]]),
        limits: limitSets[0],
        fees: null,
      },
    }),
  ]
  if (orders.count > 0) {
    const order = draw(orders.count)
    commands.push(
      () => ({ kind: 'force-fill', at, order, quantitySteps: null, priceTicks: null }),
      () => ({ kind: draw(2) === 0 ? 'force-reject' : 'force-expire', at, order }),
    )
  }
  if (quotes.count > 0) commands.push(() => ({ kind: 'force-expire-quote', at, quote: draw(quotes.count) }))
  const command = commands[draw(commands.length)]
  if (command !== undefined) world.execute(command())
}

const clock: Act = (world, draw) => {
  setClock(world, { stepMillis: millis(1 + draw(500)) })
}

const acts: readonly Act[] = [client, client, client, client, client, control, control, clock]
