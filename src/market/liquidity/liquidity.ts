import { assert } from '../../numeric/assert.ts'
import { exp, log } from '../../numeric/portable-math.ts'
import { hourOfDay, isWeekend, millisPerDay } from '../../numeric/time-text.ts'
import { kindInFile, oneOfKinds, ownValue, readStated, schemaInFile } from '../../shape/in-file.ts'
import {
  amount,
  anyNumber,
  flag,
  integer,
  kind,
  list,
  number,
  oneOfWords,
  orNone,
  price,
  type RecordOf,
  record,
  type Shape,
  shapeTyped,
  span,
  words,
} from '../../shape/shape.ts'
import { problem, type SpecProblem } from '../../shape/spec-checks.ts'
import { checkShape } from '../check-shape.ts'
import { usualFigures } from '../usual-figures.ts'

/*
 * The venue's own ladder, declared once: the shapes of its kinds, which give the types, the schema and
 * reference of scenario files, the reading of a file, and the checks; and the factors that change it.
 * `ladder.ts` builds the levels.
 */

/** Largest number of levels per side (Spec: Market data, depth 1 to 50). */
export const maximumLadderLevels = 50

/** Largest value of a side, USD: a ledger in atoms of a millionth holds 9e9. */
const maximumUsd = 1e9

/*
 * Figures: market.md section 3. Without dynamics a ladder is the same at any hour and in any market, and whole
 * again at each refresh.
 */
const dynamics = record(
  {
    spreadExponent: number(
      0,
      3,
      'The half-spread grows with activity to this power, and is at least 0.7 of the calm one.',
      { default: 0.9 },
    ),
    depthExponent: number(0, 3, 'Depth falls with activity to this power, to a twentieth at most.', {
      default: 1,
    }),
    hasSeasons: flag('Wider on weekends and from 21 to 23 UTC, and thinner on weekends.', {
      default: true,
      word: 'seasons',
    }),
    flickerSd: number(0, 2, "Standard deviation of the logarithm of a level's size, which wanders.", {
      default: 0.3,
      word: 'flicker',
    }),
    flickerHalfLifeMillis: span(100, millisPerDay, 'Half-life of the noise on sizes.', { default: 5000 }),
    refillHalfLifeMillis: span(
      0,
      millisPerDay,
      'Half-life of the refill of what was taken from the best level, in a calm market; deeper levels take longer. 0s: whole at each refresh.',
      { default: 2000 },
    ),
    pull: number(
      0,
      1,
      'Share of the depth beyond 10 basis points that is withdrawn after a sweep of over half of the depth within.',
      { default: 0.5 },
    ),
    pullHalfLifeMillis: span(1000, millisPerDay, 'Half-life of its return.', { default: 60_000 }),
    skew: number(0, 1, 'How many half-spreads a full inventory shifts both sides.', { default: 0.5 }),
    inventoryUsd: number(1, 1e12, 'A full inventory, USD; by default the depth within 10 basis points.'),
  },
  'Dynamics of the ladder: sizes that wander, levels that refill.',
  'a mapping of ladder dynamics',
)

/** Average daily volume. It belongs to the impact, but a file may state it beside the ladder, too. */
export const advUsd = number(1000, 1e15, 'Average daily volume, USD, for impact.')
/** Schema of the average daily volume in a scenario file. */
export const volumeFileSchema = schemaInFile(advUsd)

const spreadBps = number(0, 19_000, 'From best bid to best ask, basis points of the mid.')

const power = record(
  {
    kind: kind('power'),
    spreadBps,
    depth10bpUsd: number(0, maximumUsd, 'Depth within 10 basis points of the mid, per side, USD.'),
    dynamics: orNone(dynamics),
  },
  'Cumulative depth grows with the 0.67th power of the distance from the mid.',
)

/* Cumulative depth at x basis points from the mid: maxUsd * (1 - exp(-x / scaleBps)). */
const exponential = record(
  {
    kind: kind('exponential'),
    spreadBps,
    maxUsd: number(0, maximumUsd, 'Depth at which the book levels off, per side, USD.'),
    scaleBps: number(1e-6, 1e6, 'Distance over which it levels off, basis points.', { default: 20 }),
    dynamics: orNone(dynamics),
  },
  'Cumulative depth levels off at maxUsd.',
)

const flat = record(
  {
    kind: kind('flat'),
    spreadBps,
    levelUsd: number(0, maximumUsd, 'Value of each level, USD.'),
    stepBps: number(0, 10_000, 'Distance between two levels, basis points.', { default: 1 }),
    levels: integer(1, maximumLadderLevels, 'Levels per side.', { default: 20 }),
    dynamics: orNone(dynamics),
  },
  'The same value at every level.',
)

const rungs = list(
  shapeTyped<readonly [number, number]>({
    title: 'a pair [price, quantity]',
    minItems: 2,
    maxItems: 2,
    prefixItems: [price('USD a unit.'), amount(0, 1e15, 'Units.')],
    type: 'array',
  }),
  maximumLadderLevels,
  'Pairs [price, quantity], best first.',
  0,
)

/* The prices of an explicit ladder do not move with the mid. */
const ladder = record(
  { kind: kind('ladder'), bids: rungs, asks: rungs },
  'Fixed prices and quantities, best first.',
)

/** Laws of the place of a client's order among what a recorded book shows at its price. */
export const queueLawNames = ['front', 'riskAverse', 'power', 'power2', 'power3', 'log', 'log2'] as const

export type QueueLawName = (typeof queueLawNames)[number]

const queue = record(
  {
    law: words(
      queueLawNames,
      'How an order moves up when its level shrinks without a trade: front: it always stands first; riskAverse, the default: only as far as the level shows less than stood ahead; the others: by the share of what stands behind.',
    ),
    exponent: number(1, 10, 'Exponent of the power laws; the others have none.', { default: 1 }),
  },
  'Where the resting orders of clients stand among what the book shows at their price.',
)

/* What is in the file is the market's: the model `book` has the rows, so that a ladder stays plain data. */
const recorded = record(
  {
    kind: kind('recorded'),
    queue,
    fills: words(
      ['shown', 'whole'],
      'What an order gets where the other side crosses it, or a trade goes through its price: what was shown or traded there, by default, or all of it.',
    ),
    beyond: words(
      ['behind', 'front'],
      'Where an order stands beyond the prices that the book shows: behind what its level first shows, by default, or first.',
    ),
    gaps: words(
      ['hold', 'halt', 'fail'],
      'What happens where the record has no rows for longer than gapAfter: the book stands still, by default, the pair is halted, or the recording is refused.',
    ),
    gapAfterMillis: span(10_000, 100 * 365 * millisPerDay, 'A longer time without any row is a gap.', {
      default: 60_000,
    }),
    like: orNone(
      words(
        ['hftbacktest'],
        'The choices of hftbacktest, for comparison: whole fills, trades that every order gets, quantity that is never used up, crossed levels that stay, orders first beyond the book, market orders that reach 100 ticks.',
      ),
    ),
  },
  'A recorded order book, each change at its own instant.',
)

const none = record({ kind: kind('none') }, 'No liquidity of the house: only clients make prices.')

export type LiquidityDynamics = RecordOf<typeof dynamics>
export type PowerLiquidity = RecordOf<typeof power>
export type ExponentialLiquidity = RecordOf<typeof exponential>
export type FlatLiquidity = RecordOf<typeof flat>
export type ExplicitLadder = RecordOf<typeof ladder>
export type RecordedLiquidity = RecordOf<typeof recorded>
/** Specification of the venue's own ladder, as checked plain data. */
export type LiquiditySpec =
  | RecordOf<typeof none>
  | PowerLiquidity
  | ExponentialLiquidity
  | FlatLiquidity
  | ExplicitLadder
  | RecordedLiquidity

const kinds = { none, power, exponential, flat, ladder, recorded } as const
const defaultKind = 'power'

/** Shapes of all ladders by kind. */
export const liquidityShapes: ReadonlyMap<string, Shape> = new Map(Object.entries(kinds))

/**
 * Schema of a ladder in a scenario file. A ladder that follows the mid may also state `advUsd`, the volume to
 * which its impact is relative.
 */
export const liquidityFileSchema: Shape = oneOfKinds(
  [...liquidityShapes.values()].map((shape) => {
    const schema = kindInFile(shape)
    if (shape === recorded) return stateData(schema)
    const { dynamics, ...words } = schema.properties ?? {}
    return dynamics === undefined
      ? schema
      : { ...schema, properties: { ...words, advUsd: volumeFileSchema, dynamics } }
  }),
  defaultKind,
)

/** Adds the files to the schema of a recorded book: the book's own, or also the trades of the recorded flow. */
function stateData(schema: Shape): Shape {
  const { kind, queue, like, ...words } = schema.properties ?? {}
  const parts = { ...queue, required: ['law'] }
  const data = {
    $ref: '#/definitions/bookData',
    description:
      'The recorded book: a file, or several in order of time, relative to this file; or {file, symbol, skipBad, sort, holdGaps, shiftTrades}.',
  }
  return {
    ...schema,
    required: ['kind', 'data'],
    properties: {
      ...(kind && { kind }),
      data,
      queue: parts,
      ...words,
      like: {
        ...(like?.description === undefined ? {} : { description: like.description }),
        enum: ['hftbacktest'],
      },
    },
  }
}

/**
 * Returns the ladder that a file states for an asset, filling in defaults. `stated` has been validated by
 * `liquidityFileSchema`; null means that the file does not mention a ladder.
 */
export function readLiquidity(stated: object | null, symbol: string, problems: SpecProblem[]): LiquiditySpec {
  const { spreadBps, depth10bpUsd } = usualFigures(symbol)
  const figures = { spreadBps, depth10bpUsd, maxUsd: depth10bpUsd * 5, levelUsd: depth10bpUsd / 10 }
  const figure = (key: keyof typeof figures): number => Number(ownValue(stated, key) ?? figures[key])
  const name = String(ownValue(stated, 'kind') ?? defaultKind)
  const near = { exponential: figure('maxUsd') / 5, flat: figure('levelUsd') * 10 }
  const nearUsd = name === 'exponential' || name === 'flat' ? near[name] : figure('depth10bpUsd')
  const usual = { ...figures, bids: [], asks: [], dynamics: { inventoryUsd: Math.max(1, nearUsd) } }
  if (name === 'recorded') return readRecorded(stated, problems)
  return Object(readStated(shapeOf(name), stated, usual, '', problems))
}

/** Reads a recorded book. Choices that `like` stands for cannot be stated beside it. */
function readRecorded(stated: object | null, problems: SpecProblem[]): LiquiditySpec {
  const isLike = ownValue(stated, 'like') !== undefined
  for (const key of isLike ? ['fills', 'beyond'] : []) {
    if (ownValue(stated, key) !== undefined)
      problems.push(problem(key, 'follows from "like", and cannot be stated beside it'))
  }
  const usual = {
    queue: { law: 'riskAverse' },
    fills: isLike ? 'whole' : 'shown',
    beyond: isLike ? 'front' : 'behind',
    gaps: 'hold',
  }
  const given = isLike ? stated : { ...stated, like: 'none' }
  return Object(readStated(recorded, given, usual, '', problems))
}

/**
 * Returns the first problem of a ladder, with fields in the order of their declaration, or null when
 * `LadderBuilder` can use it.
 */
export function checkLiquidity(spec: LiquiditySpec): SpecProblem | null {
  return checkShape(shapeOf(spec.kind), spec, '') ?? (spec.kind === 'ladder' ? checkNotCrossed(spec) : null)
}

function checkNotCrossed({ bids, asks }: ExplicitLadder): SpecProblem | null {
  const bestBid = bids.reduce((best, [price]) => Math.max(best, price), 0)
  const bestAsk = asks.reduce((best, [price]) => Math.min(best, price), Number.POSITIVE_INFINITY)
  return bestBid < bestAsk ? null : problem('asks', `are not all above the best bid ${bestBid}`)
}

function shapeOf(name: string): Shape {
  const shape = liquidityShapes.get(name)
  assert(shape !== undefined, `${name} is a kind of liquidity`)
  return shape
}

/** Returns whether the levels of a ladder are made around the mid, so that it has a spread, a depth and an impact. */
export function followsMid(
  liquidity: LiquiditySpec,
): liquidity is PowerLiquidity | ExponentialLiquidity | FlatLiquidity {
  return liquidity.kind === 'power' || liquidity.kind === 'exponential' || liquidity.kind === 'flat'
}

/** Returns whether volume taken from a ladder comes back gradually, and not all at the next refresh. */
export function hasRefill(liquidity: LiquiditySpec): boolean {
  return followsMid(liquidity) && (liquidity.dynamics?.refillHalfLifeMillis ?? 0) > 0
}

/** Changes that a script or an admin has made to an asset's liquidity. */
export const liquidityConditions = record({
  spreadMultiplier: anyNumber(),
  depthMultiplier: anyNumber(),
  sides: oneOfWords('both', 'bids', 'asks', 'none'),
  /**
   * Pace at which taken volume comes back. A pace of 1 is always left out, so that equal conditions are written
   * alike.
   */
  refreshMultiplier: orNone(anyNumber()),
})

export type LiquidityConditions = RecordOf<typeof liquidityConditions>

/** Levels of one side, best first, written in place so that a refresh allocates nothing. */
export interface LadderSide {
  count: number
  readonly priceTicks: Float64Array
  readonly quantitySteps: Float64Array
  /** For each level, the first level of the specification that is part of it. */
  readonly firstLevels: Uint8Array
}

/* How the time and the market's activity set a ladder's spread and depth (market.md section 3). */

/**
 * Returns the factor on the half-spread of a calm market: max(0.7, activity^exponent), times 1.25 on weekends
 * and 1.15 from 21 to 23 UTC. `atMillis` counts from 1970.
 */
export function computeSpreadFactor(dynamics: LiquidityDynamics, activity: number, atMillis: number): number {
  const mood = Math.max(0.7, raiseActivity(activity, dynamics.spreadExponent))
  if (!dynamics.hasSeasons) return mood
  const hour = hourOfDay(atMillis)
  const isLate = hour === 21 || hour === 22
  return mood * (isWeekend(atMillis) ? 1.25 : 1) * (isLate ? 1.15 : 1)
}

/**
 * Returns the factor on the depth of a calm market: activity^-exponent from 0.05 to 10, times 0.75 on weekends.
 * `atMillis` counts from 1970.
 */
export function computeDepthFactor(dynamics: LiquidityDynamics, activity: number, atMillis: number): number {
  const mood = Math.min(Math.max(0.05, raiseActivity(activity, -dynamics.depthExponent)), maximumDepthFactor)
  return dynamics.hasSeasons && isWeekend(atMillis) ? mood * 0.75 : mood
}

/** Returns the bounds of the factors on half-spread and depth for any activity and season. */
export function computeFactorBounds(dynamics: LiquidityDynamics | null) {
  if (dynamics === null) return { narrowest: 1, widest: 1, leastDepth: 1 }
  const { hasSeasons, spreadExponent } = dynamics
  const mood = Math.max(0.7, raiseActivity(0.01, spreadExponent), raiseActivity(100, spreadExponent))
  return {
    narrowest: 0.7,
    widest: mood * (hasSeasons ? 1.25 * 1.15 : 1),
    leastDepth: 0.05 * (hasSeasons ? 0.75 : 1),
  }
}

/** Largest factor on the depth. Choice: a market that stands still has finite depth. */
export const maximumDepthFactor = 10

/** Raises activity to a power, counting it from a hundredth to a hundred. */
function raiseActivity(activity: number, exponent: number): number {
  if (activity === 1 || exponent === 0) return 1
  return exp(exponent * log(Math.min(Math.max(activity, 0.01), 100)))
}
