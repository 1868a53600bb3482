import { openDesk } from './desk.ts'

/** Alice has bought 1 BTC at 50,010 from the ladder and 0.25 BTC from mara, who is short; 0.25 BTC are still open. */
export function traded(readings: { readonly [key: string]: string } = {}) {
  const desk = openDesk({ readings })
  desk.advance(200)
  desk.request('alice', 'POST', '/orders', { side: 'buy', asset: 'BTC', quantity: 1.5, price: 50_010 })
  desk.request('mara', 'POST', '/orders', { side: 'sell', asset: 'BTC', quantity: 0.25, price: 49_990 })
  return desk
}

/** The body of an answer on that desk. */
export const bodyOf = (target: string, account = 'alice', readings = {}) =>
  traded(readings).request(account, 'GET', target).body
