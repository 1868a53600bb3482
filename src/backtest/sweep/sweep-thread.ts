import { workerData } from 'node:worker_threads'
import { isObject } from '../../api/json.ts'
import { StrategyFileError } from '../loading/load-strategy.ts'
import { createCachedWorldSource } from '../venue/world-source.ts'
import { createKeptStrategy } from './keep-strategy.ts'
import type { CaseTask, TaskAnswer } from './plan.ts'
import { answerTask, type SharedInputs } from './run-case.ts'
import { openScenarios, type SharedScenarios } from './share-books.ts'
import type { WorkerSettings } from './worker-pool.ts'

export async function runTask(task: CaseTask): Promise<TaskAnswer> {
  if (common === null) return { ok: false, problem: 'this thread was started without the work of a sweep' }
  try {
    const answer = await answerTask(task, await kept.open(task.work.strategy), common, worlds)
    kept.check(task.work.strategy)
    return answer
  } catch (error) {
    if (error instanceof StrategyFileError) return { ok: false, problem: error.message }
    throw error
  }
}

/** What a sweep from code gives its threads. */
export type ThreadInputs = Pick<SharedInputs, 'options'> & SharedScenarios

const settings = hasSharedInputs(workerData) ? workerData : null
const common: SharedInputs | null =
  settings === null ? null : { options: settings.common.options, scenarios: openScenarios(settings.common) }
const worlds = createCachedWorldSource()
const kept = createKeptStrategy(settings?.cwd ?? process.cwd())

function hasSharedInputs(value: unknown): value is WorkerSettings & { readonly common: ThreadInputs } {
  return isObject(value) && isObject(value['common']) && value['common']['sources'] instanceof Map
}
