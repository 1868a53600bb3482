import { createHash } from 'node:crypto'

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

/** The number of `casesOf`. */
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

/** The digest of the scenario of a cell. */
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

const byName = ([left]: readonly [string, string], [right]: readonly [string, string]): number =>
  left < right ? -1 : 1

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
