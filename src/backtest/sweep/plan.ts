import { createHash } from 'node:crypto'
import { isAbsolute, relative, resolve } from 'node:path'
import { parseJson } from '../../api/json.ts'
import { text as aText, byNameDecoder, codecFor, finite, tryDecode } from '../../journal/codec.ts'
import type { MarketSpec } from '../../market/market-spec.ts'
import {
  anyList,
  anyNumber,
  natural,
  nullable,
  oneOfWords,
  orNone,
  type RecordOf,
  record,
  shapeTyped,
  text,
} from '../../shape/shape.ts'

/*
 * A sweep runs every seed with every cell of a grid of parameters. A case is identified only by its id, whichever
 * machine runs it and in whatever order, so a longer sweep finds the cases of a shorter one done.
 */

const textsByName = shapeTyped<{ readonly [name: string]: string }>({ $ref: 'textsByName' })

const workShape = record({
  /** The version of otcsim; another version may give other results. */
  version: text(),
  strategy: record({
    /** The file as the command line gave it, relative to the folder in which a worker is started. */
    file: text(),
    /** A digest of the strategy's code and of all else known to decide what it does, such as files that it reads. */
    digest: text(),
    /**
     * The places where something comes in that the digest cannot cover, such as `maker.ts:7 fetch()`; left out where
     * there are none.
     */
    unknown: orNone(anyList(text())),
  }),
  scenario: record({
    name: text(),
    /** The digest of the scenario for each combination of its own parameters, by the name of that combination. */
    digests: textsByName,
    /** Whether the prices of every cell are recorded; left out where they are not. */
    isRecorded: orNone(shapeTyped<true>({ const: true })),
  }),
  /** The options of a case beyond its parameters, by their names. */
  options: textsByName,
})

/** The inputs that all cases of a sweep share, and that every worker must have as well. */
export type SweepSetup = RecordOf<typeof workShape>

const axisShape = record({
  name: text(),
  of: oneOfWords('strategy', 'scenario'),
  values: anyList(text()),
})

/** One parameter and the values that it takes. It belongs to the strategy, or to the scenario's own `params`. */
export type GridAxis = RecordOf<typeof axisShape>

const windowShape = record({ from: text(), to: text() })

/** A stretch of the market that cases run over: two instants as ISO texts. */
export type SweepWindow = RecordOf<typeof windowShape>

const foldShape = record({ train: natural(), test: natural() })

/** A window where parameters are chosen and one where they are judged, as indexes in `windows`. */
export type SweepFold = RecordOf<typeof foldShape>

const walkForwardShape = record({
  /** Every window once: where training and test have one length, the test of a fold is the training of the next. */
  windows: anyList(windowShape),
  folds: anyList(foldShape),
})

export type WalkForward = RecordOf<typeof walkForwardShape>

const planShape = record({
  format: oneOfWords('otcsim sweep plan 1'),
  work: workShape,
  grid: anyList(axisShape),
  seeds: anyList(text()),
  /**
   * The windows of a walk forward, over each of which every case runs. Without it, the options say what cases run over.
   */
  walkForward: orNone(walkForwardShape),
})

export interface SweepPlan extends Omit<RecordOf<typeof planShape>, 'format'> {}

const caseFields = {
  id: text(),
  seed: text(),
  /** The values of the case's parameters by name, in the order of the grid. */
  parameters: textsByName,
  /** The window that the case runs over, in a walk forward. */
  window: orNone(windowShape),
}

const caseShape = record(caseFields)
export type SweepCase = RecordOf<typeof caseShape>

/**
 * Lists all cases by window, then by seed, then by cell with the last parameter changing fastest. So at any time all
 * cells have had nearly the same seeds and can be compared.
 */
export function listCases(plan: SweepPlan): readonly SweepCase[] {
  const cells = listCells(plan.grid)
  const scenarios = cells.map((parameters) => findScenarioDigest(plan, parameters))
  const over = (window: SweepWindow | undefined): readonly SweepCase[] => {
    const work = formatSetup(narrowToWindow(plan.work, window))
    return plan.seeds.flatMap((seed) =>
      cells.map((parameters, place) => ({
        id: hashCase([work, scenarios[place] ?? '', seed], plan.grid, parameters),
        seed,
        parameters,
        ...(window === undefined ? {} : { window }),
      })),
    )
  }
  return plan.walkForward === undefined ? over(undefined) : plan.walkForward.windows.flatMap(over)
}

export function countCases({ grid, seeds, walkForward }: SweepPlan): number {
  const cells = grid.reduce((product, { values }) => product * values.length, 1)
  return seeds.length * cells * (walkForward?.windows.length ?? 1)
}

/** Returns the inputs of the cases of a window; a window only sets `from` and `to`. */
export function narrowToWindow(work: SweepSetup, window: SweepWindow | undefined): SweepSetup {
  return window === undefined ? work : { ...work, options: { ...work.options, ...window } }
}

/** Lists every combination of values, the last parameter changing fastest; an empty grid has one empty cell. */
export function listCells(grid: readonly GridAxis[]): readonly SweepCase['parameters'][] {
  let cells: readonly SweepCase['parameters'][] = [{}]
  for (const { name, values } of grid) {
    cells = cells.flatMap((cell) => values.map((value) => ({ ...cell, [name]: value })))
  }
  return cells
}

/** Formats the parameters of a cell, such as `fast=5 slow=20`; empty for a sweep without a grid. */
export function formatCell(parameters: SweepCase['parameters']): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
}

export function pickParameters(
  { grid }: Pick<SweepPlan, 'grid'>,
  { parameters }: Pick<SweepCase, 'parameters'>,
  of: GridAxis['of'],
): ReadonlyMap<string, string> {
  const names = grid.filter((axis) => axis.of === of).map(({ name }) => name)
  return new Map(names.map((name) => [name, parameters[name] ?? '']))
}

function findScenarioDigest(
  plan: Pick<SweepPlan, 'grid' | 'work'>,
  parameters: SweepCase['parameters'],
): string {
  const own = pickParameters(plan, { parameters }, 'scenario')
  return plan.work.scenario.digests[formatCell(Object.fromEntries(own))] ?? ''
}

/** Computes what identifies a cell: its strategy, options, scenario and parameters, whatever the seeds. */
export function identifyCell(plan: SweepPlan, parameters: SweepCase['parameters']): string {
  return hashCase([formatSetup(plan.work), findScenarioDigest(plan, parameters)], plan.grid, parameters)
}

/** Computes the digest of a plan: 32 hex digits, the same on every machine. */
export function planDigest(plan: SweepPlan): string {
  const grid = plan.grid.map(({ name, of, values }) => [name, of, ...values])
  const scenarios = Object.entries(plan.work.scenario.digests).sort(compareNames)
  const walked = plan.walkForward === undefined ? [] : [plan.walkForward.windows, plan.walkForward.folds]
  return shortHash(JSON.stringify([formatSetup(plan.work), scenarios, plan.seeds, grid, ...walked]))
}

function hashCase(
  known: readonly string[],
  grid: readonly GridAxis[],
  parameters: SweepCase['parameters'],
): string {
  const settings = grid.map(({ name, of }) => [of, name, parameters[name]])
  settings.sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1))
  return shortHash(JSON.stringify([...known, settings]))
}

function formatSetup({ version, strategy, options }: SweepSetup): string {
  const own = Object.entries(options).filter(([name]) => !sourceNames.has(name))
  return JSON.stringify(['otcsim sweep 1', version, strategy.digest, own.sort(compareNames)])
}

/** Options that determine the scenario: its digest stands for them, wherever it was read from. */
export const sourceNames: ReadonlySet<string> = new Set([
  ...['scenario', 'data', 'volumeIn', 'model', 'asset', 'price', 'cash', 'margin'],
  ...['makerBps', 'takerBps', 'grid', 'market'],
])

/** Sorts fields by name, so that a text of them does not depend on who wrote them. */
export function sortByName<Value>(fields: { readonly [name: string]: Value }): {
  readonly [name: string]: Value
} {
  return Object.fromEntries(Object.entries(fields).sort(compareNames))
}

const compareNames = ([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number =>
  left < right ? -1 : 1

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

export type ParseResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string }

const maximumSeeds = 1_000_000
const maximumCases = 10_000_000

/**
 * Parses seeds: `7`, `1..500`, or a list of both with commas; repetitions count once. Only whole numbers can form
 * ranges.
 */
export function parseSeeds(text: string): ParseResult<readonly string[]> {
  const seeds = new Set<string>()
  for (const part of text.split(',').map((word) => word.trim())) {
    if (part === '')
      return createProblem('seeds are texts or ranges such as 1..500, with commas between them')
    const range = /^([0-9]{1,15})\.\.([0-9]{1,15})$/.exec(part)
    if (range === null) {
      if (part.includes('..')) return createProblem(`"${part}" is not a range of seeds; write 1..500`)
      seeds.add(part)
      continue
    }
    const [, first = 0, last = 0] = range.map(Number)
    if (last < first) return createProblem(`the range ${part} is empty`)
    if (last - first >= maximumSeeds) return createProblem(`${part} is more than ${maximumSeeds} seeds`)
    for (let seed = first; seed <= last; seed += 1) seeds.add(String(seed))
  }
  return { ok: true, value: [...seeds] }
}

/** Parses `name=a,b,c`: a parameter and its values. */
export function parseAxis(text: string, of: GridAxis['of']): ParseResult<GridAxis> {
  const split = text.indexOf('=')
  if (split < 1) return createProblem(`expected NAME=VALUE,VALUE, found "${text}"`)
  const name = text.slice(0, split)
  const values = text.slice(split + 1).split(',')
  if (values.includes('')) return createProblem(`${name}: a value is empty`)
  const twice = values.find((value, place) => values.indexOf(value) !== place)
  return twice === undefined
    ? { ok: true, value: { name, of, values } }
    : createProblem(`${name}: ${twice} is there twice`)
}

/** Checks that a grid has each name once and not too many cases. */
export function checkGrid(grid: readonly GridAxis[], seeds: number): ParseResult<readonly GridAxis[]> {
  const names = grid.map(({ name }) => name)
  const twice = names.find((name, place) => names.indexOf(name) !== place)
  if (twice !== undefined) return createProblem(`the parameter ${twice} is given twice`)
  const cases = grid.reduce((product, { values }) => product * values.length, seeds)
  if (cases > maximumCases) return createProblem(`the sweep has ${cases} cases; ${maximumCases} is the most`)
  return { ok: true, value: grid }
}

const createProblem = (problem: string): { readonly ok: false; readonly problem: string } => ({
  ok: false,
  problem,
})

const recordedKinds: ReadonlySet<string> = new Set(['replay', 'trades', 'book'])

/** Returns whether all prices of a market are recorded, and so the same for each seed. */
export function isRecorded({ assets }: MarketSpec): boolean {
  return assets.every(({ model }) => recordedKinds.has(model.kind))
}

/** Returns whether all seeds of a sweep have the same price path and so are one sample of the price. */
export function isOnePath({ work }: SweepPlan): boolean {
  return work.scenario.isRecorded === true
}

/**
 * Returns a warning for several seeds over one recording: they are one sample of the price. Returns null for a
 * generated market.
 */
export function describeOnePath(plan: SweepPlan): string | null {
  const { seeds, work } = plan
  if (!isOnePath(plan) || seeds.length < 2) return null
  const path = (work.options['data'] ?? work.scenario.name).replaceAll('\n', ' ')
  return `All ${seeds.length} seeds have the price path of ${path}: they vary the book around it alone, and are one sample of the price, not ${seeds.length}.`
}

/** Lists the warnings about the results of a sweep of which `done` cases are done, each a sentence. */
export const listWarnings = (plan: SweepPlan, done: number): readonly string[] =>
  [describePart(plan, done), describeOnePath(plan), describeUnknown(plan)].filter(
    (warning) => warning !== null,
  )

/** Returns a warning for results that have a part of the plan's cases only: a shard, or what was done in time. */
function describePart(plan: SweepPlan, done: number): string | null {
  const cases = countCases(plan)
  return done >= cases
    ? null
    : `These are ${done} of the ${cases} cases of the plan: a part, which does not speak for the whole.`
}

/**
 * Returns a warning for a strategy whose inputs are not all known beforehand, with the first places; null for any other.
 */
export function describeUnknown({ work }: SweepPlan): string | null {
  const { file, unknown = [] } = work.strategy
  if (unknown.length === 0) return null
  const shown = unknown.slice(0, maximumPlaces)
  const more = unknown.length > shown.length ? ` and ${unknown.length - shown.length} more` : ''
  return `What decides ${file} is not all known beforehand (${shown.join('; ')}${more}), so its cases are known by less than what decides them.`
}

const maximumPlaces = 5

/** Returns whether a file lies below a folder. */
export function isBelow(file: string, folder: string): boolean {
  const path = relative(folder, resolve(folder, file))
  return !isAbsolute(path) && !path.startsWith('..')
}

/**
 * Returns a file's name for a plan: relative if it lies below the folder, so that a machine with the same files
 * elsewhere finds it.
 */
export function shortenPath(file: string, cwd: string): string {
  return isBelow(file, cwd) ? relative(cwd, resolve(cwd, file)).replaceAll('\\', '/') : file
}

const namedCodecs = {
  textsByName: byNameDecoder(aText),
  numbersByName: byNameDecoder((json, path) => (json === null ? null : finite(json, path))),
}
const planCodec = codecFor<RecordOf<typeof planShape>>(planShape, namedCodecs)

export function encodePlan(plan: SweepPlan): unknown {
  return planCodec.encode({ format: 'otcsim sweep plan 1', ...plan })
}

export function formatPlan(plan: SweepPlan): string {
  return `${JSON.stringify(encodePlan(plan), null, 2)}\n`
}

export function parsePlan(text: string): SweepPlan | null {
  return decodePlan(parseJson(text))
}

export function decodePlan(value: unknown): SweepPlan | null {
  const found = tryDecode(planCodec, value)
  if (found === null) return null
  const { format: _, ...plan } = found
  const { folds, windows } = plan.walkForward ?? { folds: [{ train: 0, test: 0 }], windows: [null] }
  const isWhole = folds.every(({ test, train }) => Math.max(test, train) < windows.length)
  return isWhole && folds.length > 0 ? plan : null
}

const rowShape = record({
  ...caseFields,
  /** The digest of the run; null where the strategy failed. */
  digest: nullable(text()),
  /** The figures of the run by name; null where a figure is undefined. */
  metrics: shapeTyped<{ readonly [name: string]: number | null }>({ $ref: 'numbersByName' }),
  /** Why figures are undefined, by the names of those that are; left out where there are none. */
  reasons: orNone(textsByName),
  /** The account's total value in USD at equal steps from the start of the run to its end; at most 101 values. */
  equity: anyList(anyNumber()),
  /** Why the strategy failed before the end; null where it did not. */
  failure: nullable(text()),
})

/** The result of one case: plain data, and a pure function of the case. */
export type CaseRow = RecordOf<typeof rowShape>

const rowCodec = codecFor<CaseRow>(rowShape, namedCodecs)

/** Formats a row as it is stored and compared, with keys in a fixed order, and metrics and reasons sorted by name. */
export function formatRow({ reasons, ...row }: CaseRow): string {
  const why = reasons === undefined ? {} : { reasons: sortByName(reasons) }
  return JSON.stringify(rowCodec.encode({ ...row, metrics: sortByName(row.metrics), ...why }))
}

export const decodeRow = (value: unknown): CaseRow | null => tryDecode(rowCodec, value)

const taskShape = record({
  ...caseFields,
  work: workShape,
  /** The names of the scenario's own parameters; all others belong to the strategy. */
  scenarioParameters: anyList(text()),
  /** The digest that the scenario must have with these parameters. */
  scenarioDigest: text(),
})

/** A case as it is sent to a thread or machine: everything needed to run it, as plain JSON data. */
export type CaseTask = RecordOf<typeof taskShape>

const taskCodec = codecFor<CaseTask>(taskShape, namedCodecs)

export const decodeTask = (value: unknown): CaseTask | null => tryDecode(taskCodec, value)

export type TaskAnswer =
  | { readonly ok: true; readonly row: CaseRow }
  | { readonly ok: false; readonly problem: string }

export function createTask(plan: SweepPlan, each: SweepCase): CaseTask {
  const scenarioParameters = plan.grid.filter(({ of }) => of === 'scenario').map(({ name }) => name)
  const work = narrowToWindow(plan.work, each.window)
  return { ...each, work, scenarioParameters, scenarioDigest: findScenarioDigest(plan, each.parameters) }
}
