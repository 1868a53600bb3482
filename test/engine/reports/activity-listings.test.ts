import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buy, cash, sell } from '../../../src/engine/codes.ts'
import {
  type ListingRequest,
  listTrades,
  listTransactions,
  type Transaction,
  type TransactionFilter,
} from '../../../src/engine/reports/activity.ts'
import type { State } from '../../../src/engine/state.ts'
import { Venue } from '../../../src/engine/venue.ts'
import { configChoice, crowdedConfig } from '../../arbitraries/configs.ts'
import { happen, happening } from '../fixtures/random-run.ts'
import {
  alice,
  btc,
  coins,
  eth,
  hourMillis,
  minuteMillis,
  SmallVenue,
  startMillis,
  usd,
} from '../fixtures/small-venue.ts'

const everything: TransactionFilter = { asset: null, type: null }
const firstPage: ListingRequest = { offset: 0, limit: 50, order: 'newest' }

describe('transactions', () => {
  const small = new SmallVenue({ alice: { USD: usd(1_000_000) }, takerRate: 1000 })
  small.advance(hourMillis)
  small.trade(alice, buy, btc, 50_000, 1)
  small.advance(hourMillis)
  small.transfer('deposit', alice, eth, coins(2), minuteMillis)
  small.transfer('withdraw', alice, cash, usd(700), minuteMillis)

  const lines: Record<'opening' | 'trade' | 'fee' | 'withdrawal', Transaction> = {
    opening: {
      type: 'deposit',
      row: 0,
      asset: cash,
      quantityAtoms: usd(1_000_000),
      valueAtoms: usd(1_000_000),
      atMillis: startMillis,
    },
    trade: {
      type: 'trade',
      row: 1,
      asset: btc,
      quantityAtoms: coins(1),
      valueAtoms: usd(50_000),
      atMillis: startMillis + hourMillis,
    },
    fee: {
      type: 'fee',
      row: 1,
      asset: cash,
      quantityAtoms: usd(50),
      valueAtoms: usd(50),
      atMillis: startMillis + hourMillis,
    },
    withdrawal: {
      type: 'withdrawal',
      row: 5,
      asset: cash,
      quantityAtoms: usd(700),
      valueAtoms: usd(700),
      atMillis: startMillis + 2 * hourMillis,
    },
  }

  it('are listed newest first, a trade before its fee in time', () => {
    const { total, rows } = listTransactions(small.state, alice, everything, firstPage)
    expect(total).toBe(4)
    expect(rows).toEqual([lines.withdrawal, lines.fee, lines.trade, lines.opening])
    const oldest = listTransactions(small.state, alice, everything, { ...firstPage, order: 'oldest' })
    expect(oldest.rows).toEqual([...rows].reverse())
  })

  it('include a pending deposit once it has settled', () => {
    small.advance(minuteMillis)
    const { rows } = listTransactions(small.state, alice, { asset: eth, type: 'deposit' }, firstPage)
    expect(rows).toMatchObject([{ quantityAtoms: coins(2), valueAtoms: usd(4000), atMillis: small.now }])
  })

  it.each<[TransactionFilter, string[]]>([
    [{ asset: null, type: 'trade' }, ['trade']],
    [{ asset: null, type: 'fee' }, ['fee']],
    [{ asset: cash, type: null }, ['withdrawal', 'fee', 'deposit']],
    [{ asset: btc, type: null }, ['trade']],
    [{ asset: btc, type: 'fee' }, []],
  ])('with the filter %j are %j', (filter, types) => {
    const { rows } = listTransactions(small.state, alice, filter, firstPage)
    expect(rows.map(({ type }) => type)).toEqual(types)
  })

  it('come in pages, empty past the end', () => {
    const page = (offset: number, limit: number) =>
      listTransactions(small.state, alice, everything, { offset, limit, order: 'newest' })
    expect(page(1, 2).rows.map(({ type }) => type)).toEqual(['withdrawal', 'fee'])
    expect(page(4, 2)).toMatchObject({ total: 5, rows: [lines.opening] })
    expect(page(5, 2)).toMatchObject({ total: 5, rows: [] })
  })
})

describe('trades', () => {
  const small = new SmallVenue()
  for (const [asset, side] of [
    [btc, buy],
    [eth, sell],
    [btc, sell],
    [btc, buy],
  ] as const) {
    small.advance(hourMillis)
    small.trade(alice, side, asset, asset === btc ? 50_000 : 2000, 1)
  }
  const any = { asset: null, side: null, fromMillis: null, untilMillis: null }

  it.each([
    [any, [7, 5, 3, 1]],
    [{ ...any, asset: btc }, [7, 5, 1]],
    [{ ...any, side: sell }, [5, 3]],
    [{ ...any, fromMillis: startMillis + 2 * hourMillis }, [7, 5, 3]],
    [{ ...any, untilMillis: startMillis + 2 * hourMillis }, [1]],
    [
      { ...any, fromMillis: startMillis + 2 * hourMillis, untilMillis: startMillis + 3 * hourMillis + 1 },
      [5, 3],
    ],
  ])('with the filter %j are the fills %j', (filter, fills) => {
    expect(listTrades(small.state, alice, filter, firstPage)).toMatchObject({
      total: fills.length,
      rows: fills,
    })
  })

  it('come in pages', () => {
    expect(listTrades(small.state, alice, any, { offset: 2, limit: 1, order: 'oldest' })).toMatchObject({
      total: 4,
      rows: [5],
    })
  })
})

describe('properties', () => {
  it('all transactions add up to the balances', () => {
    fc.assert(
      fc.property(configChoice, fc.array(happening, { minLength: 20, maxLength: 120 }), (choice, whats) => {
        const venue = Venue.open(crowdedConfig(choice), { emit: () => undefined })
        for (const what of whats) happen(venue, what)
        for (let account = 3; account <= 6; account += 1) {
          const totals = [0, 1, 2, 3].map((asset) => venue.state.ledger.total(account, asset))
          expect(folded(venue.state, account)).toEqual(totals)
        }
      }),
      { seed: 7, numRuns: 60 },
    )
  })
})

function folded(state: State, account: number): readonly number[] {
  const totals = [0, 0, 0, 0]
  const add = (asset: number, amount: number) => {
    totals[asset] = (totals[asset] ?? 0) + amount
  }
  const all = { offset: 0, limit: Number.POSITIVE_INFINITY, order: 'oldest' } as const
  for (const { type, row, asset, quantityAtoms, valueAtoms } of listTransactions(
    state,
    account,
    everything,
    all,
  ).rows) {
    if (type === 'deposit') add(asset, quantityAtoms)
    if (type === 'withdrawal' || type === 'fee') add(asset, -quantityAtoms)
    if (type !== 'trade') continue
    const sign = state.fills.side.get(row) === buy ? 1 : -1
    add(asset, sign * quantityAtoms)
    add(cash, -sign * valueAtoms)
  }
  return totals
}
