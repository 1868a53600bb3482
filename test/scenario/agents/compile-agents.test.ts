import { describe, expect, it } from 'vitest'
import { listMistakes } from '../fixtures.ts'
import { agent, stage, still } from './fixtures.ts'

describe('agents in a file', () => {
  const twap = { side: 'buy', quantity: 1 }
  it.each([
    [[agent('twap', { side: 'buy' })], 'agents[0].params: missing "quantity"'],
    [
      [agent('twap', { ...twap, quantity: 0.00001 })],
      'agents[0].params.quantity: is not a multiple of the quantity step',
    ],
    [
      [agent('momentum', { short: 50, long: 20 })],
      'agents[0].params.short: expected short (50) to be below long (20)',
    ],
    [[agent('momentum', { long: 20 })], 'agents[0].params.long: expected short (20) to be below long (20)'],
    [[agent('noise', {}, { account: 'ritch' })], 'unknown account "ritch". Did you mean "rich"?'],
    [[agent('noise', {}, { asset: 'BTX' })], 'unknown asset "BTX". Did you mean "BTC"?'],
    [[agent('noise', {}), agent('noise', {})], 'agents[1].id: two agents are called "noise"'],
    [[agent('noise', {}, { starts: 'soon' })], 'agents[0].starts: expected an offset such as +5m'],
    [
      [agent('noise', {}, { starts: '2020-01-01T00:00:00Z' })],
      'agents[0].starts: before the start of the clock',
    ],
    [
      [agent('script', {}, { steps: [{ after: '1s', side: 'buy' }] })],
      'a step has "side" and "quantity", or "cancel"',
    ],
  ])('that are wrong are told where', (agents, message) => {
    expect(() => stage(still, agents)).toThrow(message)
  })

  it('are not blamed for an asset that cannot be read', () => {
    expect(
      listMistakes(`version: 1
name: probe
market: {assets: {BTC: {price: 1e11}}}
accounts: [{id: rich, balances: {USD: 1000}}]
agents: [{id: calm, kind: twap, account: rich, asset: BTC, params: {side: buy, quantity: 1}}]`),
    ).toEqual([expect.stringContaining('market.assets.BTC.price: ')])
  })
})
