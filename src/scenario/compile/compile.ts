import { nearestWord } from '../../api/nearest-word.ts'
import { presetKey } from '../../api/readings/presets.ts'
import {
  findPreset,
  isReadingKey,
  readingKeys,
  readingsIn,
  resolveReadings,
  valuesOf,
} from '../../api/readings/readings.ts'
import { firstClientAccount, selfTradeModes } from '../../engine/codes.ts'
import type { AssetConfig, VenueConfig } from '../../engine/config.ts'
import { marketProblem } from '../../market/check-market.ts'
import type { MarketSpec } from '../../market/market-spec.ts'
import type { Candle } from '../../market/recordings/candle.ts'
import { millis } from '../../numeric/units.ts'
import { figureGroups, figureNames } from '../predicates/run-figures.ts'
import {
  booleanOr,
  complain,
  complainOfUnknown,
  complainOfUnknownKeys,
  entriesOf,
  type Field,
  fieldOf,
  itemsOf,
  keyPlaceOf,
  numberOr,
  requiredField,
  rootField,
  scalarOf,
  textOf,
  textOr,
  wordOr,
} from '../read/fields.ts'
import type { LoadOptions } from '../read/load-options.ts'
import { failure, problemAt, type Result, success } from '../read/problem.ts'
import { sourceOf } from '../read/source.ts'
import type { Tree } from '../read/tree.ts'
import type { RecordedSwitches } from './action-scope.ts'
import { compileAccounts, compileFees } from './compile-accounts.ts'
import { compileAgents } from './compile-agents.ts'
import { type CompiledClock, compileClock } from './compile-clock.ts'
import { compileCorrelation } from './compile-correlation.ts'
import { compileExpectations } from './compile-expectations.ts'
import { ratesOf } from './compile-flow.ts'
import { compileAsset, type Recordings } from './compile-market.ts'
import { compileTimeline } from './compile-timeline.ts'
import type { AccountAccess, CompiledScenario, RateLimits, ReportWishes } from './compiled.ts'
import { complainOfMarket } from './market-flaw.ts'
import { kindOfModel, readRecordings } from './read-recordings.ts'
import { type StartPrice, startPrices } from './start-prices.ts'

const cashAsset: AssetConfig = { symbol: 'USD', scale: 6, pair: null, liquidity: { kind: 'none' } }

/** What a world is made of, from a valid tree. Problems are those that only the values show. */
export function compile(
  tree: Tree,
  file: string,
  options: LoadOptions,
  variant: string,
): Result<CompiledScenario> {
  const root = rootField(tree)
  const { problems } = root
  const asRead = new Map<string, readonly Candle[]>()
  const market = requiredField(root, 'market')
  const recordings = readRecordings(entriesOf(requiredField(market, 'assets')), options, asRead)
  // If the recording is missing, everything that starts with it would look wrong too.
  if (problems.length > 0) return failure(problems)
  const seed = options.seed ?? textOr(fieldOf(root, 'seed'), '1')
  const clock = compileClock(fieldOf(root, 'clock'), recordingsReplayed(root, recordings))
  // Without a clock every moment would look wrong, too.
  if (problems.length > 0) return failure(problems)
  const { venue, access } = compileVenue(root, seed, clock, recordings)
  const recorded: RecordedSwitches = { options, asRead, byAsset: new Map() }
  const story = compileStory(root, venue, clock.clock, access, recorded)
  const readings = compileReadings(fieldOf(root, 'readings'))
  const report = compileReport(fieldOf(root, 'report'))
  if (problems.length > 0) return failure(problems)
  return success({
    name: textOf(requiredField(root, 'name')),
    description: textOr(fieldOf(root, 'description'), ''),
    file,
    venue: withRecordings(venue, recorded),
    clock: clock.clock,
    access,
    rateLimits: compileRateLimits(fieldOf(root, 'rateLimits')),
    readings,
    ...story,
    report,
    variant,
    source: sourceOf(tree, asRead),
  })
}

/** What the venue is made of, and who may use it. */
function compileVenue(
  root: Field,
  seed: string,
  { startMillis, gridMillis }: CompiledClock,
  recordings: Recordings,
): Pick<CompiledScenario, 'venue' | 'access'> {
  const market = requiredField(root, 'market')
  const assetFields = entriesOf(requiredField(market, 'assets'))
  const rated = [...assetFields.map(([symbol]) => symbol), 'default']
  for (const field of [market, ...assetFields.map(([, asset]) => asset)])
    complainOfUnknownKeys(ratesOf(fieldOf(field, 'flow')), 'asset', rated)
  const compiled = assetFields.map(([symbol, field]) => {
    if (symbol === 'USD') complain(field, 'USD is the cash that all assets trade against')
    return compileAsset(symbol, field, market, startMillis, recordings)
  })
  const symbols = compiled.map((asset) => asset.market.symbol)
  const correlation = compileCorrelation(fieldOf(market, 'correlation'), symbols)
  const marketSpec: MarketSpec = {
    seed,
    startMillis,
    gridMillis,
    assets: compiled.map((asset) => asset.market),
    ...(correlation === undefined ? {} : { correlation }),
  }
  checkMarket(marketSpec, assetFields)
  const assets = [cashAsset, ...compiled.map((asset) => asset.config)]
  const prices = root.problems.length > 0 ? new Map<string, StartPrice>() : startPrices(marketSpec)
  const fees = compileFees(fieldOf(root, 'fees'))
  const { configs, access } = compileAccounts(root, assets, prices, fees)
  const selfTrade = wordOr(fieldOf(root, 'selfTrade'), selfTradeModes, 'cancel_taker')
  const venue = {
    seed,
    startMillis,
    gridMillis,
    assets,
    fees,
    selfTrade,
    accounts: configs,
    market: marketSpec,
  }
  return { venue, access }
}

/** The recordings that prices follow, which say when the clock may start and end. */
function recordingsReplayed(root: Field, recordings: Recordings): Recordings {
  const assets = new Map(entriesOf(requiredField(requiredField(root, 'market'), 'assets')))
  const follows = (symbol: string): boolean => {
    const asset = assets.get(symbol)
    return asset !== undefined && kindOfModel(asset) === 'replay'
  }
  return new Map([...recordings].filter(([symbol]) => follows(symbol)))
}

/** What happens in it, and what must then hold. */
function compileStory(
  root: Field,
  { assets, startMillis, market }: VenueConfig,
  { endMillis }: CompiledScenario['clock'],
  access: readonly AccountAccess[],
  recorded: RecordedSwitches,
): Pick<CompiledScenario, 'timeline' | 'agents' | 'expectations' | 'pinned'> {
  const ids = [...access.map(({ id }) => id), ...(recorded.options.laterAccounts ?? [])]
  const accounts = new Map(ids.map((id, index) => [id, firstClientAccount + index]))
  const agents = compileAgents(fieldOf(root, 'agents'), { assets, accounts, startMillis })
  const scope = {
    assets,
    models: [{ kind: 'constant' } as const, ...market.assets.map((asset) => asset.model)],
    recorded,
    accounts,
    apiKeys: apiKeysOf(access),
    agents: new Map(agents.map(({ id, kind }) => [id, kind])),
    metrics: figureNames,
    startMillis,
    endMillis,
  }
  const { entries, labels, names } = compileTimeline(fieldOf(root, 'timeline'), scope)
  const moments = { startMillis, endMillis, labels }
  const expect = fieldOf(root, 'expect')
  const { expectations, pinned } = compileExpectations(expect, entries, names, moments)
  return { timeline: entries, agents, expectations, pinned }
}

/** Recordings that the timeline switches to are part of the market. */
function withRecordings(venue: VenueConfig, { byAsset }: RecordedSwitches): VenueConfig {
  const assets = venue.market.assets.map((asset, index) => {
    const recordings = [...(byAsset.get(index + 1)?.values() ?? [])]
    return recordings.length === 0 ? asset : { ...asset, recordings }
  })
  return byAsset.size === 0 ? venue : { ...venue, market: { ...venue.market, assets } }
}

const apiKeysOf = (access: readonly AccountAccess[]): ReadonlySet<string> =>
  new Set(access.flatMap(({ keys }) => keys.flatMap(({ apiKey }) => apiKey ?? [])))

function compileReport(field: Field | null): ReportWishes {
  const metrics = itemsOf(fieldOf(field, 'metrics'))
  for (const metric of metrics) {
    if (figureNames.has(textOf(metric)) || figureGroups.has(textOf(metric))) continue
    complainOfUnknown(metric, 'figure', [...figureNames, ...figureGroups.keys()])
  }
  const names = metrics.flatMap((metric) => figureGroups.get(textOf(metric)) ?? [textOf(metric)])
  return { metrics: names, hasCharts: booleanOr(fieldOf(field, 'charts'), false) }
}

/** Unless stated, 30 market-data and 10 other requests a second. Spec: Limits. */
function compileRateLimits(field: Field | null): RateLimits {
  return {
    isEnabled: booleanOr(fieldOf(field, 'enabled'), true),
    marketData: numberOr(fieldOf(field, 'marketData'), 30),
    other: numberOr(fieldOf(field, 'other'), 10),
    windowMillis: millis(numberOr(fieldOf(field, 'windowMs'), 1000)),
  }
}

/** Problems that the market's own check finds and that were not found before. */
function checkMarket(spec: MarketSpec, assets: readonly (readonly [string, Field])[]): void {
  if (assets.some(([, { problems }]) => problems.length > 0)) return
  const found = marketProblem(spec)
  if (found === null) return
  const asset = assets.find(([symbol]) => symbol === found.symbol)?.[1]
  if (asset !== undefined) complainOfMarket(asset, found)
}

const nearestReading = (key: string, value: string): string | null =>
  isReadingKey(key) ? nearestWord(value, valuesOf(key)) : nearestWord(key, [...readingKeys, presetKey])

/** Values as text; a number is taken as it is written. Those of a preset are under the single ones. */
function compileReadings(field: Field | null): ReadonlyMap<string, string> {
  if (field?.tree.kind === 'scalar') return compilePreset(field)
  const readings = compilePreset(fieldOf(field, presetKey))
  for (const [key, value] of entriesOf(field)) {
    if (key === presetKey) continue
    const text = String(scalarOf(value).value)
    const resolved = resolveReadings({ [key]: text })
    if (resolved.ok) readings.set(key, text)
    else {
      const place = field === null || isReadingKey(key) ? value.tree.place : keyPlaceOf(field, key)
      value.problems.push(problemAt(place, value.path, resolved.flaw.reason, nearestReading(key, text)))
    }
  }
  return readings
}

function compilePreset(field: Field | null): Map<string, string> {
  if (field === null) return new Map()
  const preset = findPreset(textOf(field))
  if (preset.ok) return new Map(Object.entries(readingsIn(preset.value)))
  complain(field, preset.flaw.reason)
  return new Map()
}
