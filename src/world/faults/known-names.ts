import type { KnownNames } from '../../api/faults/read-fault-rule.ts'
import { firstClientAccount } from '../../engine/codes.ts'
import type { World } from '../world.ts'

/** The names by which fault rules of a world may match. */
export function knownNames({ venue }: World): KnownNames {
  const { config, accounts } = venue.state
  return {
    assets: config.assets.map(({ symbol }) => symbol),
    accounts: accounts.ids.slice(firstClientAccount),
  }
}
