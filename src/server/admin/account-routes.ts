import * as shapes from '../../api/admin-answers.ts'
import * as bodies from '../../api/admin-bodies.ts'
import { amountNumber } from '../../api/answer.ts'
import { readAtoms } from '../../api/input/read-body.ts'
import { toProblem } from '../../api/refusals.ts'
import { none } from '../../engine/codes.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { millis } from '../../numeric/units.ts'
import type { Result } from '../../scenario/file/mistake.ts'
import type { RecordOf } from '../../shape/shape.ts'
import { changeSettings, giveKey, openAccount, revokeApiKey } from '../../world/change-world.ts'
import { formatTransferId } from '../../world/events/describe-event.ts'
import { readAccountChange, readNewAccount } from '../../world/script/account-form.ts'
import { accountTermsView, accountViews, keyView } from '../../world/views/world-views.ts'
import type { World } from '../../world/world.ts'
import { documentedAccount, documentedAccountChange } from './documented-bodies.ts'
import {
  type AdminCall,
  AdminRefusal,
  type AdminRoute,
  assetSymbols,
  execute,
  findPathAccount,
  inWorld,
  refuseForm,
  requireNoConflict,
  requireValue,
  unknownName,
  unknownWord,
} from './route.ts'

export const accountRoutes: readonly AdminRoute[] = [
  inWorld('GET', '/accounts', {
    id: 'listAccounts',
    summary: 'The accounts with their working keys',
    response: shapes.accountList,
    answer: (world) => ({ accounts: accountViews(world) }),
  }),
  inWorld('POST', '/accounts', {
    id: 'openAccount',
    summary: 'Open an account, in the form of a scenario',
    response: shapes.account,
    status: 201,
    errors: [409],
    example: { body: { id: 'example', balances: { USD: 1_000_000 } } },
    body: bodies.accountForm,
    documentedBody: documentedAccount,
    answer: createAccount,
  }),
  inWorld('PATCH', '/accounts/:account', {
    id: 'changeAccount',
    summary: 'Change limits, fees or type of an account',
    response: shapes.accountTerms,
    errors: [409],
    example: { body: { limits: { maxOpenOrders: 50 } } },
    body: bodies.accountChangeBody,
    documentedBody: documentedAccountChange,
    answer: changeAccount,
  }),
  inWorld('POST', '/accounts/:account/keys', {
    id: 'createKey',
    summary: 'Issue a key',
    response: shapes.key,
    status: 201,
    errors: [409],
    example: {
      body: { scopes: ['READ', 'TRADE'], apiKey: 'simk_example', apiSecret: 'sims_example' },
    },
    body: bodies.keyBody,
    answer: createKey,
  }),
  inWorld('DELETE', '/keys/:apiKey', {
    id: 'revokeKey',
    summary: 'Revoke a key: from now on it counts as unknown',
    response: shapes.revoked,
    // Revoking a key again changes nothing.
    answer: (world, { params: { apiKey = '' } }) => {
      if (revokeApiKey(world, apiKey)) return { apiKey, revoked: true }
      const known = world.keys.list().map((key) => key.apiKey)
      throw unknownName('key', apiKey, known)
    },
  }),
  inWorld('POST', '/accounts/:account/deposits', {
    id: 'deposit',
    summary: 'Move money in, at once or pending',
    response: shapes.transfer,
    status: 201,
    errors: [409],
    example: { body: { asset: 'USD', quantity: 1000 } },
    body: bodies.transferBody,
    answer: (world, call, body) => transfer(world, 'deposit', call, body),
  }),
  inWorld('POST', '/accounts/:account/withdrawals', {
    id: 'withdraw',
    summary: 'Move money out, at once or pending',
    response: shapes.transfer,
    status: 201,
    errors: [409],
    example: { body: { asset: 'USD', quantity: 100, pendingMs: 60_000 } },
    body: bodies.transferBody,
    answer: (world, call, body) => transfer(world, 'withdraw', call, body),
  }),
]

/** Opens an account. Errors, in order: 400 the form; 409 a key in use; 409 the id in use. */
function createAccount(world: World, { worlds }: AdminCall, form: RecordOf<typeof bodies.accountForm>) {
  const { config, keys } = requireForm(readNewAccount(world.venue.state, form))
  for (const { apiKey } of keys) requireNoConflict(apiKey === null ? null : worlds.findKeyConflict(apiKey))
  const given = openAccount(world, config, keys)
  if ('code' in given)
    throw new AdminRefusal(toProblem(given, world.venue.state.assets, none, world.readings))
  for (const key of given) worlds.routeKey(world, key)
  return { id: config.id, keys: given.map(keyView) }
}

function requireForm<Value>(read: Result<Value>): Value {
  if (!read.ok) throw refuseForm(read.problems)
  return read.value
}

/**
 * Changes an account. Errors, in order: 404 the account; 400 the form; 409 for an account in debt that is to be a cash
 * account.
 */
function changeAccount(world: World, call: AdminCall, form: RecordOf<typeof bodies.accountChangeBody>) {
  const account = findPathAccount(world, call)
  const { limits, fees, type } = requireForm(readAccountChange(world.venue.state, account, form))
  const rejection = changeSettings(world, [
    ...(type === null ? [] : [{ kind: 'set-account-type' as const, account, type }]),
    ...(limits === null ? [] : [{ kind: 'set-limits' as const, account, limits }]),
    ...(fees === null ? [] : [{ kind: 'set-fees' as const, account, ...fees }]),
  ])
  if (rejection !== null) {
    const reason = 'An account that owes anything must stay a margin account'
    throw new AdminRefusal({ code: 'conflict', reason })
  }
  return accountTermsView(world, account)
}

/** Issues a key. Errors, in order: 404 the account; 409 a key in use. */
function createKey(world: World, call: AdminCall, body: RecordOf<typeof bodies.keyBody>) {
  const account = findPathAccount(world, call)
  const { scopes: granted, apiKey = null, apiSecret = null } = body
  requireNoConflict(apiKey === null ? null : call.worlds.findKeyConflict(apiKey))
  const key = giveKey(world, account, granted, apiKey, apiSecret)
  call.worlds.routeKey(world, key)
  return keyView(key)
}

/**
 * Moves money in or out. Errors, in order: 404 the account; 400 the asset, the quantity; 409 a withdrawal of more than
 * is available.
 */
function transfer(
  world: World,
  kind: 'deposit' | 'withdraw',
  call: AdminCall,
  { asset: name, quantity, pendingMs = 0 }: RecordOf<typeof bodies.transferBody>,
) {
  const account = findPathAccount(world, call)
  const { assets } = world.venue.state
  const asset = assets.rowOf(name)
  if (asset === none) throw unknownWord('asset', 'is not a known asset', name, assetSymbols(world))
  const { scale, symbol } = assets.config(asset)
  const atoms = requireValue(readAtoms(quantity, 'quantity', scale, symbol))
  const pendingMillis = millis(pendingMs)
  const row = execute(world, { kind, at: world.now, account, asset, atoms, pendingMillis }, asset)
  const { transfers } = world.venue.state
  return {
    transferId: formatTransferId(row),
    account: call.params['account'],
    asset: symbol,
    quantity: amountNumber(assets, asset, atoms),
    status: transfers.isSettled.get(row) === 1 ? 'settled' : 'pending',
    settlesAt: millisToIso(transfers.settlesAtMillis.get(row)),
  }
}
