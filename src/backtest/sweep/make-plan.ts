import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import { type ParameterDeclarations, resolveParameters } from '../parameters.ts'
import { runSpan } from '../run-span.ts'
import { isRecorded } from './one-path.ts'
import { checkGrid, type Parsed } from './parse-grid.ts'
import {
  cellName,
  cellsOf,
  type GridAxis,
  parametersOf,
  type SweepCase,
  type SweepPlan,
  type SweepWork,
  type WalkForward,
} from './plan.ts'
import { scenarioDigest } from './scenario-digest.ts'
import { parseWalkForward, walkForwardBetween } from './walk-forward.ts'

export interface PlanRequest {
  readonly version: string
  readonly strategy: SweepWork['strategy'] & { readonly declarations: ParameterDeclarations | undefined }
  readonly scenario: {
    readonly name: string
    /** The scenario with these values of its own parameters. */
    readonly of: (parameters: SweepCase['parameters']) => CompiledScenario | Promise<CompiledScenario>
  }
  /** How a case is run, as texts by option names. */
  readonly options: SweepWork['options']
  readonly seeds: readonly string[]
  readonly grid: readonly GridAxis[]
  /** Spans of training and test: `180d/30d`. */
  readonly walkForward: string | undefined
}

/**
 * Plans a sweep, and checks what can be checked before it runs: the grid, every cell's parameters, every scenario.
 * Rejects with a RangeError that names the option.
 */
export async function makePlan(request: PlanRequest): Promise<SweepPlan> {
  const { options, scenario, seeds, strategy, version } = request
  const walkForward = request.walkForward === undefined ? undefined : await walkForwardOf(request)
  const grid = taken(checkGrid(request.grid, seeds.length * (walkForward?.windows.length ?? 1)))
  for (const parameters of cellsOf(grid)) {
    const own = parametersOf({ grid }, { parameters }, 'strategy')
    resolveParameters(strategy.declarations ?? {}, Object.fromEntries(own))
  }
  const digests: Record<string, string> = {}
  let areRecorded = true
  for (const parameters of scenarioCellsOf(grid)) {
    const compiled = await scenario.of(parameters)
    digests[cellName(parameters)] = scenarioDigest(compiled)
    areRecorded &&= isRecorded(compiled.venue.market)
  }
  const work: SweepWork = {
    version,
    strategy: { file: strategy.file, digest: strategy.digest },
    scenario: { name: scenario.name, digests, ...(areRecorded ? { isRecorded: true } : {}) },
    options,
  }
  return { work, seeds, grid, ...(walkForward === undefined ? {} : { walkForward }) }
}

/** Every combination of the scenario's own parameters. */
export function scenarioCellsOf(grid: readonly GridAxis[]): readonly SweepCase['parameters'][] {
  return cellsOf(grid.filter(({ of }) => of === 'scenario'))
}

/** The windows between `from` and `to`, or the ends of the first cell's market: they are the same for all cells. */
async function walkForwardOf({
  grid,
  options,
  scenario,
  walkForward = '',
}: PlanRequest): Promise<WalkForward> {
  const spans = taken(aboutWalkForward(parseWalkForward(walkForward)))
  const [first = {}] = scenarioCellsOf(grid)
  const { fromMillis, toMillis } = runSpan(await scenario.of(first), options)
  return taken(aboutWalkForward(walkForwardBetween(fromMillis, toMillis, spans)))
}

function aboutWalkForward<Value>(parsed: Parsed<Value>): Parsed<Value> {
  return parsed.ok ? parsed : { ok: false, problem: `walkForward: ${parsed.problem}` }
}

function taken<Value>(parsed: Parsed<Value>): Value {
  if (parsed.ok) return parsed.value
  throw new RangeError(parsed.problem)
}
