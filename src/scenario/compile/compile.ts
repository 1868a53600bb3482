import { nearestWord } from '../../api/nearest-word.ts'
import {
  findPreset,
  isReadingKey,
  listValues,
  presetKey,
  readingKeys,
  readingValues,
  resolveReadings,
} from '../../api/readings/readings.ts'
import { firstClientAccount, selfTradeModes } from '../../engine/codes.ts'
import type { AssetConfig, VenueConfig } from '../../engine/config.ts'
import { checkMarketSpec } from '../../market/check-market.ts'
import type { MarketSpec } from '../../market/market-spec.ts'
import { assert } from '../../numeric/assert.ts'
import { readStated } from '../../shape/in-file.ts'
import type { Shape } from '../../shape/shape.ts'
import type { RecordedModelChanges } from '../actions/action.ts'
import { compileAgents } from '../agents/compile-agents.ts'
import {
  addMistake,
  addUnknownMistake,
  booleanOr,
  checkKnownKeys,
  childField,
  type Field,
  isReadable,
  keyPlaceOf,
  listEntries,
  listItems,
  requiredField,
  rootField,
  statedScalar,
  statedText,
  textOr,
  wordOr,
} from '../file/fields.ts'
import {
  addMarketMistake,
  type Recordings,
  readModelKind,
  readRecordings,
  recordedKinds,
  toPlainObject,
} from '../file/market-words.ts'
import { type Mistakes, mistakeAt } from '../file/mistake.ts'
import { coverBook, readBooks } from '../file/read-books.ts'
import { hasRecordedBook, type RecordedBooks } from '../file/recorded-books.ts'
import { mapping } from '../file/schema-words.ts'
import { type LoadOptions, type ReadFiles, toSource } from '../file/source.ts'
import { child, findNamesInBroken, isWhole, type Tree } from '../file/tree.ts'
import { figureGroups, figures } from '../predicates/run-figures.ts'
import { compileAccounts, compileFees, computeStartPrices } from './compile-accounts.ts'
import { type CompiledClock, compileClock } from './compile-clock.ts'
import { compileExpectations } from './compile-expectations.ts'
import { type CompiledAsset, compileAsset, compileCorrelation, flowRatesOf } from './compile-market.ts'
import { compileTimeline } from './compile-timeline.ts'
import {
  type AccountAccess,
  type CompiledScenario,
  type RateLimits,
  type ReportOptions,
  rateLimits,
} from './compiled.ts'

const cashAsset: AssetConfig = { symbol: 'USD', scale: 6, pair: null, liquidity: { kind: 'none' } }

/**
 * Compiles a tree that the schema allows to what a world is made of. The mistakes added here are those that only
 * values show. After a mistake, the result is only good for finding more of them.
 */
export function compile(
  tree: Tree,
  file: string,
  options: LoadOptions,
  variant: string,
  mistakes: Mistakes,
): CompiledScenario {
  const root = rootField(tree, mistakes)
  markUncertainNames(root)
  const asRead: ReadFiles = { candles: new Map(), books: new Map(), notes: [] }
  const market = requiredField(root, 'market')
  const assetFields = listEntries(requiredField(market, 'assets'))
  const candles = readRecordings(assetFields, options, asRead)
  const books = readBooks(assetFields, market, options, asRead)
  const recordings = new Map([
    ...candles,
    ...[...books].map(([symbol, read]) => [symbol, coverBook(read)] as const),
  ])
  const seed = options.seed ?? textOr(childField(root, 'seed'), '1')
  const clock = compileClock(childField(root, 'clock'), selectReplayedRecordings(root, recordings))
  const { venue, access, knownVenue } = compileVenue(root, seed, clock, recordings, books)
  const recorded: RecordedModelChanges = { options, asRead, byAsset: new Map() }
  const story = compileStory(root, knownVenue, clock.clock, access, recorded)
  return {
    name: statedText(requiredField(root, 'name')),
    description: textOr(childField(root, 'description'), ''),
    file,
    venue: withRecordings(venue, recorded),
    clock: clock.clock,
    access,
    rateLimits: compileRateLimits(childField(root, 'rateLimits')),
    readings: compileReadings(childField(root, 'readings')),
    ...story,
    report: compileReport(childField(root, 'report')),
    variant,
    filesRead: asRead.notes,
    source: toSource(tree, asRead),
  }
}

/** Marks the names that unreadable parts may declare as uncertain, so that they are not reported as unknown later. */
function markUncertainNames({ tree, mistakes: problems }: Field): void {
  if (problems.count === 0) return
  const { given, misspelt } = findNamesInBroken(tree)
  problems.markUncertain(given, misspelt)
  const market = child(tree, 'market')
  const assets = market === null ? null : child(market, 'assets')
  const lists = ['accounts', 'agents', 'timeline'].map((key) => child(tree, key))
  if (assets?.kind !== 'mapping' || lists.some((part) => part?.kind === 'broken')) problems.markAllUncertain()
}

/**
 * Compiles the venue's configuration and the access to it. `knownVenue` is the same venue with only the assets whose
 * steps could be read; the timeline is judged by that one.
 */
function compileVenue(
  root: Field,
  seed: string,
  { startMillis, gridMillis }: CompiledClock,
  recordings: Recordings,
  books: RecordedBooks,
) {
  const market = requiredField(root, 'market')
  const assetFields = listEntries(requiredField(market, 'assets'))
  const rated = [...assetFields.map(([symbol]) => symbol), 'default']
  for (const field of [market, ...assetFields.map(([, asset]) => asset)])
    checkKnownKeys(flowRatesOf(childField(field, 'flow')), 'asset', rated)
  const compiled = assetFields.map(([symbol, field]): PlacedAsset => {
    if (symbol === 'USD') addMistake(field, 'USD is the cash that all assets trade against')
    const before = root.mistakes.count
    const asset = compileAsset(symbol, field, market, startMillis, { recordings, books })
    const needsRecording = recordedKinds.includes(readModelKind(field)) || hasRecordedBook(field)
    const hasRecording = recordings.has(symbol) || !needsRecording
    const isSound = hasRecording && root.mistakes.count === before && isWhole(field.tree)
    return { ...asset, field, isSound }
  })
  const symbols = compiled.map((asset) => asset.market.symbol)
  const correlation = compileCorrelation(childField(market, 'correlation'), symbols)
  const marketSpec: MarketSpec = {
    seed,
    startMillis,
    gridMillis,
    assets: compiled.map((asset) => asset.market),
    ...(correlation === undefined ? {} : { correlation }),
  }
  const soundSpec = checkMarket(marketSpec, compiled)
  const assets = [cashAsset, ...compiled.map((asset) => asset.config)]
  const fees = compileFees(childField(root, 'fees'))
  const { configs, access } = compileAccounts(root, assets, computeStartPrices(soundSpec), fees)
  const selfTrade = wordOr(childField(root, 'selfTrade'), selfTradeModes, 'cancel_taker')
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
  return { venue, access, knownVenue: withKnownSteps(venue, compiled) }
}

interface PlacedAsset extends CompiledAsset {
  readonly field: Field
  readonly isSound: boolean
}

/** Returns the venue with only the assets whose steps are known, and marks the names of the others as uncertain. */
function withKnownSteps(venue: VenueConfig, compiled: readonly PlacedAsset[]): VenueConfig {
  const known = compiled.filter(({ areStepsKnown }) => areStepsKnown)
  if (known.length === compiled.length) return venue
  for (const { market, field, areStepsKnown } of compiled)
    if (!areStepsKnown) field.mistakes.markUncertain([market.symbol])
  const market = { ...venue.market, assets: known.map((asset) => asset.market) }
  return { ...venue, assets: [cashAsset, ...known.map(({ config }) => config)], market }
}

/**
 * Returns the recordings that prices follow, which say when the clock may start and end; null when one of them cannot
 * be read.
 */
function selectReplayedRecordings(root: Field, recordings: Recordings): Recordings | null {
  const assets = listEntries(requiredField(requiredField(root, 'market'), 'assets'))
  const replayed = assets
    .filter(([, asset]) => readModelKind(asset) === 'replay' || hasRecordedBook(asset))
    .map(([symbol]) => symbol)
  if (replayed.some((symbol) => !recordings.has(symbol))) return null
  return new Map([...recordings].filter(([symbol]) => replayed.includes(symbol)))
}

/** Compiles what happens in the world, and what must then hold. */
function compileStory(
  root: Field,
  { assets, startMillis, market }: VenueConfig,
  { endMillis }: CompiledScenario['clock'],
  access: readonly AccountAccess[],
  recorded: RecordedModelChanges,
): Pick<CompiledScenario, 'timeline' | 'agents' | 'expectations' | 'unreached' | 'pinned'> {
  const ids = [...access.map(({ id }) => id), ...(recorded.options.laterAccounts ?? [])]
  const accounts = new Map(ids.map((id, index) => [id, firstClientAccount + index]))
  const agents = compileAgents(childField(root, 'agents'), { assets, accounts, startMillis })
  const scope = {
    assets,
    models: [{ kind: 'constant' } as const, ...market.assets.map((asset) => asset.model)],
    recorded,
    accounts,
    apiKeys: listApiKeys(access),
    agents: new Map(agents.map(({ id, kind }) => [id, kind])),
    isUncertain: (name: string) => root.mistakes.isUncertain(name),
    startMillis,
    endMillis,
  }
  const { entries, labels, names } = compileTimeline(childField(root, 'timeline'), scope)
  const moments = { startMillis, endMillis, labels }
  const expect = childField(root, 'expect')
  const { expectations, unreached, pinned } = compileExpectations(expect, entries, names, moments)
  return { timeline: entries, agents, expectations, unreached, pinned }
}

/** Adds the recordings that the timeline changes to, which are part of the market. */
function withRecordings(venue: VenueConfig, { byAsset }: RecordedModelChanges): VenueConfig {
  const assets = venue.market.assets.map((asset, index) => {
    const recordings = [...(byAsset.get(index + 1)?.values() ?? [])]
    return recordings.length === 0 ? asset : { ...asset, recordings }
  })
  return byAsset.size === 0 ? venue : { ...venue, market: { ...venue.market, assets } }
}

const listApiKeys = (access: readonly AccountAccess[]): ReadonlySet<string> =>
  new Set(access.flatMap(({ keys }) => keys.flatMap(({ apiKey }) => apiKey ?? [])))

function compileReport(field: Field | null): ReportOptions {
  const metrics = listItems(childField(field, 'metrics'))
  for (const metric of metrics) {
    const known = [...Object.keys(figures), ...figureGroups.keys()]
    if (!known.includes(statedText(metric))) addUnknownMistake(metric, 'figure', known)
  }
  const names = metrics.flatMap((metric) => figureGroups.get(statedText(metric)) ?? [statedText(metric)])
  return { metrics: names, hasCharts: booleanOr(childField(field, 'charts'), false) }
}

/** Compiles the rate limits. Spec: Limits. */
const compileRateLimits = (field: Field | null): RateLimits =>
  Object(readStated(rateLimits, toPlainObject(field), undefined, '', []))

/**
 * Notes problems that the market's own check finds and that were not found before. That check finds one at a time, so
 * each asset with a problem is then left out. Returns the market of the assets without problems.
 */
function checkMarket(spec: MarketSpec, compiled: readonly PlacedAsset[]): MarketSpec {
  let sound = compiled.filter(({ isSound }) => isSound)
  for (;;) {
    const isWholeMarket = sound.length === compiled.length
    const { correlation, ...uncorrelated } = spec
    const soundSpec = isWholeMarket ? spec : { ...uncorrelated, assets: sound.map(({ market }) => market) }
    const found = checkMarketSpec(soundSpec)
    if (found === null) return soundSpec
    const asset = sound.find(({ market }) => market.symbol === found.symbol)
    assert(asset !== undefined, 'the clock and the correlation have been checked')
    addMarketMistake(asset.field, found)
    sound = sound.filter((other) => other !== asset)
  }
}

const findNearestReading = (key: string, value: string): string | null =>
  isReadingKey(key) ? nearestWord(value, listValues(key)) : nearestWord(key, [...readingKeys, presetKey])

/**
 * Compiles readings to their values as text; a number is taken as it is written. Single readings override those of a
 * preset.
 */
function compileReadings(field: Field | null): ReadonlyMap<string, string> {
  if (field?.tree.kind === 'scalar') return compilePreset(field)
  const readings = compilePreset(childField(field, presetKey))
  for (const [key, value] of listEntries(field)) {
    if (key === presetKey || !isReadable(value)) continue
    const text = String(statedScalar(value).value)
    const resolved = resolveReadings({ [key]: text })
    if (resolved.ok) readings.set(key, text)
    else {
      const place = field === null || isReadingKey(key) ? value.tree.place : keyPlaceOf(field, key)
      value.mistakes.add(mistakeAt(place, value.path, resolved.problem.reason, findNearestReading(key, text)))
    }
  }
  return readings
}

function compilePreset(field: Field | null): Map<string, string> {
  if (field === null) return new Map()
  const preset = findPreset(statedText(field))
  if (preset.ok) return new Map(Object.entries(readingValues(preset.value)))
  addMistake(field, preset.problem.reason)
  return new Map()
}

export const reportSchema: Shape = mapping(
  {
    metrics: {
      type: 'array',
      maxItems: 100,
      items: { type: 'string', minLength: 1, maxLength: 64 },
      description: 'Figures of each account, by the names that `metrics[account]` has.',
    },
    charts: { type: 'boolean', description: 'Whether the HTML report draws prices, fills and equity.' },
  },
  [],
  'What the report of a run shows besides its expectations.',
)
