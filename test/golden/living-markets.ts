import type { Command } from '../../src/engine/command.ts'
import { firstClientAccount } from '../../src/engine/codes.ts'
import type { VenueConfig } from '../../src/engine/config.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import type { ModelSpec } from '../../src/market/models/price-models.ts'
import { millis, priceTicks, quantitySteps } from '../../src/numeric/units.ts'
import { everyModel } from '../market/models/every-model.ts'
import { startMillis } from '../market/market-of.ts'

/* Worlds with a complete market, every part of which affects the digests. */

interface Run {
  readonly config: VenueConfig
  readonly commands: readonly Command[]
}

const hourMillis = 3_600_000

/** A day of the default market in five assets, with ladders, takers and impact, and a maker who quotes every hour. */
export function marketDay(): Run {
  const config = configOf(`
    BTC: {price: 95000}
    ETH: {price: 3300}
    SOL: {price: 190}
    XRP: {price: 2.4}
    DOGE: {price: 0.32}`)
  const commands: Command[] = []
  for (let hour = 0; hour < 24; hour += 1) {
    commands.push(quoteAt(startMillis + hour * hourMillis), { kind: 'advance', at: millis(startMillis + (hour + 1) * hourMillis) })
  }
  return { config, commands }
}

/** An hour of one asset for each of the other stochastic models. */
export function modelHour(): Run {
  const config = configOf(`
    AAA: {price: 50000, model: {kind: gbm}}`)
  const { merton, heston, garch, regimes, hawkes, bootstrap } = everyModel
  const models: readonly ModelSpec[] = [merton, heston, garch, regimes, hawkes, bootstrap]
  const [asset] = config.assets.slice(1)
  const [market] = config.market.assets
  if (asset === undefined || market === undefined) throw new Error('The scenario has an asset')
  const symbols = models.map(({ kind }) => kind.toUpperCase())
  const all = [...symbols, asset.symbol]
  return {
    config: {
      ...config,
      assets: [...config.assets, ...symbols.map((symbol) => ({ ...asset, symbol }))],
      market: {
        ...config.market,
        assets: [
          market,
          ...models.map((model, place) => ({ ...market, symbol: symbols[place] ?? '', model })),
        ],
        correlation: {
          symbols: all,
          matrix: all.map((left) => all.map((right) => (left === right ? 1 : 0.5))),
        },
      },
    },
    commands: Array.from({ length: 12 }, (_, part) => ({
      kind: 'advance',
      at: millis(startMillis + (part + 1) * 300_000),
    })),
  }
}

function configOf(assets: string): VenueConfig {
  const loaded = loadScenario(
    `version: 1\nname: golden\nseed: "7"\nclock: {start: 2026-01-05T00:00:00Z}\nmarket:\n  assets:${assets}\n`,
    'golden.yaml',
    {},
  )
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  return loaded.value.venue
}

/** A quote near enough to the first price that takers reach it when the market does. */
function quoteAt(at: number): Command {
  return {
    kind: 'submit-quote',
    at: millis(at),
    account: firstClientAccount,
    asset: 1,
    bidPriceTicks: priceTicks(9_450_000),
    askPriceTicks: priceTicks(9_550_000),
    bidSteps: quantitySteps(2_000),
    askSteps: quantitySteps(2_000),
    validForMillis: millis(300_000),
    clientQuoteId: null,
    allowsDuplicateId: false,
    metadata: null,
  }
}
