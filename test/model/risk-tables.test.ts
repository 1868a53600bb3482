import { describe, expect, test } from 'vitest'
import type { Assessment } from '../../src/engine/assessment.ts'
import { buy, sell } from '../../src/engine/codes.ts'
import type { Command } from '../../src/engine/command.ts'
import type { AccountConfig, VenueConfig } from '../../src/engine/config.ts'
import type { LimitsConfig } from '../../src/engine/limits.ts'
import { atoms, partsPerMillion } from '../../src/numeric/units.ts'
import { crowdedConfig } from '../arbitraries/configs.ts'
import { wideLimits } from '../arbitraries/limits.ts'
import { alice, amend, bob, carol, limit, market, quote } from './commands.ts'
import { subjects } from './subjects.ts'

/*
 * Hand-computed assessments. A BTC tick times a step is 0.05 USD, the mark is 100 ticks, so a step is worth 5 USD.
 * Alice has 40 BTC (400 steps, 2,000 USD) and 2,000 USD, and no other asset; carol has a margin account with 500 USD
 * and a leverage of 3.
 */

interface Row {
  readonly name: string
  readonly limits?: Partial<LimitsConfig>
  readonly given?: readonly Command[]
  readonly when: Command
  readonly refusedBy: readonly (keyof Assessment['checks'])[]
  readonly expected?: Partial<Readonly<Record<keyof Assessment['checks'], object>>>
}

const usd = (amount: number) => Math.round(amount * 1_000_000)

const rows: readonly Row[] = [
  {
    name: 'a size is between its two limits, and the one that fails is named',
    limits: { minOrderSize: { bySymbol: new Map([['BTC', 20_000_000]]), default: 0 } },
    when: limit(alice, buy, 1, 100),
    refusedBy: ['orderSize'],
    expected: { orderSize: { value: 10_000_000, minimum: 20_000_000, limit: 20_000_000 } },
  },
  {
    name: 'a value is price times quantity',
    limits: { maxOrderValue: atoms(usd(49)) },
    when: limit(alice, buy, 10, 99),
    refusedBy: ['orderValue'],
    expected: { orderValue: { valueAtoms: usd(49.5), limitAtoms: usd(49) } },
  },
  {
    name: 'a buy needs its cash with the fee',
    when: limit(alice, buy, 200, 200),
    refusedBy: ['availableBalance'],
    expected: { availableBalance: { asset: 0, requiredAtoms: usd(2002), availableAtoms: usd(2000) } },
  },
  {
    name: 'a sell needs the asset',
    given: [limit(alice, sell, 200, 101)],
    when: limit(alice, sell, 200, 300),
    refusedBy: [],
  },
  {
    name: 'a sell beyond the asset is refused on a cash account',
    given: [limit(alice, sell, 200, 101), limit(alice, sell, 199, 101)],
    when: limit(alice, sell, 2, 101),
    refusedBy: ['availableBalance'],
    expected: { availableBalance: { asset: 1, requiredAtoms: 20_000_000, availableAtoms: 10_000_000 } },
  },
  {
    name: 'exposure is the worst that the open buys, or the open sells, can make of the position',
    limits: { maxExposurePerAsset: { bySymbol: new Map(), default: atoms(usd(2100)) } },
    given: [limit(alice, buy, 10, 99)],
    when: limit(alice, buy, 11, 99),
    refusedBy: ['assetExposure'],
    expected: {
      assetExposure: { currentAtoms: usd(2049.5), afterAtoms: usd(2103.95), limitAtoms: usd(2100) },
    },
  },
  {
    name: 'what only reduces passes although the limit is breached',
    limits: {
      maxExposure: atoms(usd(100)),
      maxExposurePerAsset: { bySymbol: new Map(), default: atoms(usd(50)) },
    },
    when: limit(alice, sell, 100, 100),
    refusedBy: [],
  },
  {
    name: 'what would increase does not',
    limits: { maxExposure: atoms(usd(100)) },
    when: limit(alice, buy, 1, 100),
    refusedBy: ['exposure'],
    expected: { exposure: { currentAtoms: usd(2000), afterAtoms: usd(2005), limitAtoms: usd(100) } },
  },
  {
    name: 'the leverage of a margin account bounds its exposure and what it can spend',
    when: limit(carol, buy, 200, 151),
    refusedBy: ['exposure', 'availableBalance'],
    expected: {
      exposure: { currentAtoms: 0, afterAtoms: usd(1510), limitAtoms: usd(1500) },
      availableBalance: { requiredAtoms: usd(1511.51), availableAtoms: usd(1500) },
    },
  },
  {
    name: 'a margin account sells short what its leverage leaves',
    when: limit(carol, sell, 200, 150),
    refusedBy: [],
  },
  {
    name: 'and not a step more',
    given: [limit(carol, sell, 199, 150)],
    when: limit(carol, sell, 2, 150),
    refusedBy: ['exposure', 'availableBalance'],
    expected: { exposure: { currentAtoms: usd(1492.5), afterAtoms: usd(1507.5), limitAtoms: usd(1500) } },
  },
  {
    name: 'open sells of a margin account take nothing from what it may buy, as in the exposure',
    given: [limit(carol, sell, 200, 150)],
    when: limit(carol, buy, 190, 140),
    refusedBy: [],
  },
  {
    name: 'but other buys do',
    given: [limit(carol, sell, 200, 150), limit(carol, buy, 190, 140)],
    when: limit(carol, buy, 25, 140),
    refusedBy: ['exposure', 'availableBalance'],
    expected: { availableBalance: { requiredAtoms: usd(175.175), availableAtoms: usd(170) } },
  },
  {
    name: 'the volume of a day counts the fills and the candidate',
    limits: { maxDailyVolume: atoms(usd(9)) },
    given: [limit(alice, sell, 1, 100), limit(bob, buy, 1, 100)],
    when: limit(alice, sell, 1, 100),
    refusedBy: ['dailyVolume'],
    expected: { dailyVolume: { currentAtoms: usd(5), afterAtoms: usd(10), limitAtoms: usd(9) } },
  },
  {
    name: 'a market order is valued at its walk, the rest at the last level',
    limits: { maxOrderValue: atoms(usd(15)) },
    given: [limit(bob, sell, 1, 100), limit(bob, sell, 1, 104)],
    when: market(alice, buy, 3),
    refusedBy: ['orderValue'],
    expected: { orderValue: { valueAtoms: usd(15.4) } },
  },
  {
    name: 'an amendment is judged with its old self away',
    limits: { maxExposure: atoms(usd(2055)) },
    given: [limit(alice, buy, 10, 99)],
    when: amend(alice, 0, 11, null),
    refusedBy: [],
  },
  {
    name: 'the volume of a quote is that of both its sides',
    limits: { maxDailyVolume: atoms(usd(14)) },
    when: quote(alice, [98, 1], [102, 2]),
    refusedBy: ['dailyVolume'],
    expected: { dailyVolume: { currentAtoms: 0, afterAtoms: usd(15.1) } },
  },
]

describe.each(subjects)('%s', (_name, open) => {
  test.each(rows)('$name', ({ limits, given, when, refusedBy, expected }) => {
    const venue = open(tableConfig(limits ?? {}))
    for (const command of given ?? []) expect(venue.execute(command).ok).toBe(true)
    const outcome = venue.execute(when)
    if (refusedBy.length === 0) {
      expect(outcome.ok).toBe(true)
      return
    }
    if (outcome.ok || outcome.rejection.code !== 'risk')
      throw new Error(`Not a risk: ${JSON.stringify(outcome)}`)
    const { checks } = outcome.rejection.assessment
    expect(
      Object.entries(checks)
        .filter(([, check]) => !check.passed)
        .map(([check]) => check),
    ).toEqual(refusedBy)
    expect(checks).toMatchObject(expected ?? {})
  })
})

function tableConfig(limits: Partial<LimitsConfig>): VenueConfig {
  const config = crowdedConfig({})
  const wealth = [
    new Map([
      ['USD', atoms(usd(2000))],
      ['BTC', atoms(4_000_000_000)],
    ]),
    new Map([
      ['USD', atoms(usd(2000))],
      ['BTC', atoms(4_000_000_000)],
    ]),
    new Map([['USD', atoms(usd(500))]]),
  ]
  const accounts = config.accounts.map((account, place): AccountConfig => {
    const maxLeverage = partsPerMillion(account.type === 'margin' ? 3_000_000 : 1_000_000)
    return {
      ...account,
      balances: wealth[place] ?? account.balances,
      limits: { ...wideLimits, maxLeverage, ...limits },
    }
  })
  return { ...config, accounts }
}
