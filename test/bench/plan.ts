import type { ContenderName } from './contenders/contender.ts'
import { contenderNames } from './contenders/contender.ts'
import type { MixName } from './mixes.ts'
import { makeMix, mixNames } from './mixes.ts'
import { makeCancels, makeOpenOrders } from './scale-workloads.ts'
import type { Workload } from './workload.ts'

/** How large and how long a run is. */
export interface Size {
  readonly seed: string
  /** Timed commands of a mix. */
  readonly commands: number
  readonly rounds: number
  /** Least work that one process times, milliseconds. */
  readonly millis: number
  /** Scales the stated sizes of the books, 1 being the stated ones. */
  readonly scale: number
}

/** One job of the run: one contender on one workload, in a process of its own, once per round. */
export interface Job {
  readonly key: string
  readonly task: 'play' | 'weigh' | 'snapshot'
  readonly contender: ContenderName
  readonly workload: string
}

export interface Plan {
  readonly workloads: ReadonlyMap<string, () => Workload>
  readonly jobs: readonly Job[]
}

export function makePlan(size: Size, mixes: readonly MixName[], contenders: readonly ContenderName[]): Plan {
  const { seed, commands, scale } = size
  const workloads = new Map<string, () => Workload>()
  const jobs: Job[] = []
  const add = (contender: ContenderName, workload: string, task: Job['task'] = 'play'): void => {
    if (contenders.includes(contender))
      jobs.push({ key: jobKey(contender, workload), task, contender, workload })
  }
  for (const mix of mixNames.filter((name) => mixes.includes(name))) {
    workloads.set(mix, () => makeMix(mix, seed, commands, scale))
    for (const contender of contenderNames) add(contender, mix)
  }
  const cancels = 20_000
  workloads.set('cancels-one', () => makeCancels(seed, cancels, 'one'))
  workloads.set('cancels-distinct', () => makeCancels(seed, cancels, 'distinct'))
  for (const contender of ['orderbook-match-engine', 'book', 'engine'] as const) {
    add(contender, 'cancels-one')
    add(contender, 'cancels-distinct')
  }
  workloads.set('open-orders', () => makeOpenOrders(seed, Math.round(1_000_000 * scale)))
  workloads.set('half-open-orders', () => makeOpenOrders(seed, Math.round(500_000 * scale)))
  workloads.set('short-run', () => makeMix('place-cancel', seed, Math.round(100_000 * scale), 1))
  workloads.set('long-run', () => makeMix('place-cancel', seed, Math.round(1_000_000 * scale), 1))
  add('engine', 'open-orders', 'weigh')
  add('engine', 'half-open-orders', 'snapshot')
  add('engine', 'short-run')
  add('engine', 'long-run')
  return { workloads, jobs }
}

export function jobKey(contender: ContenderName, workload: string): string {
  return `${workload} ${contender}`
}
