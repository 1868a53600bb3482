import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Side } from '../../src/engine/codes.ts'
import type { Command } from '../../src/engine/command.ts'
import type { AccountConfig, VenueConfig } from '../../src/engine/config.ts'
import type { LimitsConfig } from '../../src/engine/limits.ts'
import { atoms, priceTicks, quantitySteps } from '../../src/numeric/units.ts'
import { crowdedConfig, sampledChoices } from '../arbitraries/configs.ts'
import type { EngineSubject } from '../model/engine-subject.ts'
import type { RecordedEvent } from '../model/recorded-event.ts'
import { caseBudget } from '../support/full-run.ts'
import { opened, recordedCommands } from './whole-run.ts'

/*
 * I54: pairs of runs whose inputs differ in a way whose effect on the output is known without knowing the engine.
 */

const choices = sampledChoices(41, 6)

test.each(choices)('renaming assets and accounts changes nothing, world $index', ({ index, ...choice }) => {
  const { config, commands } = recordedCommands(choice, 41_000 + index, caseBudget(250))
  const plain = played(config, commands)
  const renamed = played(renamedConfig(config), commands.map(renamedCommand))
  expect(renamed.events).toEqual(plain.events)
})

test.each(choices)(
  'the order of assets in the configuration does not affect trades, world $index',
  ({ index, ...choice }) => {
    const { config, commands } = recordedCommands(choice, 42_000 + index, caseBudget(250))
    const plain = played(config, commands)
    const turned = played(
      reversedAssets(config),
      commands.map((command) => withAsset(command, reversedRow)),
    )
    for (const asset of [1, 2, 3])
      expect(pricesOf(turned, reversedRow(asset))).toEqual(pricesOf(plain, asset))
  },
)

test('buys and sells mirrored at reflected prices fill alike', () => {
  const config = wealthyConfig()
  const commands = placements(config, 43, 400)
  const plain = played(config, commands)
  const mirrored = played(config, commands.map(mirror))
  const back = tradesOf(mirrored.events).map((trade) => ({
    ...trade,
    first: 200 - trade.first,
    third: 1 - trade.third,
  }))
  expect(back).toEqual(tradesOf(plain.events))
  expect(back.length).toBeGreaterThan(100)
})

test('twice the quantities fill twice as much', () => {
  const config = wealthyConfig()
  const commands = placements(config, 44, 400)
  const plain = played(config, commands)
  const doubled = played(config, commands.map(doubleUp))
  const halved = tradesOf(doubled.events).map((trade) => ({ ...trade, second: trade.second / 2 }))
  expect(halved).toEqual(tradesOf(plain.events))
})

test('commands on different assets commute', () => {
  const config = wealthyConfig()
  const bitcoin = placements(config, 45, 120).map((command) => withAsset(command, () => 1))
  const ether = placements(config, 46, 120).map((command) => withAsset(command, () => 2))
  const oneByOne = played(config, [...bitcoin, ...ether])
  const woven = played(
    config,
    bitcoin.flatMap((command, place) => [ether[place] ?? command, command]),
  )
  for (const asset of [1, 2]) expect(pricesOf(woven, asset)).toEqual(pricesOf(oneByOne, asset))
})

function played(config: VenueConfig, commands: readonly Command[]): EngineSubject {
  const venue = opened(config)
  for (const command of commands) venue.execute(command)
  return venue
}

function tradesOf(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  return events.filter(({ name }) => name === 'trade')
}

/** Trades of one asset without the rows of orders, which depend on what happens elsewhere. */
function pricesOf(venue: EngineSubject, asset: number): readonly (readonly number[])[] {
  return tradesOf(venue.events)
    .filter((trade) => trade.asset === asset)
    .map((trade) => [trade.first, trade.second, trade.third])
}

const rename = (symbol: string) => (symbol === 'USD' ? symbol : `X${[...symbol].toReversed().join('')}`)

function renamedKeys<Value>(map: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> {
  return new Map([...map].map(([symbol, value]) => [rename(symbol), value]))
}

function renamedLimits(limits: LimitsConfig): LimitsConfig {
  const { maxOrderSize, minOrderSize, maxExposurePerAsset } = limits
  return {
    ...limits,
    maxOrderSize: { ...maxOrderSize, bySymbol: renamedKeys(maxOrderSize.bySymbol) },
    minOrderSize: { ...minOrderSize, bySymbol: renamedKeys(minOrderSize.bySymbol) },
    maxExposurePerAsset: { ...maxExposurePerAsset, bySymbol: renamedKeys(maxExposurePerAsset.bySymbol) },
  }
}

function renamedAccount(account: AccountConfig): AccountConfig {
  return {
    ...account,
    id: [...account.id].toReversed().join(''),
    balances: renamedKeys(account.balances),
    averageEntryPrices: renamedKeys(account.averageEntryPrices),
    limits: renamedLimits(account.limits),
  }
}

function renamedCommand(command: Command): Command {
  if (command.kind === 'set-limits') return { ...command, limits: renamedLimits(command.limits) }
  return command.kind === 'create-account'
    ? { ...command, account: renamedAccount(command.account) }
    : command
}

function renamedConfig(config: VenueConfig): VenueConfig {
  return {
    ...config,
    assets: config.assets.map((asset) => ({ ...asset, symbol: rename(asset.symbol) })),
    market: {
      ...config.market,
      assets: config.market.assets.map((asset) => ({ ...asset, symbol: rename(asset.symbol) })),
    },
    accounts: config.accounts.map(renamedAccount),
  }
}

function reversedRow(asset: number): number {
  return asset >= 1 && asset <= 3 ? 4 - asset : asset
}

function reversedAssets(config: VenueConfig): VenueConfig {
  const [usd, ...traded] = config.assets
  if (usd === undefined) return config
  return {
    ...config,
    assets: [usd, ...traded.toReversed()],
    market: { ...config.market, assets: config.market.assets.toReversed() },
  }
}

function withAsset(command: Command, rowOf: (asset: number) => number): Command {
  if (command.kind === 'place-orders') {
    return {
      ...command,
      placements: command.placements.map((item) => ({ ...item, asset: rowOf(item.asset) })),
    }
  }
  if (!('asset' in command) || command.asset === null) return command
  return { ...command, asset: rowOf(command.asset) }
}

/** Accounts that can pay for anything, without fees. */
function wealthyConfig(): VenueConfig {
  const config = crowdedConfig({ makerRate: 0, takerRate: 0, selfTrade: 'allow' })
  const wealth = new Map([
    ['USD', atoms(1_000_000_000_000)],
    ['BTC', atoms(1_000_000_000_000)],
    ['ETH', atoms(1_000_000_000)],
  ])
  return { ...config, accounts: config.accounts.map((account) => ({ ...account, balances: wealth })) }
}

function placements(config: VenueConfig, seed: number, count: number): readonly Command[] {
  const drawn = fc.sample(
    fc.record({
      account: fc.constantFrom(3, 6),
      side: fc.constantFrom<Side>(0, 1),
      quantitySteps: fc.integer({ min: 1, max: 5 }),
      priceTicks: fc.integer({ min: 97, max: 103 }),
      timeInForce: fc.constantFrom<0 | 1 | 2>(0, 0, 1, 2),
    }),
    { seed, numRuns: count },
  )
  return drawn.map((order) => ({
    kind: 'place-order',
    at: config.startMillis,
    asset: 1,
    type: 0,
    clientOrderId: null,
    allowsDuplicateId: false,
    keepsRefused: false,
    metadata: null,
    account: order.account,
    side: order.side,
    timeInForce: order.timeInForce,
    quantitySteps: quantitySteps(order.quantitySteps),
    priceTicks: priceTicks(order.priceTicks),
  }))
}

function mirror(command: Command): Command {
  if (command.kind !== 'place-order') return command
  const side: Side = command.side === 0 ? 1 : 0
  return { ...command, side, priceTicks: priceTicks(200 - command.priceTicks) }
}

function doubleUp(command: Command): Command {
  if (command.kind !== 'place-order') return command
  return { ...command, quantitySteps: quantitySteps(2 * command.quantitySteps) }
}
