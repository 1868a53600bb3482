import { formatDuration, millisToIso, parseDuration } from '../../numeric/time-text.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import { type ParameterDeclarations, resolveParameters } from '../parameters.ts'
import { resolveEquityGrid, resolveRunSpan } from '../run-span.ts'
import { scenarioDigest } from './digests.ts'
import {
  checkGrid,
  formatCell,
  type GridAxis,
  isRecorded,
  listCells,
  type ParseResult,
  pickParameters,
  type SweepCase,
  type SweepFold,
  type SweepPlan,
  type SweepSetup,
  type SweepWindow,
  type WalkForward,
} from './plan.ts'

export interface PlanRequest {
  readonly version: string
  readonly strategy: SweepSetup['strategy'] & { readonly declarations: ParameterDeclarations | undefined }
  readonly scenario: {
    readonly name: string
    readonly of: (parameters: SweepCase['parameters']) => CompiledScenario | Promise<CompiledScenario>
  }
  /** The options of each case as texts, by their names. */
  readonly options: SweepSetup['options']
  readonly seeds: readonly string[]
  readonly grid: readonly GridAxis[]
  /** The spans of training and test of a walk forward, such as `180d/30d` or `180d/30d,anchored,embargo=2d`. */
  readonly walkForward: string | undefined
}

/**
 * Plans a sweep, and checks what can be checked before it runs: the grid, every cell's parameters, every scenario.
 * Rejects with a RangeError that names the option.
 */
export async function makePlan(request: PlanRequest): Promise<SweepPlan> {
  const { options, scenario, seeds, strategy, version } = request
  const walkForward = request.walkForward === undefined ? undefined : await planWalkForward(request)
  const grid = unwrapParsed(checkGrid(request.grid, seeds.length * (walkForward?.windows.length ?? 1)))
  for (const parameters of listCells(grid)) {
    const own = pickParameters({ grid }, { parameters }, 'strategy')
    resolveParameters(strategy.declarations ?? {}, Object.fromEntries(own))
  }
  const digests: Record<string, string> = {}
  let areRecorded = true
  for (const parameters of listScenarioCells(grid)) {
    const compiled = await scenario.of(parameters)
    checkSpans(compiled, options, walkForward)
    digests[formatCell(parameters)] = scenarioDigest(compiled)
    areRecorded &&= isRecorded(compiled.venue.market)
  }
  const { unknown = [] } = strategy
  const work: SweepSetup = {
    version,
    strategy: {
      file: strategy.file,
      digest: strategy.digest,
      ...(unknown.length === 0 ? {} : { unknown }),
    },
    scenario: { name: scenario.name, digests, ...(areRecorded ? { isRecorded: true } : {}) },
    options,
  }
  return { work, seeds, grid, ...(walkForward === undefined ? {} : { walkForward }) }
}

/** Checks the span of every case of a scenario, and the points of equity in it. Throws a RangeError that names the option. */
function checkSpans(
  scenario: CompiledScenario,
  options: PlanRequest['options'],
  walkForward: WalkForward | undefined,
): void {
  for (const window of walkForward?.windows ?? [options]) {
    const { fromMillis, toMillis } = resolveRunSpan(scenario, window)
    resolveEquityGrid(options['equityGrid'], toMillis - fromMillis)
  }
}

/** Lists every combination of the scenario's own parameters. */
export function listScenarioCells(grid: readonly GridAxis[]): readonly SweepCase['parameters'][] {
  return listCells(grid.filter(({ of }) => of === 'scenario'))
}

/**
 * Plans the windows and folds between `from` and `to`; by default, between the ends of the first cell's market. They
 * are the same for all cells.
 */
async function planWalkForward({
  grid,
  options,
  scenario,
  walkForward = '',
}: PlanRequest): Promise<WalkForward> {
  const spans = unwrapParsed(nameWalkForward(parseWalkForward(walkForward)))
  const [first = {}] = listScenarioCells(grid)
  const { fromMillis, toMillis } = resolveRunSpan(await scenario.of(first), options)
  return unwrapParsed(nameWalkForward(createWalkForward(fromMillis, toMillis, spans)))
}

function nameWalkForward<Value>(parsed: ParseResult<Value>): ParseResult<Value> {
  return parsed.ok ? parsed : { ok: false, problem: `walkForward: ${parsed.problem}` }
}

function unwrapParsed<Value>(parsed: ParseResult<Value>): Value {
  if (parsed.ok) return parsed.value
  throw new RangeError(parsed.problem)
}

/*
 * Parameters that were chosen on a stretch of the market say nothing about that stretch. So a walk forward chooses them
 * in one window and judges them in the next, which begins where the first one ends, or after an embargo; then both move
 * on by the length of a test. Where the training is anchored, only its end moves.
 */

const maximumFolds = 1_000

/** How a walk forward moves; lengths are in milliseconds. */
interface WalkForwardSpans {
  readonly trainMillis: number
  readonly testMillis: number
  /** The time between a training and its test, in which neither looks: positions and averages reach across an edge. */
  readonly embargoMillis: number
  /** Whether every training begins at the first instant and so grows; `trainMillis` is then the length of the first. */
  readonly isAnchored: boolean
}

export function parseWalkForward(text: string): ParseResult<WalkForwardSpans> {
  const [spans = '', ...words] = text.split(',')
  const [train, test, ...more] = spans.split('/')
  const trainMillis = parseDuration(train ?? '')
  const testMillis = parseDuration(test ?? '')
  if (
    !(trainMillis !== null && trainMillis > 0 && testMillis !== null && testMillis > 0 && more.length === 0)
  )
    return {
      ok: false,
      problem: `expected the spans of training and test, such as 180d/30d, found "${text}"`,
    }
  let embargoMillis = 0
  let isAnchored = false
  for (const word of words) {
    const embargo = word.startsWith('embargo=') ? parseDuration(word.slice('embargo='.length)) : null
    if (word === 'anchored' && !isAnchored) isAnchored = true
    else if (embargo !== null && embargo > 0 && embargoMillis === 0) embargoMillis = embargo
    else
      return {
        ok: false,
        problem: `expected anchored or an embargo after the spans, such as 180d/30d,anchored,embargo=2d, found "${word}"`,
      }
  }
  return { ok: true, value: { trainMillis, testMillis, embargoMillis, isAnchored } }
}

/**
 * Creates as many folds as fit between two instants, the first beginning at the first of them. A rest that is shorter
 * than a test is left out.
 */
export function createWalkForward(
  fromMillis: number,
  toMillis: number,
  { embargoMillis, isAnchored, testMillis, trainMillis }: WalkForwardSpans,
): ParseResult<WalkForward> {
  const beforeMillis = trainMillis + embargoMillis
  const count = Math.floor((toMillis - fromMillis - beforeMillis) / testMillis)
  if (count < 1) {
    const whole = formatDuration(beforeMillis + testMillis)
    const span = formatDuration(Math.max(0, toMillis - fromMillis))
    const what = embargoMillis === 0 ? 'training and test' : 'training, embargo and test'
    return { ok: false, problem: `${what} take ${whole}, and there are ${span}` }
  }
  if (count > maximumFolds)
    return { ok: false, problem: `there would be ${count} tests; ${maximumFolds} is the most` }
  const windows: SweepWindow[] = []
  const places = new Map<string, number>()
  const addWindow = (begin: number, end: number): number => {
    const key = `${begin} ${end}`
    const known = places.get(key) ?? windows.length
    if (known === windows.length) windows.push({ from: millisToIso(begin), to: millisToIso(end) })
    places.set(key, known)
    return known
  }
  const folds = Array.from({ length: count }, (_, fold): SweepFold => {
    const end = fromMillis + fold * testMillis + trainMillis
    const begin = isAnchored ? fromMillis : end - trainMillis
    const test = end + embargoMillis
    return { train: addWindow(begin, end), test: addWindow(test, test + testMillis) }
  })
  return { ok: true, value: { windows, folds } }
}
