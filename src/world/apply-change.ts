import type { Readings } from '../api/readings/readings.ts'
import { none } from '../engine/codes.ts'
import type { Venue } from '../engine/venue.ts'
import type { WorldChange } from '../journal/world-change.ts'
import type { WorldSnapshot } from '../journal/world-snapshot.ts'
import { assert, unreachable } from '../numeric/assert.ts'
import type { SeenRequest } from '../scenario/actions/requests.ts'
import type { WorldControls } from './world-controls.ts'

/** The parts of a world that a recorded change touches. */
interface Changeable {
  readonly venue: Venue
  readonly controls: WorldControls
  setReadings(readings: Readings): void
  noteRequest(request: SeenRequest): void
  reset(seed: string | null, renamed: readonly string[]): void
  restore(snapshot: WorldSnapshot): void
}

/** Makes a recorded change again. */
export function applyChange(world: Changeable, change: WorldChange): void {
  switch (change.kind) {
    case 'account-opened': {
      const given = world.controls.openAccount(change.opened, change.keys)
      assert(!('code' in given), 'an account that was opened once can be again')
      return
    }
    case 'settings-changed':
      assert(
        world.controls.changeSettings(change.settings) === null,
        'settings that were made once can be again',
      )
      return
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
      const [problem] = world.controls.schedule(change.actions)
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
      world.reset(change.seed, change.renamed)
      return
    case 'restored':
      world.restore(change.snapshot)
      return
    default:
      unreachable(change)
  }
}
