import { describe, expect, it } from 'vitest'
import { buildLadder } from '../../../src/console/model/ladder.ts'

describe('the ladder', () => {
  it('accumulates from the best price, and marks the account’s own orders', () => {
    const about = { orderId: '', clientOrderId: null, status: 'open', createdAt: '' } as const
    const order = { ...about, asset: 'BTC', side: 'buy', price: 99, quantity: 3, filledQuantity: 1 } as const
    const quote = {
      quoteId: '',
      clientQuoteId: null,
      asset: 'BTC',
      status: 'active' as const,
      validForSeconds: 30,
      bidPrice: 99,
      bidSize: 1,
      bidFilled: 0.5,
      askPrice: 101,
      askSize: 2,
      askFilled: 2,
      expiresAt: '',
      createdAt: '',
      updatedAt: '',
      metadata: {} as const,
    }
    const level = (price: number, quantity: number) => ({ price, quantity })
    const book = { asset: 'BTC', timestamp: '', bids: [level(100, 1), level(99, 3)], asks: [level(101, 2)] }
    const others = [{ ...order, asset: 'ETH' }, { ...order, side: 'sell', price: 101, asset: 'ETH' } as const]
    expect(buildLadder(book, [order, ...others], [quote])).toEqual({
      bids: [
        { price: 100, quantity: 1, total: 1, own: 0, share: 0.25 },
        { price: 99, quantity: 3, total: 4, own: 2.5, share: 1 },
      ],
      asks: [{ price: 101, quantity: 2, total: 2, own: 0, share: 0.5 }],
      spread: 1,
    })
    expect(buildLadder({ ...book, bids: [], asks: [] }, [], [])).toEqual({ bids: [], asks: [], spread: null })
  })
})
