import { isObject } from '../../api/json.ts'
import { usualValidForSeconds } from '../../api/schemas/quote.ts'
import { limit, market } from '../../engine/codes.ts'
import type { Metadata } from '../../engine/metadata.ts'
import { atoms, type Millis, millis } from '../../numeric/units.ts'
import { assetAtoms, durationOr, priceTermOf, stepsOf } from '../file/amounts.ts'
import {
  complain,
  complainOfName,
  type Field,
  fieldOf,
  numberOr,
  optional,
  requiredField,
  scalarOf,
  textOf,
  wordOr,
} from '../file/fields.ts'
import { compileLimits } from '../file/limits.ts'
import { accountOf, assetOf, holdingOf, noAsset, pairOf, sideOf, timeInForceOf } from '../file/references.ts'
import { toPlain } from '../file/tree.ts'
import { actionNames } from '../schema/schema-actions.ts'
import type { ActionScope } from './action-scope.ts'
import { compileMarketAction } from './compile-market-action.ts'
import { compileWorldAction } from './compile-world-action.ts'
import type { ScriptedAction } from './scripted-action.ts'

/** The one action of a timeline entry. */
export function compileAction(entry: Field, scope: ActionScope): ScriptedAction {
  const name = actionNames.find((candidate) => fieldOf(entry, candidate) !== null)
  // The schema has said so.
  if (name === undefined) return { kind: 'note', text: '' }
  const action = requiredField(entry, name)
  switch (name) {
    case 'order':
      return compileOrder(action, scope)
    case 'amend':
      return compileAmend(action, scope)
    case 'cancel':
      return compileCancel(action, scope)
    case 'quote':
      return compileQuote(action, scope)
    case 'deposit':
    case 'withdraw':
      return compileTransfer(name, action, scope)
    case 'limits':
      return {
        kind: 'limits',
        account: accountOf(requiredField(action, 'account'), scope),
        change: compileLimits(requiredField(action, 'set'), scope.assets),
      }
    case 'agentOrder':
      return compileAgentOrder(action, scope)
    case 'path':
    case 'liquidity':
    case 'halt':
    case 'resume':
    case 'pair':
      return compileMarketAction(name, action, scope)
    case 'settle':
      return compileSettle(action, scope)
    case 'note':
      return { kind: 'note', text: textOf(action) }
    case 'key':
    case 'rateLimit':
    case 'fault':
    case 'clock':
    case 'snapshot':
    case 'agent':
    case 'await':
      return compileWorldAction(name, action, scope)
  }
}

function compileOrder(action: Field, scope: ActionScope): ScriptedAction {
  const asset = assetOf(requiredField(action, 'asset'), scope)
  const pair = pairOf(asset, scope)
  const type = wordOr(fieldOf(action, 'orderType'), ['limit', 'market'], 'limit') === 'limit' ? limit : market
  const price = fieldOf(action, 'price')
  if (type === limit && price === null) complain(action, 'a limit order needs a "price"')
  if (type === market && price !== null) complain(price, 'a market order has no price')
  return {
    kind: 'order',
    label: labelOf(action),
    account: accountOf(requiredField(action, 'account'), scope),
    asset,
    side: sideOf(requiredField(action, 'side')),
    type,
    timeInForce: timeInForceOf(fieldOf(action, 'timeInForce'), 'GTC'),
    quantitySteps: stepsOf(requiredField(action, 'quantity'), pair),
    price: price === null ? null : priceTermOf(price, pair),
    clientOrderId: optional(action, 'clientOrderId', textOf),
    metadata: metadataOf(fieldOf(action, 'metadata')),
  }
}

function compileAmend(action: Field, scope: ActionScope): ScriptedAction {
  const target = targetOf(action, scope)
  if (target === null) {
    complain(action, 'name the "order" or the "quote" to amend, by its label')
    return { kind: 'note', text: '' }
  }
  const pair = pairOf(target.asset, scope)
  const foreign = target.kind === 'order' ? quoteFields : orderFields
  for (const key of foreign) {
    const field = fieldOf(action, key)
    if (field !== null)
      complain(field, `an ${target.kind === 'order' ? 'order' : 'amended quote'} has no "${key}"`)
  }
  const steps = (key: string) => optional(action, key, (field) => stepsOf(field, pair))
  const price = (key: string) => optional(action, key, (field) => priceTermOf(field, pair))
  const isEmpty = [...orderFields, ...quoteFields].every((key) => fieldOf(action, key) === null)
  if (isEmpty) complain(action, 'say what to change')
  if (target.kind === 'order') {
    return { kind: 'amend', label: target.label, quantitySteps: steps('quantity'), price: price('price') }
  }
  return {
    kind: 'amend-quote',
    label: target.label,
    bidPrice: price('bidPrice'),
    askPrice: price('askPrice'),
    bidSteps: steps('bidSize'),
    askSteps: steps('askSize'),
    validForMillis: optional(action, 'validForSeconds', secondsOf),
  }
}

const orderFields = ['quantity', 'price']
const quoteFields = ['bidPrice', 'askPrice', 'bidSize', 'askSize', 'validForSeconds']

function compileCancel(action: Field, scope: ActionScope): ScriptedAction {
  const target = targetOf(action, scope)
  if (target !== null) {
    for (const key of ['account', 'asset', 'side']) {
      const field = fieldOf(action, key)
      if (field !== null) complain(field, `the label says which; leave "${key}" out, or the label`)
    }
    return target.kind === 'order'
      ? { kind: 'cancel-order', label: target.label }
      : { kind: 'cancel-quote', label: target.label }
  }
  const account = fieldOf(action, 'account')
  if (account === null) {
    complain(action, 'name the "order" or the "quote" to cancel, or an "account" for all its orders')
    return { kind: 'note', text: '' }
  }
  return {
    kind: 'cancel-orders',
    account: accountOf(account, scope),
    asset: optional(action, 'asset', (field) => assetOf(field, scope)),
    side: optional(action, 'side', sideOf),
  }
}

function compileQuote(action: Field, scope: ActionScope): ScriptedAction {
  const asset = assetOf(requiredField(action, 'asset'), scope)
  const pair = pairOf(asset, scope)
  return {
    kind: 'quote',
    label: labelOf(action),
    account: accountOf(requiredField(action, 'account'), scope),
    asset,
    bidPrice: priceTermOf(requiredField(action, 'bidPrice'), pair),
    askPrice: priceTermOf(requiredField(action, 'askPrice'), pair),
    bidSteps: stepsOf(requiredField(action, 'bidSize'), pair),
    askSteps: stepsOf(requiredField(action, 'askSize'), pair),
    validForMillis: optional(action, 'validForSeconds', secondsOf) ?? millis(usualValidForSeconds * 1_000),
    clientQuoteId: optional(action, 'clientQuoteId', textOf),
    metadata: metadataOf(fieldOf(action, 'metadata')),
  }
}

function compileTransfer(kind: 'deposit' | 'withdraw', action: Field, scope: ActionScope): ScriptedAction {
  const asset = holdingOf(requiredField(action, 'asset'), scope)
  const config = scope.assets[asset]
  const quantity = requiredField(action, 'quantity')
  return {
    kind,
    label: labelOf(action),
    account: accountOf(requiredField(action, 'account'), scope),
    asset,
    atoms: config === undefined ? atoms(0) : assetAtoms(quantity, config),
    pendingMillis: durationOr(fieldOf(action, 'pending'), millis(0)),
  }
}

function compileSettle(action: Field, scope: ActionScope): ScriptedAction {
  const transfer = fieldOf(action, 'transfer')
  const account = fieldOf(action, 'account')
  const asset = fieldOf(action, 'asset')
  if ((transfer === null) === (account === null))
    complain(action, 'name the "transfer" by its label, or an "account" for all of its own')
  if (transfer !== null) {
    const label = textOf(transfer)
    if (!scope.transfers.has(label)) {
      const reason = `no deposit or withdrawal is called "${label}"; its "as" gives it its name`
      complainOfName(transfer, reason, scope.transfers)
    }
    if (asset !== null) complain(asset, '"asset" goes with "account"')
    return { kind: 'settle', target: { label } }
  }
  const owner = account === null ? 0 : accountOf(account, scope)
  return {
    kind: 'settle',
    target: { account: owner, asset: optional(action, 'asset', (symbol) => holdingOf(symbol, scope)) },
  }
}

function compileAgentOrder(action: Field, scope: ActionScope): ScriptedAction {
  const asset = assetOf(requiredField(action, 'asset'), scope)
  return {
    kind: 'agent-order',
    asset,
    side: sideOf(requiredField(action, 'side')),
    quantitySteps: stepsOf(requiredField(action, 'quantity'), pairOf(asset, scope)),
    targetAccount: accountOf(requiredField(requiredField(action, 'target'), 'account'), scope),
  }
}

interface Target {
  readonly kind: 'order' | 'quote'
  readonly label: string
  readonly asset: number
}

function targetOf(action: Field, scope: ActionScope): Target | null {
  const order = fieldOf(action, 'order')
  const quote = fieldOf(action, 'quote')
  if (order !== null && quote !== null) complain(quote, 'name an order or a quote, not both')
  const field = order ?? quote
  if (field === null) return null
  const kind = order === null ? 'quote' : 'order'
  const labels = order === null ? scope.quotes : scope.orders
  const label = textOf(field)
  const asset = labels.get(label)
  if (asset === undefined) {
    const reason = `no ${kind} is called "${label}"; an action's "as" gives it its name`
    complainOfName(field, reason, labels.keys())
  }
  return { kind, label, asset: asset ?? noAsset }
}

const labelOf = (action: Field): string | null => optional(action, 'as', textOf)

function secondsOf(field: Field): Millis {
  const value = numberOr(field, 30) * 1000
  if (!Number.isInteger(value)) complain(field, `${scalarOf(field).text} is finer than a millisecond`)
  return millis(Math.round(value))
}

function metadataOf(field: Field | null): Metadata | null {
  const plain = field === null ? null : toPlain(field.tree)
  return isObject(plain) ? plain : null
}
