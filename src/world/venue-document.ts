import { formatId, priceNumber, quantityNumber, usdNumber } from '../api/answer.ts'
import { isServed } from '../api/dispatch.ts'
import { queryUnder } from '../api/input/query-string.ts'
import { bodyExamples, type ExampleWorld, parameterExample } from '../api/openapi/examples.ts'
import { documentedOperations, openApi, type RecordedAnswers } from '../api/openapi/openapi.ts'
import { type OpenApiVersion, toOpenApiVersion } from '../api/openapi/openapi-30.ts'
import type { RecordedAnswer } from '../api/openapi/responses.ts'
import { type OperationId, routeOf } from '../api/operations/operations.ts'
import type { Readings } from '../api/readings/readings.ts'
import { cash, firstClientAccount } from '../engine/codes.ts'
import { millisToIso } from '../numeric/time-text.ts'
import type { CompiledScenario } from '../scenario/compile/compiled.ts'
import { createWorld, type World } from './world.ts'

export interface DocumentedVenue {
  readonly version: string
  readonly url: string
  readonly scenario: CompiledScenario
  readonly seed: string
  readonly readings: Readings
}

/**
 * Builds the OpenAPI document of a venue. The examples of requests are sent to a new world with the venue's scenario,
 * seed and readings, and its answers become the examples of responses. So the examples are real, and the document is
 * the same each time.
 */
export function buildVenueDocument(venue: DocumentedVenue, version: OpenApiVersion) {
  const { scenario, seed, readings } = venue
  const world = createWorld(scenario, { seed, readings, clock: { mode: 'manual' } })
  const about = createExampleContext(world)
  const recorded = about === null ? undefined : recordAnswers(world, about)
  const document = openApi({
    version: venue.version,
    servers: [venue.url],
    readings,
    ...(about === null ? {} : { world: about }),
    ...(recorded === undefined ? {} : { recorded }),
  })
  return toOpenApiVersion(version, document)
}

/** Chooses what the examples of a world's document name. Returns null for a world without accounts or traded assets. */
export function createExampleContext(world: World): ExampleWorld | null {
  const { assets, accounts, orders, quotes, config } = world.venue.state
  const first = cash + 1
  if (config.assets.length <= first || accounts.ids.length <= firstClientAccount) return null
  const other = config.assets.length > first + 1 ? first + 1 : first
  const { bid, ask, quantity } = chooseTerms(world, first)
  const terms = chooseTerms(world, other)
  const ids = world.idScheme
  return {
    asset: assets.symbol(first),
    otherAsset: assets.symbol(other),
    bid,
    ask,
    quantity,
    otherBid: terms.bid,
    otherAsk: terms.ask,
    otherQuantity: terms.quantity,
    orderId: formatId(ids, 'order', orders.count),
    filledOrderId: formatId(ids, 'order', orders.count + 1),
    quoteId: formatId(ids, 'quote', quotes.count),
    date: millisToIso(world.now).slice(0, 10),
  }
}

/**
 * Chooses an asset's terms for examples: round prices at least a tenth away from the market, and a small quantity that
 * meets the minimum notional at them.
 */
function chooseTerms({ venue }: World, asset: number) {
  const { assets, markTicks } = venue.state
  const { pair } = assets.tradedAsset(asset)
  const mark = markTicks.get(asset)
  const bidTicks = Math.max(pair.minPriceTicks, roundTicks(mark * 0.9, Math.floor))
  const bid = priceNumber(pair, bidTicks)
  const stepValue = bid * quantityNumber(pair, 1)
  const worthSteps = Math.ceil((2 * usdNumber(pair.minNotionalAtoms)) / stepValue)
  const steps = Math.min(Math.max(pair.minQuantitySteps * 10, worthSteps), pair.maxQuantitySteps)
  return {
    bid,
    ask: priceNumber(pair, Math.max(bidTicks + 1, roundTicks(mark * 1.1, Math.ceil))),
    quantity: quantityNumber(pair, steps),
  }
}

/** Rounds a price in ticks to two significant digits. */
function roundTicks(ticks: number, round: (number: number) => number): number {
  let unit = 1
  while (ticks >= unit * 100) unit *= 10
  return round(ticks / unit) * unit
}

function recordAnswers(world: World, about: ExampleWorld): RecordedAnswers {
  return new Map(
    documentedOperations
      .filter((id) => isServed(id, world.readings))
      .map((id) => [id, sendExamples(world, id, about)]),
  )
}

/** Sends all examples of an operation to a world, and returns the answer to the first. */
function sendExamples(world: World, operation: OperationId, about: ExampleWorld): RecordedAnswer {
  const { path, query } = routeOf(operation)
  const { properties } = queryUnder(query, world.readings)
  const name = /:(\w+)/.exec(path)?.[1]
  const parameter = name === undefined ? '' : String(parameterExample(operation, name, about))
  const asked = Object.keys(properties).map(
    (each) => `${each}=${encodeURIComponent(parameterExample(operation, each, about))}`,
  )
  const bodies = Object.values(bodyExamples(operation, about)).map((body) => JSON.stringify(body))
  const answers = (bodies.length === 0 ? [''] : bodies).map((body) =>
    world.answer(firstClientAccount, { operation, parameter, query: asked.join('&'), body }, world.readings),
  )
  const [{ status, body } = { status: 0, body: {} }] = answers
  return { status, body: JSON.parse(JSON.stringify(body)) }
}
