import type { Shape } from '../../shape/shape.ts'
import { childField, type Field, requiredField } from '../file/fields.ts'
import { accountActions } from './accounts.ts'
import type { ActionKind, ActionLabel, ActionScope } from './action.ts'
import { agentActions, awaitActions } from './clients.ts'
import { marketActions } from './market.ts'
import { orderActions } from './orders.ts'
import { readWords, toFileSchema } from './parts.ts'
import { worldActions } from './world.ts'

/** The actions of a timeline, in the order of the reference. */
const kinds = {
  ...marketActions,
  ...orderActions,
  ...accountActions,
  ...agentActions,
  ...worldActions,
  ...awaitActions,
}

export type ActionName = keyof typeof kinds

/** An action as plain data, with everything read that only needs the file. */
export type ScriptedAction = {
  [Name in ActionName]: { readonly kind: Name } & ((typeof kinds)[Name] extends ActionKind<infer Action>
    ? Action
    : never)
}[ActionName]

export const isActionName = (name: string): name is ActionName => Object.hasOwn(kinds, name)

export const actionNames: readonly ActionName[] = Object.keys(kinds).filter(isActionName)

/** Returns the kind of an action. Its functions only take actions of the name that was asked for. */
export const kindOf = (name: ActionName): ActionKind<ScriptedAction> => Object(kinds[name])

export const eventNameOf = (action: ScriptedAction): string =>
  kindOf(action.kind).eventName?.(action) ?? action.kind

/** Returns the label of what an action makes or changes; null when there is none. */
export function findActionLabel(action: ScriptedAction): ActionLabel | null {
  const made = kindOf(action.kind).makes?.kind ?? 'either'
  if ('label' in action && action.label !== undefined && made !== 'either')
    return { kind: made, label: action.label, isMade: true }
  if ('order' in action && action.order !== undefined)
    return { kind: 'order', label: action.order.label, isMade: false }
  if ('quote' in action && action.quote !== undefined)
    return { kind: 'quote', label: action.quote.label, isMade: false }
  return null
}

export const actionSchemas: { readonly [name: string]: Shape } = Object.fromEntries(
  actionNames.map((name) => [name, kindOf(name).schema ?? toFileSchema(kindOf(name).shape)]),
)

export function compileAction(entry: Field, scope: ActionScope): ScriptedAction {
  const kind = actionNames.find((candidate) => childField(entry, candidate) !== null)
  // The schema check has reported this.
  if (kind === undefined) return emptyNote
  const field = requiredField(entry, kind)
  const { shape, read, check } = kindOf(kind)
  const words = read === undefined ? readWords(shape, field, scope) : read(field, scope)
  if (words === null) return emptyNote
  const action: ScriptedAction = Object.assign(Object(words), { kind })
  check?.(action, field, scope)
  return action
}

const emptyNote: ScriptedAction = { kind: 'note', text: '' }
