import type { KnownNames } from '../../api/faults/read-fault-rule.ts'
import { firstClientAccount } from '../../engine/codes.ts'
import type { World } from '../world.ts'

/** The names that a world's fault rules may match by. */
export function knownNames({ venue }: World): KnownNames {
  const { config, accounts } = venue.state
  return {
    assets: config.assets.map(({ symbol }) => symbol),
    accounts: accounts.ids.slice(firstClientAccount),
  }
}
