import type { KnownNames } from '../../api/faults/read-fault-rule.ts'
import { firstClientAccount } from '../../engine/codes.ts'
import type { State } from '../../engine/state.ts'

/** The names by which fault rules of a world may match. */
export function knownNames({ config, accounts }: State): KnownNames {
  return {
    assets: config.assets.map(({ symbol }) => symbol),
    accounts: accounts.ids.slice(firstClientAccount),
  }
}
