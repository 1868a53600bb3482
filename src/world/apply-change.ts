import { none } from '../engine/codes.ts'
import { assert, unreachable } from '../numeric/assert.ts'
import type { WorldChange } from './observer.ts'
import type { World } from './world.ts'

/** Makes a change that an observer has written down once more. */
export function applyChange(world: World, change: WorldChange): void {
  switch (change.kind) {
    case 'key-given': {
      const account = world.venue.state.accounts.rowOf(change.account)
      assert(account !== none, 'a key is given to an account that is there')
      world.controls.giveKey(account, change.scopes, change.apiKey, change.apiSecret)
      return
    }
    case 'key-revoked':
      world.controls.revokeKey(change.apiKey)
      return
    case 'rate-limits':
      world.controls.setRateLimits(change.limits)
      return
    case 'clock':
      world.controls.setClock(change.settings)
      return
    case 'fault-added':
      world.controls.addFault(change.rule, change.id)
      return
    case 'fault-removed':
      world.controls.removeFault(change.id)
      return
    case 'fault-counted':
      world.controls.countFault(change.id, change.matched, change.fired)
      return
    case 'readings':
      world.setReadings(change.readings)
      return
    case 'timeline': {
      const [problem] = world.schedule(change.actions)
      assert(
        problem === undefined,
        `what was scheduled once can be again, but ${problem?.path} ${problem?.reason}`,
      )
      return
    }
    case 'request-seen':
      world.noteRequest(change.request)
      return
    case 'reset':
      world.reset(change.seed)
      return
    case 'restored':
      world.restore(change.snapshot)
      return
    default:
      unreachable(change)
  }
}
