import { isObject } from '../../api/json.ts'
import { isTextRecord, isTexts, parseJson } from './plain-data.ts'
import type { GridAxis, SweepPlan, SweepWork } from './plan.ts'

/** A plan as a file, and as the head of a store. */

const planFormat = 'otcsim sweep plan 1'

export function planValue(plan: SweepPlan): { readonly [name: string]: unknown } {
  return { format: planFormat, work: plan.work, grid: plan.grid, seeds: plan.seeds }
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
  return { work: known, seeds, grid }
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
  return isObject(value) && typeof value['name'] === 'string' && isTextRecord(value['digests'])
}
