import type { Command } from '../../engine/command.ts'
import { type State, stateOf } from '../../engine/state.ts'
import { hasRefill, type LiquidityConditions } from '../../market/liquidity/liquidity.ts'
import type { ModelOrRecording, RecordedModelSpec } from '../../market/market-spec.ts'
import { checkModel, type ModelSpec, modelFileSchema } from '../../market/models/price-models.ts'
import { pointsFileSchema } from '../../market/models/waypoints.ts'
import { computeFundamental } from '../../market/path-override.ts'
import type { Candles } from '../../market/recordings/candle-table.ts'
import type { ScriptedPath } from '../../market/scripted-path.ts'
import { usualFigures } from '../../market/usual-figures.ts'
import { exp, log } from '../../numeric/portable-math.ts'
import {
  type Millis,
  millis,
  type PartsPerMillion,
  type PriceTicks,
  partsPerMillion,
  powerOfTen,
  priceTicks,
} from '../../numeric/units.ts'
import { flag, number, orNone, type RecordOf, record, shapeTyped, words } from '../../shape/shape.ts'
import {
  type PriceTerm,
  pairOf,
  readAsset,
  readDuration,
  readDurationOr,
  readPpm,
  readPriceTerm,
} from '../file/amounts.ts'
import {
  addMistake,
  childField,
  type Field,
  listItems,
  numberOr,
  requiredField,
  statedText,
  textOr,
} from '../file/fields.ts'
import { addMarketMistake, compileModel, readRecordings, recordedKinds } from '../file/market-words.ts'
import { hasBrokenPart, toPlain } from '../file/tree.ts'
import {
  type ActionKind,
  type ActionMoment,
  type ActionScope,
  giveCommand,
  giveCommands,
  type ResolvedAction,
  refuseAction,
  type StartedAction,
} from './action.ts'
import { computeNearestTicks, part } from './parts.ts'
import type { TimedCommands } from './timed-settings.ts'

/*
 * The action `path`: where a price goes, or how its model moves it from now on.
 */

const factor = (description: string) => number(0, 1000, description)

const pathShape = record(
  {
    asset: part('asset', 'The asset, against USD.'),
    waypoints: orNone(
      shapeTyped<unknown>({
        ...pointsFileSchema,
        description: 'Prices, or changes from the mark, at offsets from now.',
      }),
    ),
    price: orNone(part('price', 'A jump, or with "over" a walk, to this price.')),
    shock: orNone(part('price', 'Like price, but only a change from the mark.')),
    over: orNone(part('span', 'How long the walk to `price` or `shock` takes.')),
    betaTo: orNone(
      part('asset', "Follow the rest of this asset's path, with its logarithmic moves times `beta`."),
    ),
    beta: orNone(number(-10, 10, 'The factor of betaTo; 1 by default.')),
    noiseVol: orNone(number(0, 100, 'Annual volatility of the noise between the points.')),
    noiseX: orNone(factor("Noise as a multiple of the volatility of the asset's own model.")),
    model: orNone(
      shapeTyped<unknown>({
        ...modelFileSchema,
        description:
          'Another model from here on, like the model of an asset. The price continues from where it is; points are relative to this instant, and a recording begins here.',
      }),
    ),
    volX: orNone(factor('Multiplies the logarithmic moves of the model until the next path or price.')),
    drift: orNone(
      number(
        -100,
        100,
        'Additional drift of the logarithm, per year (0.1 is 10 %), until the next path or price.',
      ),
    ),
  },
  "Moves the price; afterwards the asset's own model continues from there.",
)

export interface PathAction {
  readonly asset: number
  /** The points that the price passes, at offsets from the action; empty when it follows another asset. */
  readonly points: readonly { readonly offsetMillis: Millis; readonly price: PriceTerm }[]
  readonly follows: { readonly asset: number; readonly beta: number } | null
  /**
   * The model that the price follows from now on; null keeps the present one. With `isMeanAtPresent`, a
   * mean-reverting model returns to the price at the moment of the change.
   */
  readonly switchTo: { readonly model: ModelOrRecording; readonly isMeanAtPresent: boolean } | null
  /** How the moves of the present model are scaled and drift from now on; null leaves them. */
  readonly bend: { readonly volMultiplier: PartsPerMillion; readonly drift: PartsPerMillion } | null
  readonly noiseVol: PartsPerMillion
}

const path: ActionKind<PathAction> = { shape: pathShape, read: readPath, commands: resolvePath }

function readPath(action: Field, scope: ActionScope): PathAction {
  const asset = readAsset(requiredField(action, 'asset'), scope)
  const noiseVol = readNoise(action, asset, scope)
  const ways = pathWays.filter((keys) => keys.some((key) => childField(action, key) !== null))
  if (ways.length !== 1) {
    addMistake(
      action,
      'say where the price goes by one of "waypoints", "price", "shock" and "betaTo", or how by "volX" and "drift" or "model"',
    )
  }
  const path: PathAction = { asset, noiseVol, points: [], follows: null, bend: null, switchTo: null }
  checkNoise(action)
  if (childField(action, 'model') !== null) return { ...path, ...readModelChange(action, asset, scope) }
  const bend = readBend(action)
  if (bend !== null) return { ...path, bend }
  const leader = childField(action, 'betaTo')
  const beta = childField(action, 'beta')
  const isUnsure = hasBrokenPart(action.tree)
  if (beta !== null && leader === null && !isUnsure) addMistake(beta, '"beta" goes with "betaTo"')
  const target = childField(action, 'price') ?? childField(action, 'shock')
  const over = childField(action, 'over')
  if (over !== null && target === null && !isUnsure) addMistake(over, '"over" goes with "price" or "shock"')
  if (leader !== null) {
    if (statedText(leader) === scope.assets[asset]?.symbol)
      addMistake(leader, 'an asset cannot follow itself')
    return { ...path, follows: { asset: readAsset(leader, scope), beta: numberOr(beta, 1) } }
  }
  const shock = childField(action, 'shock')
  if (shock !== null && !/(%|bps)$/.test(statedText(shock)))
    addMistake(shock, 'a shock is a change from the mark, such as -5% or +120bps; where to go is "price"')
  const pair = pairOf(asset, scope)
  const points =
    target === null
      ? readWaypoints(childField(action, 'waypoints'), (price) => readPriceTerm(price, pair))
      : [{ offsetMillis: readDurationOr(over, millis(0)), price: readPriceTerm(target, pair) }]
  return { ...path, points }
}

/** Notes noise that is stated beside a model, `volX` or `drift`: noise is only defined between points. */
function checkNoise(action: Field): void {
  const noise = childField(action, 'noiseVol') ?? childField(action, 'noiseX')
  const without = ['model', 'volX', 'drift'].find((key) => childField(action, key) !== null)
  if (noise === null || without === undefined) return
  addMistake(noise, `is the noise between points, and "${without}" has none`)
}

/** The groups of keys that say where the price goes. An action uses exactly one group. */
const pathWays = [['waypoints'], ['price'], ['shock'], ['betaTo'], ['volX', 'drift'], ['model']]

function readBend(action: Field): PathAction['bend'] {
  const volX = childField(action, 'volX')
  const drift = childField(action, 'drift')
  if (volX === null && drift === null) return null
  const ppm = (multiple: number) => partsPerMillion(Math.round(multiple * 1_000_000))
  return { volMultiplier: ppm(numberOr(volX, 1)), drift: ppm(numberOr(drift, 0)) }
}

/**
 * Reads the noise as an annual volatility in parts per million: as stated, or as a multiple of the volatility of the
 * asset's model. For a model without a volatility, the asset's default counts.
 */
function readNoise(action: Field, asset: number, scope: ActionScope): PartsPerMillion {
  const noise = childField(action, 'noiseVol')
  const times = childField(action, 'noiseX')
  if (noise !== null && times !== null)
    addMistake(times, 'say the noise by "noiseVol" or by "noiseX", not by both')
  if (noise !== null) return readPpm(noise, 6)
  if (times === null) return partsPerMillion(0)
  const model = scope.models[asset]
  const symbol = scope.assets[asset]?.symbol ?? ''
  const vol = model !== undefined && 'vol' in model ? model.vol : usualFigures(symbol).vol
  return partsPerMillion(Math.min(100_000_000, Math.round(numberOr(times, 1) * vol * 1_000_000)))
}

function resolvePath(action: PathAction, { at, state }: ActionMoment): ResolvedAction {
  const { asset, noiseVol, follows, bend, switchTo } = action
  if (bend !== null) return giveCommand({ kind: 'bend-price', at, asset, ...bend })
  if (follows !== null) {
    const points = computeFollowedPoints(follows, asset, state)
    return points === null
      ? refuseAction('no-path-to-follow')
      : giveCommand({ kind: 'move-price', at, asset, points, noiseVol })
  }
  const points = action.points.map(({ offsetMillis, price }) => ({
    offsetMillis: millis(offsetMillis),
    priceTicks: computeNearestTicks(price, asset, state),
  }))
  const move = { kind: 'move-price', at, asset, points, noiseVol } as const
  if (switchTo === null) return giveCommand(move)
  const change = { kind: 'switch-model', at, asset, model: resolveModel(switchTo, asset, state) } as const
  return points.length === 0 ? giveCommand(change) : giveCommands([change, move])
}

function resolveModel(
  { model, isMeanAtPresent }: NonNullable<PathAction['switchTo']>,
  asset: number,
  state: State,
): ModelOrRecording {
  if (model.kind !== 'ou' || !isMeanAtPresent) return model
  const { overrides } = stateOf(state, asset)
  return { ...model, mean: computeFundamental(state.market, asset - 1, overrides, state.gridIndex) }
}

/**
 * Returns the rest of another asset's scripted path as points of this asset from its present mark on, with the
 * logarithmic moves multiplied by beta. Returns null when the other asset follows no path.
 */
function computeFollowedPoints(
  follows: { readonly asset: number; readonly beta: number },
  asset: number,
  state: State,
): readonly { readonly offsetMillis: Millis; readonly priceTicks: PriceTicks }[] | null {
  const path = findPathInForce(state, follows.asset)
  if (path === null) return null
  const elapsed = state.nowMillis - state.config.startMillis - path.startOffsetMillis
  const leaderMark = state.markTicks.get(follows.asset)
  const { priceStep } = state.assets.tradedAsset(follows.asset).pair
  const base = (leaderMark * priceStep.units) / powerOfTen(priceStep.scale)
  const own = state.markTicks.get(asset)
  const points = path.points
    .filter((point, index) => index > 0 && point.offsetMillis >= elapsed)
    .map((point) => ({
      offsetMillis: millis(point.offsetMillis - elapsed),
      priceTicks: priceTicks(
        Math.max(1, Math.round(own * exp(follows.beta * (log(point.price) - log(base))))),
      ),
    }))
  return points.length === 0 ? null : points
}

/** Returns the newest path of an asset that has begun and is not over; null when there is none. */
function findPathInForce(state: State, asset: number): ScriptedPath | null {
  const newest = stateOf(state, asset).overrides.at(-1)
  const isPath = newest?.kind === 'path' && newest.endIndex > state.gridIndex
  return isPath ? newest : null
}

type PathMove = Pick<PathAction, 'points' | 'noiseVol' | 'switchTo'>

/**
 * Reads `path: {model: ...}`, which takes any model that an asset can have. Choice: the model has no history here, so
 * its instants count from the action. Points count from it (after the last one the price stands still), and a
 * recording begins with it.
 */
function readModelChange(action: Field, asset: number, scope: ActionScope): PathMove {
  const field = requiredField(action, 'model')
  const kind = textOr(childField(field, 'kind'), 'market')
  if (kind === 'waypoints') return readWaypointModel(field, asset, scope)
  const model = recordedKinds.includes(kind)
    ? readRecordedModel(action, field, asset, scope)
    : readGeneratedModel(action, field, asset, scope)
  const isAtPresent = kind === 'ou' && childField(field, 'mean') === null
  return { points: [], noiseVol: partsPerMillion(0), switchTo: { model, isMeanAtPresent: isAtPresent } }
}

const constantModel: ModelOrRecording = { kind: 'constant' }

function readGeneratedModel(
  action: Field,
  field: Field,
  asset: number,
  scope: ActionScope,
): ModelOrRecording {
  const model = readCheckedModel(action, symbolOf(asset, scope), [])
  const isRecorded = model.kind === 'replay' || model.kind === 'trades' || model.kind === 'bootstrap'
  if (model.kind !== 'waypoints' && model.kind !== 'book' && !isRecorded) return model
  addMistake(field, 'is not a model that a price can be switched to')
  return constantModel
}

function readRecordedModel(action: Field, field: Field, asset: number, scope: ActionScope): ModelOrRecording {
  const { recorded } = scope
  const shift = childField(field, 'timeShift')
  if (shift !== null) addMistake(shift, '"timeShift" has no meaning here: the recording begins at the switch')
  const known = recorded.byAsset.get(asset) ?? new Map<string, RecordedModelSpec>()
  recorded.byAsset.set(asset, known)
  const text = JSON.stringify(toPlain(field.tree))
  const place = [...known.keys()].indexOf(text)
  if (place !== -1) return { kind: 'recorded', place }
  const symbol = symbolOf(asset, scope)
  const recordings = readRecordings([[symbol, action]], recorded.options, recorded.asRead)
  const candles = recordings.get(symbol)
  if (candles === undefined) return constantModel
  const model = readCheckedModel(action, symbol, candles)
  if (model.kind !== 'replay' && model.kind !== 'trades' && model.kind !== 'bootstrap') return constantModel
  known.set(text, model)
  return { kind: 'recorded', place: known.size - 1 }
}

function readCheckedModel(action: Field, symbol: string, candles: Candles): ModelSpec {
  const model = compileModel(action, symbol, 1, candles)
  const problem = checkModel(model)
  if (problem !== null) addMarketMistake(action, problem)
  return model
}

/** Reads a waypoint model. With `asReturnsFrom`, prices are read as changes from the mark. */
function readWaypointModel(field: Field, asset: number, scope: ActionScope): PathMove {
  const noise = childField(field, 'noiseVol')
  const points = childField(field, 'points')
  if (points === null) addMistake(field, 'missing "points"')
  const origin = childField(field, 'asReturnsFrom')
  return {
    points: readWaypoints(points, (price) => readPointPrice(price, origin, asset, scope)),
    noiseVol: noise === null ? partsPerMillion(0) : readPpm(noise, 6),
    switchTo: { model: constantModel, isMeanAtPresent: false },
  }
}

function readWaypoints(field: Field | null, readPrice: (price: Field) => PriceTerm): PathMove['points'] {
  let last = 0
  return listItems(field).flatMap((waypoint) => {
    const [offset, price] = listItems(waypoint)
    if (offset === undefined || price === undefined) return []
    const offsetMillis: Millis = readDuration(offset)
    if (offsetMillis < last) addMistake(offset, 'offsets never fall')
    last = offsetMillis
    return [{ offsetMillis, price: readPrice(price) }]
  })
}

function readPointPrice(price: Field, origin: Field | null, asset: number, scope: ActionScope): PriceTerm {
  const isChange = /(%|bps)$/.test(statedText(price))
  if (origin === null || isChange) return readPriceTerm(price, pairOf(asset, scope))
  const ratio = Number(statedText(price)) / Number(statedText(origin))
  if (ratio > 0 && ratio < 1000)
    return { kind: 'ofMark', change: partsPerMillion(Math.round((ratio - 1) * 1_000_000)) }
  addMistake(price, `${statedText(price)} is not a price next to ${statedText(origin)}`)
  return { kind: 'ofMark', change: partsPerMillion(0) }
}

const symbolOf = (asset: number, scope: ActionScope): string => scope.assets[asset]?.symbol ?? ''

/*
 * Actions on liquidity and on trading as such.
 */

const assets = part('assets', 'The asset, or "*" for all.', 'asset')
const forDescription = 'How long, after which the earlier state is restored.'

const toStartedAction = (
  { commands, endsAtMillis }: TimedCommands,
  kind: 'end' | 'recover',
  count: number,
): StartedAction => ({
  commands,
  later: endsAtMillis === null ? null : { atMillis: endsAtMillis, kind, count },
})

const liquidityShape = record(
  {
    assets,
    spreadX: orNone(factor('Multiplies the spread of the house.')),
    depthX: orNone(factor('Multiplies the depth of the house.')),
    oneSided: orNone(words(['bids', 'asks', 'none'], 'The only side that remains, or none.')),
    stale: orNone(flag('Book and price stay unchanged while the fundamental price moves.')),
    forMillis: orNone(part('positiveSpan', forDescription, 'for')),
    recoverHalfLifeMillis: orNone(
      part('span', 'Half-life of the return to normal, after `for` or from now on.', 'recoverHalfLife'),
    ),
    refreshX: orNone(factor('Multiplies the pace at which the levels of the house refill.')),
  },
  'Changes the liquidity of the house. Settings that are not given return to normal.',
)

type LiquidityAction = RecordOf<typeof liquidityShape>

const liquidity: ActionKind<LiquidityAction> = {
  shape: liquidityShape,
  /** Notes `refreshX` where no ladder refills: a ladder that is whole again at each step of the grid has no pace. */
  check: ({ assets }, field, scope) => {
    const refresh = childField(field, 'refreshX')
    const refills = assets.some((row) => {
      const ladder = scope.assets[row]?.liquidity
      return ladder === undefined || hasRefill(ladder)
    })
    if (refresh === null || refills) return
    const reason =
      'has no meaning here: the ladder is whole again at each step of the grid, because its dynamics have no refillHalfLife'
    addMistake(refresh, `"refreshX" ${reason}`)
  },
  begin: (action, { settings, venue, token }) => {
    const { assets, forMillis = 0, recoverHalfLifeMillis: halfLife = 0 } = action
    const value = { conditions: toConditions(action), isStale: action.stale ?? false, endsAtMillis: 0 }
    return halfLife > 0
      ? toStartedAction(
          settings.beginRecovery(assets, value, forMillis, halfLife, venue.state, token),
          'recover',
          1,
        )
      : toStartedAction(settings.beginLiquidity(assets, value, forMillis, venue.state, token), 'end', 1)
  },
  resume: (action, { settings, venue, token }, kind, count) => {
    const { assets, recoverHalfLifeMillis: halfLife = 0 } = action
    if (kind === 'end') return { commands: settings.endLiquidity(assets, venue.state, token) }
    const from = toConditions(action)
    return toStartedAction(
      settings.recover(assets, from, halfLife, venue.state, token, count),
      'recover',
      count + 1,
    )
  },
}

function toConditions(action: LiquidityAction): LiquidityConditions {
  const { spreadX = 1, depthX = 1, oneSided = 'both', refreshX = 1 } = action
  return {
    spreadMultiplier: spreadX,
    depthMultiplier: depthX,
    sides: oneSided,
    ...(refreshX === 1 ? {} : { refreshMultiplier: refreshX }),
  }
}

const haltShape = record(
  {
    assets,
    mode: orNone(words(['reject', 'rest'], 'Whether new orders are refused, or rest unmatched.')),
    forMillis: orNone(part('positiveSpan', `${forDescription} By default until \`resume\`.`, 'for')),
  },
  'Stops trading.',
)

type HaltAction = RecordOf<typeof haltShape>

const halt: ActionKind<HaltAction> = {
  shape: haltShape,
  begin: ({ assets, mode = 'reject', forMillis = 0 }, { settings, venue, token }) => {
    const value = { mode, endsAtMillis: 0 }
    return toStartedAction(settings.halts.begin(assets, value, forMillis, venue.state, token), 'end', 1)
  },
  resume: ({ assets }, { settings, venue, token }) => ({
    commands: settings.halts.end(assets, venue.state, token),
  }),
}

const resumeShape = record({ assets }, 'Ends a halt; what crossed meanwhile trades.')

const resume: ActionKind<RecordOf<typeof resumeShape>> = {
  shape: resumeShape,
  changes: ({ assets }) => ({ pairs: assets }),
  begin: ({ assets }, { settings, venue }) => {
    for (const asset of assets) settings.halts.stacks.clear(asset)
    const at = millis(venue.state.nowMillis)
    return { commands: assets.map((asset) => ({ kind: 'resume', at, asset })) }
  },
}

const boundsShape = record(
  {
    status: orNone(words(['active', 'inactive'], 'Inactive refuses new orders.')),
    minQuantitySteps: orNone(part('steps', 'Minimum quantity of an order.', 'minQuantity')),
    maxQuantitySteps: orNone(part('steps', 'Maximum quantity of an order.', 'maxQuantity')),
    minPriceTicks: orNone(part('ticks', 'Minimum price of an order.', 'minPrice')),
    minNotionalAtoms: orNone(part('usd', 'Minimum value of an order, USD.', 'minNotional')),
  },
  'The new bounds or status.',
)

const pairShape = record(
  { assets, set: { ...boundsShape, minProperties: 1 } },
  "Changes a pair's bounds or status.",
)

const pair: ActionKind<RecordOf<typeof pairShape>> = {
  shape: pairShape,
  changes: ({ assets }) => ({ pairs: assets }),
  commands: ({ assets, set }, { at }) => {
    const { status, minQuantitySteps = null, maxQuantitySteps = null } = set
    const { minPriceTicks = null, minNotionalAtoms = null } = set
    const bounds = { minQuantitySteps, maxQuantitySteps, minPriceTicks, minNotionalAtoms }
    const changesBounds = Object.values(bounds).some((bound) => bound !== null)
    return giveCommands(
      assets.flatMap((asset): readonly Command[] => [
        ...(changesBounds ? [{ kind: 'set-pair', at, asset, ...bounds } as const] : []),
        ...(status === 'inactive'
          ? [{ kind: 'halt', at, asset, mode: 'reject', forMillis: millis(0) } as const]
          : []),
        ...(status === 'active' ? [{ kind: 'resume', at, asset } as const] : []),
      ]),
    )
  },
}

export const marketActions = { path, liquidity, halt, resume, pair }
