// Room: engine

import { expect, it } from 'vitest'
import { LadderRecovery } from '../../src/engine/ladder/ladder-recovery.ts'

/*
 * Found by random kills: a ladder that had recovered from a sweep long ago had another snapshot than its restored twin
 * when it was hit again.
 */
it('has the snapshot of a ladder that was never swept, once it has recovered', () => {
  const law = {
    refillHalfLifeMillis: 1000,
    pull: 0.5,
    pullHalfLifeMillis: 1000,
    calmMillisBetween: (from: number, to: number) => to - from,
  }
  const [swept, restored] = [new LadderRecovery(law), new LadderRecovery(law)]
  swept.add(5000, Float64Array.of(100), new Float64Array(0), true)
  const quietMillis = 100_000_000
  restored.restore(swept.capture(quietMillis, quietMillis))
  for (const recovery of [swept, restored]) {
    recovery.add(quietMillis, Float64Array.of(10), new Float64Array(0), false)
  }
  expect(swept.capture(quietMillis, quietMillis)).toEqual(restored.capture(quietMillis, quietMillis))
})
