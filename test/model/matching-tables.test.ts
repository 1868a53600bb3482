import { describe, expect, test } from 'vitest'
import type { Command } from '../../src/engine/command.ts'
import type { ConfigChoice } from '../arbitraries/configs.ts'
import { crowdedConfig } from '../arbitraries/configs.ts'
import { advance, alice, amend, bob, carol, DUST, dave, limit, market, quote } from './commands.ts'
import { lineOf } from './recorded-event.ts'
import { subjects } from './subjects.ts'

/*
 * Hand-computed runs. One BTC tick times one step is 50,000 cash atoms, one BTC step is 10,000,000 atoms of it; the
 * taker's rate is 1,000 parts per million unless the row says otherwise. Rows of events: name, subject, account,
 * asset, and the slots.
 */

interface Row {
  readonly name: string
  readonly choice?: Partial<ConfigChoice>
  readonly given: readonly Command[]
  readonly when: Command
  readonly events: readonly string[]
}

const rows: readonly Row[] = [
  {
    name: 'a taker trades at the maker’s price, and its improvement is released with the fill',
    given: [limit(alice, 1, 3, 100)],
    when: limit(bob, 0, 5, 102),
    events: [
      'order-accepted 1 4 1 0 102 5',
      'reserved 1 4 0 25525500',
      'trade 0 1 1 100 3',
      'posted 3 4 1 30000000',
      'posted 4 3 0 15000000',
      'posted 4 2 0 15000',
      'released 0 3 1 30000000',
      'released 1 4 0 15315300',
      'order-filled 0 3 1 3 3',
      'order-partially-filled 1 4 1 3 5',
    ],
  },
  {
    name: 'price goes before time, and time before size',
    given: [limit(alice, 1, 1, 101), limit(bob, 1, 1, 100), limit(alice, 1, 9, 100)],
    when: limit(dave, 0, 2, 101, { timeInForce: 1 }),
    events: [
      'order-accepted 3 6 1 0 101 2',
      'reserved 3 6 0 10110100',
      'trade 1 3 1 100 1',
      'posted 4 6 1 10000000',
      'posted 6 4 0 5000000',
      'posted 6 2 0 5000',
      'released 1 4 1 10000000',
      'released 3 6 0 5055050',
      'order-filled 1 4 1 1 1',
      'order-partially-filled 3 6 1 1 2',
      'trade 2 3 1 100 1',
      'posted 3 6 1 10000000',
      'posted 6 3 0 5000000',
      'posted 6 2 0 5000',
      'released 2 3 1 10000000',
      'released 3 6 0 5055050',
      'order-partially-filled 2 3 1 1 9',
      'order-filled 3 6 1 2 2',
    ],
  },
  {
    name: 'the rest of an immediate order expires',
    given: [],
    when: limit(bob, 1, 2, 100, { timeInForce: 1 }),
    events: [
      'order-accepted 0 4 1 1 100 2',
      'reserved 0 4 1 20000000',
      'released 0 4 1 20000000',
      'order-expired 0 4 1 0 2',
    ],
  },
  {
    name: 'a fill-or-kill order that cannot be filled whole does nothing',
    given: [limit(alice, 1, 3, 100)],
    when: limit(bob, 0, 4, 100, { timeInForce: 2 }),
    events: [
      'order-accepted 1 4 1 0 100 4',
      'reserved 1 4 0 20020000',
      'released 1 4 0 20020000',
      'order-expired 1 4 1 0 4',
    ],
  },
  {
    name: 'a market buy reserves the cost of its walk and frees what each fill costs',
    given: [limit(alice, 1, 1, 100), limit(alice, 1, 1, 104)],
    when: market(bob, 0, 3),
    events: [
      // 100 + 104 + 104 ticks, at 50,000, with the fee
      'order-accepted 2 4 1 0 0 3',
      'reserved 2 4 0 15415400',
      'trade 0 2 1 100 1',
      'posted 3 4 1 10000000',
      'posted 4 3 0 5000000',
      'posted 4 2 0 5000',
      'released 0 3 1 10000000',
      'released 2 4 0 5005000',
      'order-filled 0 3 1 1 1',
      'order-partially-filled 2 4 1 1 3',
      'trade 1 2 1 104 1',
      'posted 3 4 1 10000000',
      'posted 4 3 0 5200000',
      'posted 4 2 0 5200',
      'released 1 3 1 10000000',
      'released 2 4 0 5205200',
      'order-filled 1 3 1 1 1',
      'order-partially-filled 2 4 1 2 3',
      'released 2 4 0 5205200',
      'order-expired 2 4 1 2 3',
    ],
  },
  {
    name: 'a market order that meets nothing is reserved at the mark and expires',
    given: [],
    when: market(bob, 0, 1),
    events: [
      'order-accepted 0 4 1 0 0 1',
      'reserved 0 4 0 5005000',
      'released 0 4 0 5005000',
      'order-expired 0 4 1 0 1',
    ],
  },
  {
    name: 'a tie of half an atom goes to the even one, and the fee is rounded up',
    given: [limit(alice, 1, 5, 105, { asset: DUST })],
    when: limit(bob, 0, 5, 105, { asset: DUST }),
    events: [
      // 52.5 atoms: 52 to the seller, 1 for the fee; the reserve was 52.5525, so 53
      'order-accepted 1 4 3 0 105 5',
      'reserved 1 4 0 53',
      'trade 0 1 3 105 5',
      'posted 3 4 3 50',
      'posted 4 3 0 52',
      'posted 4 2 0 1',
      'released 0 3 3 50',
      'released 1 4 0 53',
      'order-filled 0 3 3 5 5',
      'order-filled 1 4 3 5 5',
    ],
  },
  {
    name: 'with fees in the received currency a buyer pays in the asset, and reserves none',
    choice: { feeCurrency: 'received', makerRate: 500 },
    given: [limit(alice, 1, 1, 100)],
    when: limit(bob, 0, 1, 100),
    events: [
      'order-accepted 1 4 1 0 100 1',
      'reserved 1 4 0 5000000',
      'trade 0 1 1 100 1',
      'posted 3 4 1 10000000',
      'posted 4 3 0 5000000',
      'posted 3 2 0 2500',
      'posted 4 2 1 10000',
      'released 0 3 1 10000000',
      'released 1 4 0 5000000',
      'order-filled 0 3 1 1 1',
      'order-filled 1 4 1 1 1',
    ],
  },
  {
    name: 'a rebate comes from the fee account',
    choice: { makerRate: -200, takerRate: 0 },
    given: [limit(alice, 1, 1, 100)],
    when: limit(bob, 0, 1, 100),
    events: [
      'order-accepted 1 4 1 0 100 1',
      'reserved 1 4 0 5000000',
      'trade 0 1 1 100 1',
      'posted 3 4 1 10000000',
      'posted 4 3 0 5000000',
      'posted 2 3 0 1000',
      'released 0 3 1 10000000',
      'released 1 4 0 5000000',
      'order-filled 0 3 1 1 1',
      'order-filled 1 4 1 1 1',
    ],
  },
  {
    name: 'a self-trade cancels the taker’s remainder',
    given: [limit(alice, 1, 1, 100)],
    when: limit(alice, 0, 1, 100),
    events: [
      'order-accepted 1 3 1 0 100 1',
      'reserved 1 3 0 5005000',
      'released 1 3 0 5005000',
      'order-cancelled 1 3 1 0 1',
    ],
  },
  {
    name: 'cancel_maker: the maker ends and the taker goes on to the next',
    choice: { selfTrade: 'cancel_maker', takerRate: 0 },
    given: [limit(alice, 1, 1, 99), limit(bob, 1, 1, 100)],
    when: limit(alice, 0, 1, 100),
    events: [
      'order-accepted 2 3 1 0 100 1',
      'reserved 2 3 0 5000000',
      'released 0 3 1 10000000',
      'order-cancelled 0 3 1 0 1',
      'trade 1 2 1 100 1',
      'posted 4 3 1 10000000',
      'posted 3 4 0 5000000',
      'released 1 4 1 10000000',
      'released 2 3 0 5000000',
      'order-filled 1 4 1 1 1',
      'order-filled 2 3 1 1 1',
    ],
  },
  {
    name: 'cancel_both: a quote met by its own account is cancelled whole, then the taker',
    choice: { selfTrade: 'cancel_both' },
    given: [quote(alice, [98, 1], [100, 2])],
    when: limit(alice, 0, 1, 100),
    events: [
      'order-accepted 2 3 1 0 100 1',
      'reserved 2 3 0 5005000',
      'released 0 3 0 4904900',
      'released 1 3 1 20000000',
      'quote-cancelled 0 3 1',
      'released 2 3 0 5005000',
      'order-cancelled 2 3 1 0 1',
    ],
  },
  {
    name: 'a smaller amendment keeps its place',
    given: [limit(alice, 1, 3, 100), limit(dave, 1, 3, 100), amend(alice, 0, 2, null)],
    when: limit(bob, 0, 1, 100),
    events: [
      'order-accepted 2 4 1 0 100 1',
      'reserved 2 4 0 5005000',
      'trade 0 2 1 100 1',
      'posted 3 4 1 10000000',
      'posted 4 3 0 5000000',
      'posted 4 2 0 5000',
      'released 0 3 1 10000000',
      'released 2 4 0 5005000',
      'order-partially-filled 0 3 1 1 2',
      'order-filled 2 4 1 1 1',
    ],
  },
  {
    name: 'a larger amendment goes to the back',
    given: [limit(alice, 1, 1, 100), limit(dave, 1, 1, 100), amend(alice, 0, 2, null)],
    when: limit(bob, 0, 1, 100),
    events: [
      'order-accepted 2 4 1 0 100 1',
      'reserved 2 4 0 5005000',
      'trade 1 2 1 100 1',
      'posted 6 4 1 10000000',
      'posted 4 6 0 5000000',
      'posted 4 2 0 5000',
      'released 1 6 1 10000000',
      'released 2 4 0 5005000',
      'order-filled 1 6 1 1 1',
      'order-filled 2 4 1 1 1',
    ],
  },
  {
    name: 'an amendment that crosses executes as a taker',
    given: [limit(alice, 1, 1, 100), limit(bob, 0, 1, 99)],
    when: amend(bob, 1, null, 100),
    events: [
      'released 1 4 0 4954950',
      'reserved 1 4 0 5005000',
      'order-amended 1 4 1 0 100 1',
      'trade 0 1 1 100 1',
      'posted 3 4 1 10000000',
      'posted 4 3 0 5000000',
      'posted 4 2 0 5000',
      'released 0 3 1 10000000',
      'released 1 4 0 5005000',
      'order-filled 0 3 1 1 1',
      'order-filled 1 4 1 1 1',
    ],
  },
  {
    name: 'an order amended to what has filled is filled',
    given: [limit(alice, 1, 3, 100), limit(bob, 0, 1, 100)],
    when: amend(alice, 0, 1, null),
    events: ['released 0 3 1 20000000', 'order-amended 0 3 1 1 100 1', 'order-filled 0 3 1 1 1'],
  },
  {
    name: 'an order amended to what it is says nothing',
    given: [limit(alice, 1, 3, 100)],
    when: amend(alice, 0, 3, 100),
    events: [],
  },
  {
    name: 'a quote that crosses takes first and rests after',
    choice: { takerRate: 0 },
    given: [limit(bob, 1, 1, 100)],
    when: quote(alice, [101, 2], [103, 1]),
    events: [
      'quote-accepted 0 3 1 1767600030000',
      'reserved 1 3 0 10100000',
      'reserved 2 3 1 10000000',
      'trade 0 1 1 100 1',
      'posted 4 3 1 10000000',
      'posted 3 4 0 5000000',
      'released 0 4 1 10000000',
      'released 1 3 0 5050000',
      'order-filled 0 4 1 1 1',
      'quote-partially-filled 0 3 1 1',
    ],
  },
  {
    name: 'at its last instant a quote is expired before anything else',
    given: [quote(alice, [98, 1], [100, 1], 30_000)],
    when: limit(bob, 0, 1, 100, { at: 30_000, timeInForce: 1 }),
    events: [
      'released 0 3 0 4904900',
      'released 1 3 1 10000000',
      'quote-expired 0 3 1',
      'order-accepted 2 4 1 0 100 1',
      'reserved 2 4 0 5005000',
      'released 2 4 0 5005000',
      'order-expired 2 4 1 0 1',
    ],
  },
  {
    name: 'clients go before the house at one price, and the house has no fees',
    choice: { hasLadder: true, takerRate: 0 },
    given: [limit(alice, 1, 1, 102)],
    when: limit(bob, 0, 2, 102),
    events: [
      'order-accepted 1 4 1 0 102 2',
      'reserved 1 4 0 10200000',
      'trade 0 1 1 102 1',
      'posted 3 4 1 10000000',
      'posted 4 3 0 5100000',
      'released 0 3 1 10000000',
      'released 1 4 0 5100000',
      'order-filled 0 3 1 1 1',
      'order-partially-filled 1 4 1 1 2',
      'trade -1 1 1 102 1',
      'posted 1 4 1 10000000',
      'posted 4 1 0 5100000',
      'released 1 4 0 5100000',
      'order-filled 1 4 1 2 2',
    ],
  },
  {
    name: 'a refreshed ladder meets the client who waits at its price',
    choice: { hasLadder: true, takerRate: 0 },
    given: [limit(bob, 0, 7, 102)],
    when: advance(1000),
    events: [
      'trade 0 -1 1 102 1 1',
      'posted 1 4 1 10000000',
      'posted 4 1 0 5100000',
      'released 0 4 0 5100000',
      'order-filled 0 4 1 7 7',
    ],
  },
  {
    name: 'a margin account sells what it does not have',
    given: [],
    when: limit(carol, 1, 2, 100),
    events: ['order-accepted 0 5 1 1 100 2', 'reserved 0 5 1 20000000'],
  },
]

describe.each(subjects)('%s', (_name, open) => {
  test.each(rows)('$name', ({ choice, given, when, events }) => {
    const venue = open(crowdedConfig(choice ?? {}))
    for (const command of given) expect(venue.execute(command).ok).toBe(true)
    const before = venue.events.length
    expect(venue.execute(when).ok).toBe(true)
    expect(venue.events.slice(before).map(lineOf)).toEqual(events)
  })
})
