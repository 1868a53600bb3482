import { millis } from '../../src/numeric/units.ts'
import type { Steps } from '../../src/world/work-queue.ts'
import type { World } from '../../src/world/world.ts'

/** Advances a world for so long as the test wants, however fast the machine is. */
export function advanceUntilTold(world: World, byMs: number): { readonly ended: Promise<void>; end(): void } {
  let mayEnd = false
  function* pieces(): Steps<void> {
    yield* world.advanceInSteps(millis(world.now + byMs))
    while (!mayEnd) yield
  }
  const end = (): void => {
    mayEnd = true
  }
  return { ended: Promise.resolve(world.workQueue.begin(pieces())), end }
}
