import { describe, expect, test } from 'vitest'
import { buy, fillOrKill, immediateOrCancel, sell } from '../../src/engine/codes.ts'
import type { Command } from '../../src/engine/command.ts'
import type { ConfigChoice } from '../arbitraries/configs.ts'
import { crowdedConfig } from '../arbitraries/configs.ts'
import { advance, alice, amend, bob, carol, DUST, dave, limit, market, quote } from './commands.ts'
import { formatEvent } from './event-text.ts'
import { subjects } from './subjects.ts'

/*
 * Hand-computed runs. One BTC tick times one step is 0.05 USD, one BTC step is 0.1 BTC; the taker's rate is 0.1 % unless
 * the row says otherwise. Commands state steps, then ticks; events are written as by `formatEvent`.
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
    given: [limit(alice, sell, 3, 100)],
    when: limit(bob, buy, 5, 102),
    events: [
      'order-accepted #1 bob buy BTC 5 steps at 102 ticks',
      'reserved #1 bob USD 25.5255',
      'trade #1 buys BTC 3 steps at 100 ticks from #0',
      'posted alice -> bob BTC 0.3',
      'posted bob -> alice USD 15',
      'posted bob -> fees USD 0.015',
      'released #0 alice BTC 0.3',
      'released #1 bob USD 15.3153',
      'order-filled #0 alice BTC 3 of 3 steps',
      'order-partially-filled #1 bob BTC 3 of 5 steps',
    ],
  },
  {
    name: 'price goes before time, and time before size',
    given: [limit(alice, sell, 1, 101), limit(bob, sell, 1, 100), limit(alice, sell, 9, 100)],
    when: limit(dave, buy, 2, 101, { timeInForce: immediateOrCancel }),
    events: [
      'order-accepted #3 dave buy BTC 2 steps at 101 ticks',
      'reserved #3 dave USD 10.1101',
      'trade #3 buys BTC 1 steps at 100 ticks from #1',
      'posted bob -> dave BTC 0.1',
      'posted dave -> bob USD 5',
      'posted dave -> fees USD 0.005',
      'released #1 bob BTC 0.1',
      'released #3 dave USD 5.05505',
      'order-filled #1 bob BTC 1 of 1 steps',
      'order-partially-filled #3 dave BTC 1 of 2 steps',
      'trade #3 buys BTC 1 steps at 100 ticks from #2',
      'posted alice -> dave BTC 0.1',
      'posted dave -> alice USD 5',
      'posted dave -> fees USD 0.005',
      'released #2 alice BTC 0.1',
      'released #3 dave USD 5.05505',
      'order-partially-filled #2 alice BTC 1 of 9 steps',
      'order-filled #3 dave BTC 2 of 2 steps',
    ],
  },
  {
    name: 'the rest of an immediate order expires',
    given: [],
    when: limit(bob, sell, 2, 100, { timeInForce: immediateOrCancel }),
    events: [
      'order-accepted #0 bob sell BTC 2 steps at 100 ticks',
      'reserved #0 bob BTC 0.2',
      'released #0 bob BTC 0.2',
      'order-expired #0 bob BTC 0 of 2 steps',
    ],
  },
  {
    name: 'a fill-or-kill order that cannot be filled whole does nothing',
    given: [limit(alice, sell, 3, 100)],
    when: limit(bob, buy, 4, 100, { timeInForce: fillOrKill }),
    events: [
      'order-accepted #1 bob buy BTC 4 steps at 100 ticks',
      'reserved #1 bob USD 20.02',
      'released #1 bob USD 20.02',
      'order-expired #1 bob BTC 0 of 4 steps',
    ],
  },
  {
    name: 'a market buy reserves the cost of its walk and frees what each fill costs',
    given: [limit(alice, sell, 1, 100), limit(alice, sell, 1, 104)],
    when: market(bob, buy, 3),
    events: [
      // 100 + 104 + 104 ticks, at 50,000, with the fee
      'order-accepted #2 bob buy BTC 3 steps at 0 ticks',
      'reserved #2 bob USD 15.4154',
      'trade #2 buys BTC 1 steps at 100 ticks from #0',
      'posted alice -> bob BTC 0.1',
      'posted bob -> alice USD 5',
      'posted bob -> fees USD 0.005',
      'released #0 alice BTC 0.1',
      'released #2 bob USD 5.005',
      'order-filled #0 alice BTC 1 of 1 steps',
      'order-partially-filled #2 bob BTC 1 of 3 steps',
      'trade #2 buys BTC 1 steps at 104 ticks from #1',
      'posted alice -> bob BTC 0.1',
      'posted bob -> alice USD 5.2',
      'posted bob -> fees USD 0.0052',
      'released #1 alice BTC 0.1',
      'released #2 bob USD 5.2052',
      'order-filled #1 alice BTC 1 of 1 steps',
      'order-partially-filled #2 bob BTC 2 of 3 steps',
      'released #2 bob USD 5.2052',
      'order-expired #2 bob BTC 2 of 3 steps',
    ],
  },
  {
    name: 'a market order that meets nothing is reserved at the mark and expires',
    given: [],
    when: market(bob, buy, 1),
    events: [
      'order-accepted #0 bob buy BTC 1 steps at 0 ticks',
      'reserved #0 bob USD 5.005',
      'released #0 bob USD 5.005',
      'order-expired #0 bob BTC 0 of 1 steps',
    ],
  },
  {
    name: 'a tie of half an atom goes to the even one, and the fee is rounded up',
    given: [limit(alice, sell, 5, 105, { asset: DUST })],
    when: limit(bob, buy, 5, 105, { asset: DUST }),
    events: [
      // 52.5 atoms: 52 to the seller, 1 for the fee; the reserve was 52.5525, so 53
      'order-accepted #1 bob buy DUST 5 steps at 105 ticks',
      'reserved #1 bob USD 0.000053',
      'trade #1 buys DUST 5 steps at 105 ticks from #0',
      'posted alice -> bob DUST 0.005',
      'posted bob -> alice USD 0.000052',
      'posted bob -> fees USD 0.000001',
      'released #0 alice DUST 0.005',
      'released #1 bob USD 0.000053',
      'order-filled #0 alice DUST 5 of 5 steps',
      'order-filled #1 bob DUST 5 of 5 steps',
    ],
  },
  {
    name: 'with fees in the received currency a buyer pays in the asset, and reserves none',
    choice: { feeCurrency: 'received', makerRate: 500 },
    given: [limit(alice, sell, 1, 100)],
    when: limit(bob, buy, 1, 100),
    events: [
      'order-accepted #1 bob buy BTC 1 steps at 100 ticks',
      'reserved #1 bob USD 5',
      'trade #1 buys BTC 1 steps at 100 ticks from #0',
      'posted alice -> bob BTC 0.1',
      'posted bob -> alice USD 5',
      'posted alice -> fees USD 0.0025',
      'posted bob -> fees BTC 0.0001',
      'released #0 alice BTC 0.1',
      'released #1 bob USD 5',
      'order-filled #0 alice BTC 1 of 1 steps',
      'order-filled #1 bob BTC 1 of 1 steps',
    ],
  },
  {
    name: 'a rebate comes from the fee account',
    choice: { makerRate: -200, takerRate: 0 },
    given: [limit(alice, sell, 1, 100)],
    when: limit(bob, buy, 1, 100),
    events: [
      'order-accepted #1 bob buy BTC 1 steps at 100 ticks',
      'reserved #1 bob USD 5',
      'trade #1 buys BTC 1 steps at 100 ticks from #0',
      'posted alice -> bob BTC 0.1',
      'posted bob -> alice USD 5',
      'posted fees -> alice USD 0.001',
      'released #0 alice BTC 0.1',
      'released #1 bob USD 5',
      'order-filled #0 alice BTC 1 of 1 steps',
      'order-filled #1 bob BTC 1 of 1 steps',
    ],
  },
  {
    name: 'a self-trade cancels the taker’s remainder',
    given: [limit(alice, sell, 1, 100)],
    when: limit(alice, buy, 1, 100),
    events: [
      'order-accepted #1 alice buy BTC 1 steps at 100 ticks',
      'reserved #1 alice USD 5.005',
      'released #1 alice USD 5.005',
      'order-cancelled #1 alice BTC 0 of 1 steps',
    ],
  },
  {
    name: 'cancel_maker: the maker ends and the taker goes on to the next',
    choice: { selfTrade: 'cancel_maker', takerRate: 0 },
    given: [limit(alice, sell, 1, 99), limit(bob, sell, 1, 100)],
    when: limit(alice, buy, 1, 100),
    events: [
      'order-accepted #2 alice buy BTC 1 steps at 100 ticks',
      'reserved #2 alice USD 5',
      'released #0 alice BTC 0.1',
      'order-cancelled #0 alice BTC 0 of 1 steps',
      'trade #2 buys BTC 1 steps at 100 ticks from #1',
      'posted bob -> alice BTC 0.1',
      'posted alice -> bob USD 5',
      'released #1 bob BTC 0.1',
      'released #2 alice USD 5',
      'order-filled #1 bob BTC 1 of 1 steps',
      'order-filled #2 alice BTC 1 of 1 steps',
    ],
  },
  {
    name: 'cancel_both: a quote met by its own account is cancelled whole, then the taker',
    choice: { selfTrade: 'cancel_both' },
    given: [quote(alice, [98, 1], [100, 2])],
    when: limit(alice, buy, 1, 100),
    events: [
      'order-accepted #2 alice buy BTC 1 steps at 100 ticks',
      'reserved #2 alice USD 5.005',
      'released #0 alice USD 4.9049',
      'released #1 alice BTC 0.2',
      'quote-cancelled #0 alice BTC bid 0 ask 0 steps',
      'released #2 alice USD 5.005',
      'order-cancelled #2 alice BTC 0 of 1 steps',
    ],
  },
  {
    name: 'a smaller amendment keeps its place',
    given: [limit(alice, sell, 3, 100), limit(dave, sell, 3, 100), amend(alice, 0, 2, null)],
    when: limit(bob, buy, 1, 100),
    events: [
      'order-accepted #2 bob buy BTC 1 steps at 100 ticks',
      'reserved #2 bob USD 5.005',
      'trade #2 buys BTC 1 steps at 100 ticks from #0',
      'posted alice -> bob BTC 0.1',
      'posted bob -> alice USD 5',
      'posted bob -> fees USD 0.005',
      'released #0 alice BTC 0.1',
      'released #2 bob USD 5.005',
      'order-partially-filled #0 alice BTC 1 of 2 steps',
      'order-filled #2 bob BTC 1 of 1 steps',
    ],
  },
  {
    name: 'a larger amendment goes to the back',
    given: [limit(alice, sell, 1, 100), limit(dave, sell, 1, 100), amend(alice, 0, 2, null)],
    when: limit(bob, buy, 1, 100),
    events: [
      'order-accepted #2 bob buy BTC 1 steps at 100 ticks',
      'reserved #2 bob USD 5.005',
      'trade #2 buys BTC 1 steps at 100 ticks from #1',
      'posted dave -> bob BTC 0.1',
      'posted bob -> dave USD 5',
      'posted bob -> fees USD 0.005',
      'released #1 dave BTC 0.1',
      'released #2 bob USD 5.005',
      'order-filled #1 dave BTC 1 of 1 steps',
      'order-filled #2 bob BTC 1 of 1 steps',
    ],
  },
  {
    name: 'an amendment that crosses executes as a taker',
    given: [limit(alice, sell, 1, 100), limit(bob, buy, 1, 99)],
    when: amend(bob, 1, null, 100),
    events: [
      'released #1 bob USD 4.95495',
      'reserved #1 bob USD 5.005',
      'order-amended #1 bob buy BTC 1 steps at 100 ticks',
      'trade #1 buys BTC 1 steps at 100 ticks from #0',
      'posted alice -> bob BTC 0.1',
      'posted bob -> alice USD 5',
      'posted bob -> fees USD 0.005',
      'released #0 alice BTC 0.1',
      'released #1 bob USD 5.005',
      'order-filled #0 alice BTC 1 of 1 steps',
      'order-filled #1 bob BTC 1 of 1 steps',
    ],
  },
  {
    name: 'an order amended to what has filled is filled',
    given: [limit(alice, sell, 3, 100), limit(bob, buy, 1, 100)],
    when: amend(alice, 0, 1, null),
    events: [
      'released #0 alice BTC 0.2',
      'order-amended #0 alice sell BTC 1 steps at 100 ticks',
      'order-filled #0 alice BTC 1 of 1 steps',
    ],
  },
  {
    name: 'an order amended to what it is says nothing',
    given: [limit(alice, sell, 3, 100)],
    when: amend(alice, 0, 3, 100),
    events: [],
  },
  {
    name: 'a quote that crosses takes first and rests after',
    choice: { takerRate: 0 },
    given: [limit(bob, sell, 1, 100)],
    when: quote(alice, [101, 2], [103, 1]),
    events: [
      'quote-accepted #0 alice BTC until 30000 ms',
      'reserved #1 alice USD 10.1',
      'reserved #2 alice BTC 0.1',
      'trade #1 buys BTC 1 steps at 100 ticks from #0',
      'posted bob -> alice BTC 0.1',
      'posted alice -> bob USD 5',
      'released #0 bob BTC 0.1',
      'released #1 alice USD 5.05',
      'order-filled #0 bob BTC 1 of 1 steps',
      'quote-partially-filled #0 alice BTC bid 1 ask 0 steps',
    ],
  },
  {
    name: 'at its last instant a quote is expired before anything else',
    given: [quote(alice, [98, 1], [100, 1], 30_000)],
    when: limit(bob, buy, 1, 100, { at: 30_000, timeInForce: immediateOrCancel }),
    events: [
      'released #0 alice USD 4.9049',
      'released #1 alice BTC 0.1',
      'quote-expired #0 alice BTC bid 0 ask 0 steps',
      'order-accepted #2 bob buy BTC 1 steps at 100 ticks',
      'reserved #2 bob USD 5.005',
      'released #2 bob USD 5.005',
      'order-expired #2 bob BTC 0 of 1 steps',
    ],
  },
  {
    name: 'clients go before the house at one price, and the house has no fees',
    choice: { hasLadder: true, takerRate: 0 },
    given: [limit(alice, sell, 1, 102)],
    when: limit(bob, buy, 2, 102),
    events: [
      'order-accepted #1 bob buy BTC 2 steps at 102 ticks',
      'reserved #1 bob USD 10.2',
      'trade #1 buys BTC 1 steps at 102 ticks from #0',
      'posted alice -> bob BTC 0.1',
      'posted bob -> alice USD 5.1',
      'released #0 alice BTC 0.1',
      'released #1 bob USD 5.1',
      'order-filled #0 alice BTC 1 of 1 steps',
      'order-partially-filled #1 bob BTC 1 of 2 steps',
      'trade #1 buys BTC 1 steps at 102 ticks from house',
      'posted house -> bob BTC 0.1',
      'posted bob -> house USD 5.1',
      'released #1 bob USD 5.1',
      'order-filled #1 bob BTC 2 of 2 steps',
    ],
  },
  {
    name: 'a refreshed ladder meets the client who waits at its price',
    choice: { hasLadder: true, takerRate: 0 },
    given: [limit(bob, buy, 7, 102)],
    when: advance(1000),
    events: [
      'trade house sells BTC 1 steps at 102 ticks to #0',
      'posted house -> bob BTC 0.1',
      'posted bob -> house USD 5.1',
      'released #0 bob USD 5.1',
      'order-filled #0 bob BTC 7 of 7 steps',
    ],
  },
  {
    name: 'a margin account sells what it does not have',
    given: [],
    when: limit(carol, sell, 2, 100),
    events: ['order-accepted #0 carol sell BTC 2 steps at 100 ticks', 'reserved #0 carol BTC 0.2'],
  },
]

describe.each(subjects)('%s', (_name, open) => {
  test.each(rows)('$name', ({ choice, given, when, events }) => {
    const venue = open(crowdedConfig(choice ?? {}))
    for (const command of given) expect(venue.execute(command).ok).toBe(true)
    const before = venue.events.length
    expect(venue.execute(when).ok).toBe(true)
    expect(venue.events.slice(before).map(formatEvent)).toEqual(events)
  })
})
