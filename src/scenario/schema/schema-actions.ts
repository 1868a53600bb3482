import type { Schema } from '../read/schema-type.ts'
import { accountActions, clientActions } from './schema-account-actions.ts'
import { marketActions } from './schema-market-actions.ts'
import { worldActions } from './schema-world-actions.ts'

/** The actions of a timeline, one shape each. */
export const actions: { readonly [name: string]: Schema } = {
  ...marketActions,
  ...clientActions,
  ...accountActions,
  ...worldActions,
}

/** The names of the actions. */
export const actionNames: readonly string[] = Object.keys(actions)
