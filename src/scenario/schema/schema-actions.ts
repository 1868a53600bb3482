import { accountActions, clientActions } from './schema-account-actions.ts'
import { marketActions } from './schema-market-actions.ts'
import { worldActions } from './schema-world-actions.ts'

/** The actions of a timeline, one shape each. */
export const actions = {
  ...marketActions,
  ...clientActions,
  ...accountActions,
  ...worldActions,
}

export type ActionName = keyof typeof actions

export const isActionName = (name: string): name is ActionName => Object.hasOwn(actions, name)

export const actionNames: readonly ActionName[] = Object.keys(actions).filter(isActionName)
