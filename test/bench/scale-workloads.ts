import { Random } from './random.ts'
import type { Workload } from './workload.ts'
import { WorkloadRecorder } from './workload-recorder.ts'

const middleTicks = 5_000_000

/** Orders that only rest, at a thousand levels per side; placing them is timed. */
export function makeOpenOrders(seed: string, orders: number): Workload {
  const random = new Random(seed, 'open')
  const recorder = new WorkloadRecorder(random, 1, 1_000)
  recorder.startTimed()
  for (let order = 0; order < orders; order += 1) {
    const side = random.below(2)
    const distance = random.between(1, 1_000)
    recorder.place(
      0,
      side,
      side === 0 ? middleTicks - distance : middleTicks + distance,
      random.between(1, 100),
    )
  }
  return recorder.finish('open-orders')
}

/** Orders that rest at one price, or each at its own; cancelling them in random order is timed. */
export function makeCancels(seed: string, orders: number, prices: 'one' | 'distinct'): Workload {
  const random = new Random(seed, 'cancels')
  const recorder = new WorkloadRecorder(random, 1, 100)
  for (let order = 0; order < orders; order += 1) {
    recorder.place(0, 0, prices === 'one' ? middleTicks : middleTicks - order, 10 * random.between(1, 100))
  }
  recorder.startTimed()
  for (let order = 0; order < orders; order += 1) recorder.cancel(recorder.anyResting().order)
  return recorder.finish(`cancels-${prices}`)
}
