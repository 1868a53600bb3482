import { isObject, parseJson } from '../../api/json.ts'
import type { GridAxis, SweepFold, SweepPlan, SweepWindow, SweepWork, WalkForward } from './plan.ts'

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
