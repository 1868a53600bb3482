import type { State } from '../state.ts'
import { captureForDigest } from './capture-state.ts'
import { digestInSteps } from './digest.ts'
import { Later } from './later.ts'

/**
 * Digests of a state as it is when they are asked for, each made by and by: only orders are copied at once, into memory
 * that all digests use, so the one before is finished first.
 */
export class LaterDigests {
  private memory = new Uint8Array(0)
  private newest: Later<string> | null = null

  of(state: State): Later<string> {
    this.newest?.finish()
    const bytes = state.orders.view().length
    if (this.memory.length < bytes) this.memory = new Uint8Array(2 * bytes)
    this.newest = new Later(digestInSteps(captureForDigest(state, this.memory)))
    return this.newest
  }
}
