import { createHash } from 'node:crypto'
import { isAbsolute, relative, resolve } from 'node:path'
import { isObject, parseJson } from '../../api/json.ts'
import type { MarketSpec } from '../../market/market-spec.ts'

/*
 * What a sweep runs: every seed with every cell of a grid of parameters. A case is identified only by its id,
 * whichever machine runs it and in whatever order, so a longer sweep of the same work finds the cases of a shorter
 * one done.
 */

/** What all cases of a sweep share, and what every worker must have as well. */
export interface SweepWork {
  /** The version of otcsim: another one may give other results. */
  readonly version: string
  /** As given on the command line; relative to the folder in which a worker is started. */
  readonly strategy: { readonly file: string; readonly digest: string }
  /** The digest of the scenario for each combination of its own parameters, by `cellName` of that part of a cell. */
  readonly scenario: {
    readonly name: string
    readonly digests: { readonly [cell: string]: string }
    /** Whether every cell's prices are those of recordings; left out where they are not. */
    readonly isRecorded?: true
  }
  /** How a case is run beyond its parameters, by option names. */
  readonly options: { readonly [name: string]: string }
}

/** One parameter and the values that it takes: a parameter of the strategy, or of the scenario's own `params`. */
export interface GridAxis {
  readonly name: string
  readonly of: 'strategy' | 'scenario'
  readonly values: readonly string[]
}

export interface SweepPlan {
  readonly work: SweepWork
  readonly seeds: readonly string[]
  readonly grid: readonly GridAxis[]
  /** Every case runs over each of its windows; without one, over what the options say. */
  readonly walkForward?: WalkForward
}

/** A stretch of the market that cases run over: instants as ISO texts. */
export interface SweepWindow {
  readonly from: string
  readonly to: string
}

/** Where parameters are chosen, and where they are judged: places in `windows`. */
export interface SweepFold {
  readonly train: number
  readonly test: number
}

export interface WalkForward {
  /** Each stretch once: where both parts are of one length, the test of a fold trains the next. */
  readonly windows: readonly SweepWindow[]
  readonly folds: readonly SweepFold[]
}

export interface SweepCase {
  readonly id: string
  readonly seed: string
  /** By the names of the grid, in its order. */
  readonly parameters: { readonly [name: string]: string }
  /** Of a walk forward. */
  readonly window?: SweepWindow
}

/**
 * All cases in a fixed order: by window, then by seed, then by cell with the last parameter changing fastest. So at
 * any time the cells have had nearly the same seeds, and can be compared.
 */
export function casesOf(plan: SweepPlan): readonly SweepCase[] {
  const cells = cellsOf(plan.grid)
  const scenarios = cells.map((parameters) => scenarioOf(plan, parameters))
  const over = (window: SweepWindow | undefined): readonly SweepCase[] => {
    const work = workText(workIn(plan.work, window))
    return plan.seeds.flatMap((seed) =>
      cells.map((parameters, place) => ({
        id: caseId([work, scenarios[place] ?? '', seed], plan.grid, parameters),
        seed,
        parameters,
        ...(window === undefined ? {} : { window }),
      })),
    )
  }
  return plan.walkForward === undefined ? over(undefined) : plan.walkForward.windows.flatMap(over)
}

export function caseCountOf({ grid, seeds, walkForward }: SweepPlan): number {
  const cells = grid.reduce((product, { values }) => product * values.length, 1)
  return seeds.length * cells * (walkForward?.windows.length ?? 1)
}

/** The work of a case: a window is nothing but another `from` and `to`. */
export function workIn(work: SweepWork, window: SweepWindow | undefined): SweepWork {
  return window === undefined ? work : { ...work, options: { ...work.options, ...window } }
}

/** Every combination of values, the last parameter changing fastest; one empty cell for an empty grid. */
export function cellsOf(grid: readonly GridAxis[]): readonly SweepCase['parameters'][] {
  let cells: readonly SweepCase['parameters'][] = [{}]
  for (const { name, values } of grid) {
    cells = cells.flatMap((cell) => values.map((value) => ({ ...cell, [name]: value })))
  }
  return cells
}

/** The name of a cell for people; empty for a sweep without a grid. */
export function cellName(parameters: SweepCase['parameters']): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
}

/** The parameters of a case that are the strategy's, or the scenario's. */
export function parametersOf(
  { grid }: Pick<SweepPlan, 'grid'>,
  { parameters }: Pick<SweepCase, 'parameters'>,
  of: GridAxis['of'],
): ReadonlyMap<string, string> {
  const names = grid.filter((axis) => axis.of === of).map(({ name }) => name)
  return new Map(names.map((name) => [name, parameters[name] ?? '']))
}

export function scenarioOf(
  plan: Pick<SweepPlan, 'grid' | 'work'>,
  parameters: SweepCase['parameters'],
): string {
  const own = parametersOf(plan, { parameters }, 'scenario')
  return plan.work.scenario.digests[cellName(Object.fromEntries(own))] ?? ''
}

/** The digest of a plan: 32 hex digits, the same wherever it is made. */
export function planDigest(plan: SweepPlan): string {
  const grid = plan.grid.map(({ name, of, values }) => [name, of, ...values])
  const scenarios = Object.entries(plan.work.scenario.digests).sort(byName)
  const walked = plan.walkForward === undefined ? [] : [plan.walkForward.windows, plan.walkForward.folds]
  return shortHash(JSON.stringify([workText(plan.work), scenarios, plan.seeds, grid, ...walked]))
}

function caseId(
  known: readonly string[],
  grid: readonly GridAxis[],
  parameters: SweepCase['parameters'],
): string {
  const settings = grid.map(({ name, of }) => [of, name, parameters[name]])
  settings.sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1))
  return shortHash(JSON.stringify([...known, settings]))
}

function workText({ version, strategy, options }: SweepWork): string {
  const own = Object.entries(options).filter(([name]) => !sourceNames.has(name))
  return JSON.stringify(['otcsim sweep 1', version, strategy.digest, own.sort(byName)])
}

/** The digest of the scenario covers what these options make it of, wherever that was read. */
const sourceNames: ReadonlySet<string> = new Set([
  ...['scenario', 'data', 'volumeIn', 'model', 'asset', 'price', 'cash', 'margin'],
  ...['makerBps', 'takerBps', 'grid', 'market'],
])

/** The same fields in the order of their names, so that a text of them does not tell who wrote them. */
export function sortedByName<Value>(fields: { readonly [name: string]: Value }): {
  readonly [name: string]: Value
} {
  return Object.fromEntries(Object.entries(fields).sort(byName))
}

const byName = ([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number =>
  left < right ? -1 : 1

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** Seeds and grids as given on the command line. What is wrong is answered as a sentence. */

export type Parsed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string }

const maximumSeeds = 1_000_000
const maximumCases = 10_000_000

/** `7`, `1..500`, and lists of both with commas, without repetitions. Only whole numbers can form ranges. */
export function parseSeeds(text: string): Parsed<readonly string[]> {
  const seeds = new Set<string>()
  for (const part of text.split(',').map((word) => word.trim())) {
    if (part === '') return refuse('seeds are texts or ranges such as 1..500, with commas between them')
    const range = /^([0-9]{1,15})\.\.([0-9]{1,15})$/.exec(part)
    if (range === null) {
      if (part.includes('..')) return refuse(`"${part}" is not a range of seeds; write 1..500`)
      seeds.add(part)
      continue
    }
    const [first, last] = [Number(range[1]), Number(range[2])]
    if (last < first) return refuse(`the range ${part} is empty`)
    if (last - first >= maximumSeeds) return refuse(`${part} is more than ${maximumSeeds} seeds`)
    for (let seed = first; seed <= last; seed += 1) seeds.add(String(seed))
  }
  return { ok: true, value: [...seeds] }
}

/** `name=a,b,c`: a parameter and its values. */
export function parseAxis(text: string, of: GridAxis['of']): Parsed<GridAxis> {
  const split = text.indexOf('=')
  if (split < 1) return refuse(`expected NAME=VALUE,VALUE, found "${text}"`)
  const name = text.slice(0, split)
  const values = text.slice(split + 1).split(',')
  if (values.includes('')) return refuse(`${name}: a value is empty`)
  const twice = values.find((value, place) => values.indexOf(value) !== place)
  return twice === undefined
    ? { ok: true, value: { name, of, values } }
    : refuse(`${name}: ${twice} is there twice`)
}

/** A grid in which every name is given once, and whose cases can be counted. */
export function checkGrid(grid: readonly GridAxis[], seeds: number): Parsed<readonly GridAxis[]> {
  const names = grid.map(({ name }) => name)
  const twice = names.find((name, place) => names.indexOf(name) !== place)
  if (twice !== undefined) return refuse(`the parameter ${twice} is given twice`)
  const cases = grid.reduce((product, { values }) => product * values.length, seeds)
  if (cases > maximumCases) return refuse(`the sweep has ${cases} cases; ${maximumCases} is the most`)
  return { ok: true, value: grid }
}

const refuse = (problem: string): { readonly ok: false; readonly problem: string } => ({ ok: false, problem })

/** Whether a market's prices are recorded: the same ones for each seed. */
export function isRecorded({ assets }: MarketSpec): boolean {
  return assets.every(({ model }) => model.kind === 'replay' || model.kind === 'trades')
}

/** Whether all seeds of a sweep are one sample of the price. */
export function isOnePath({ work }: SweepPlan): boolean {
  return work.scenario.isRecorded === true
}

/** What must be known of a sweep over a recording before its seeds are counted; null for one over generated markets. */
export function onePathWarning(plan: SweepPlan): string | null {
  const { seeds, work } = plan
  if (!isOnePath(plan) || seeds.length < 2) return null
  const path = (work.options['data'] ?? work.scenario.name).replaceAll('\n', ' ')
  return `All ${seeds.length} seeds have the price path of ${path}: they vary the book around it alone, and are one sample of the price, not ${seeds.length}.`
}

/** A file's name in a plan: relative if it lies below, so that a machine with the same files elsewhere finds it. */
export function shortPath(file: string, cwd: string): string {
  const short = relative(cwd, resolve(cwd, file))
  return short.startsWith('..') || isAbsolute(short) ? file : short.replaceAll('\\', '/')
}

/** A plan as a file, and as the head of a store. */

const planFormat = 'otcsim sweep plan 1'

export function planValue(plan: SweepPlan): { readonly [name: string]: unknown } {
  const { grid, seeds, walkForward, work } = plan
  return { format: planFormat, work, grid, seeds, ...(walkForward === undefined ? {} : { walkForward }) }
}

export function planText(plan: SweepPlan): string {
  return `${JSON.stringify(planValue(plan), null, 2)}\n`
}

export function parsePlan(text: string): SweepPlan | null {
  return asPlan(parseJson(text))
}

/** Narrows a value to a plan of this format; null for anything else. */
export function asPlan(value: unknown): SweepPlan | null {
  if (!isObject(value) || value['format'] !== planFormat) return null
  const { work, grid, seeds } = value
  const known = asWork(work)
  if (known === null || !isTexts(seeds) || !Array.isArray(grid) || !grid.every(isAxis)) return null
  if (value['walkForward'] === undefined) return { work: known, seeds, grid }
  const walkForward = asWalkForward(value['walkForward'])
  return walkForward === null ? null : { work: known, seeds, grid, walkForward }
}

function asWalkForward(value: unknown): WalkForward | null {
  if (!isObject(value) || !Array.isArray(value['windows']) || !Array.isArray(value['folds'])) return null
  const windows = value['windows'].flatMap((window: unknown) => asWindow(window) ?? [])
  const folds = value['folds'].flatMap((fold: unknown) => asFold(fold, windows.length) ?? [])
  const isWhole = windows.length === value['windows'].length && folds.length === value['folds'].length
  return isWhole && folds.length > 0 ? { windows, folds } : null
}

/** Narrows a value to a window; null for anything else. */
export function asWindow(value: unknown): SweepWindow | null {
  if (!isObject(value)) return null
  const { from, to } = value
  return typeof from === 'string' && typeof to === 'string' ? { from, to } : null
}

function asFold(value: unknown, windows: number): SweepFold | null {
  if (!isObject(value)) return null
  const { train, test } = value
  const isPlace = (place: unknown): place is number =>
    typeof place === 'number' && Number.isSafeInteger(place) && place >= 0 && place < windows
  return isPlace(train) && isPlace(test) ? { train, test } : null
}

export function asWork(value: unknown): SweepWork | null {
  if (!isObject(value)) return null
  const { version, strategy, scenario, options } = value
  if (typeof version !== 'string' || !isStrategyPart(strategy) || !isScenarioPart(scenario)) return null
  return isTextRecord(options) ? { version, strategy, scenario, options } : null
}

function isAxis(value: unknown): value is GridAxis {
  return (
    isObject(value) &&
    typeof value['name'] === 'string' &&
    (value['of'] === 'strategy' || value['of'] === 'scenario') &&
    isTexts(value['values'])
  )
}

function isStrategyPart(value: unknown): value is SweepWork['strategy'] {
  return isObject(value) && typeof value['file'] === 'string' && typeof value['digest'] === 'string'
}

function isScenarioPart(value: unknown): value is SweepWork['scenario'] {
  return (
    isObject(value) &&
    typeof value['name'] === 'string' &&
    isTextRecord(value['digests']) &&
    (value['isRecorded'] === undefined || value['isRecorded'] === true)
  )
}

/* Narrowing of what files and queues bring. */

export function isTextRecord(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((item) => typeof item === 'string')
}

export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
