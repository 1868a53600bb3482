import { resolve } from 'node:path'
import { workerData } from 'node:worker_threads'
import { isObject } from '../../api/json.ts'
import { loadStrategy, StrategyFileError } from '../load-strategy.ts'
import type { Strategy } from '../strategy.ts'
import { createCachedWorldSource } from '../venue/world-source.ts'
import { strategyDigest } from './digests.ts'
import type { CaseTask, TaskAnswer } from './plan.ts'
import { answerTask, type SharedInputs } from './run-case.ts'
import type { WorkerSettings } from './worker-pool.ts'

export async function runTask(task: CaseTask): Promise<TaskAnswer> {
  if (settings === null) return { ok: false, problem: 'this thread was started without the work of a sweep' }
  try {
    loading ??= loadUnchangedStrategy(task, settings.cwd)
    return await answerTask(task, await loading, settings.common, worlds)
  } catch (error) {
    if (error instanceof StrategyFileError) return { ok: false, problem: error.message }
    throw error
  }
}

const settings = hasSharedInputs(workerData) ? workerData : null
const worlds = createCachedWorldSource()
let loading: Promise<Strategy> | undefined

function hasSharedInputs(value: unknown): value is WorkerSettings & { readonly common: SharedInputs } {
  return isObject(value) && isObject(value['common']) && value['common']['scenarios'] instanceof Map
}

/**
 * Loads the strategy of a task. Rejects with a StrategyFileError where the file was changed since the sweep was
 * planned.
 */
async function loadUnchangedStrategy({ work }: CaseTask, cwd: string): Promise<Strategy> {
  const { digest, file } = work.strategy
  const strategy = await loadStrategy(file, cwd)
  if (strategyDigest(resolve(cwd, file)) === digest) return strategy
  throw new StrategyFileError(`${file} was changed while the sweep ran`)
}
