import { digestWithFaults, scriptedPrefix } from '../../api/faults/fault-digest.ts'
import type { FaultRule } from '../../api/faults/fault-rule.ts'
import type { WorldAction, WorldDoor } from '../world-action.ts'

/**
 * The world around the venue for a script that runs without one. Keys, limits and clocks have no effect. Nor have fault
 * rules, but they are state, so that a run has the same digest as a world in which only the script acts.
 */
export class StandingFaults implements WorldDoor {
  private readonly rules = new Map<string, FaultRule>()

  carryOut(action: WorldAction, token: string): null {
    if (action.kind === 'fault') this.rules.set(token, action.rule)
    return null
  }

  takeBack(token: string): void {
    this.rules.delete(token)
  }

  digestWith(digest: string): string {
    const standing = [...this.rules].map(([token, rule]) => ({
      id: scriptedPrefix + token,
      rule,
      untilMillis: null,
      matched: 0,
      fired: 0,
    }))
    return digestWithFaults(digest, standing)
  }
}
