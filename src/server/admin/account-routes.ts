import * as shapes from '../../api/admin-answers.ts'
import { amountNumber, isProblem, readAtoms } from '../../api/amounts.ts'
import { scopes } from '../../api/operations/operation.ts'
import { problemOf } from '../../api/refusals.ts'
import { closed, listOf, partial } from '../../api/wire-shapes.ts'
import { none } from '../../engine/codes.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { millis } from '../../numeric/units.ts'
import { oneOfWords, type RecordOf, typed } from '../../shape/shape.ts'
import { changeSettings, giveKey, openAccount, revokeApiKey } from '../../world/change-world.ts'
import { transferIdOf } from '../../world/events/describe-event.ts'
import { readAccountChange, readNewAccount } from '../../world/script/account-form.ts'
import type { World } from '../../world/world.ts'
import { spanSchema } from './clock-routes.ts'
import { accountOf, assetSymbols, inWorld, inWorldWith } from './find.ts'
import {
  type AdminAnswer,
  type AdminCall,
  type AdminRoute,
  bare,
  conflictProblem,
  created,
  formProblem,
  ok,
  refused,
  unknownName,
  unknownWord,
  withBody,
} from './route.ts'
import { accountViews, keyView, shownTo } from './views.ts'

/** Any object is accepted here: the scenario's own checks say what is wrong with it. */
const formSchema = typed<{ readonly [name: string]: unknown }>({ type: 'object' })
type Form = RecordOf<typeof formSchema>

const changeSchema = partial({
  limits: typed<{ readonly [name: string]: unknown }>({ type: 'object' }),
  fees: typed<{ readonly [name: string]: unknown }>({ type: 'object' }),
  type: oneOfWords('cash', 'margin'),
})

const keySchema = partial(
  {
    scopes: listOf(oneOfWords(...scopes), { maxItems: 4 }),
    apiKey: typed<string>({ type: 'string', minLength: 1, maxLength: 128 }),
    apiSecret: typed<string>({ type: 'string', minLength: 1, maxLength: 256 }),
  },
  ['scopes'],
)
type KeyBody = RecordOf<typeof keySchema>

const transferSchema = closed(
  {
    asset: typed<string>({ type: 'string' }),
    quantity: typed<number>({ type: 'number', exclusiveMinimum: 0 }),
    pendingMs: spanSchema,
  },
  ['pendingMs'],
)
type TransferBody = RecordOf<typeof transferSchema>

export const accountRoutes: readonly AdminRoute[] = [
  bare(
    'GET',
    '/worlds/:world/accounts',
    { id: 'listAccounts', summary: 'The accounts with their working keys', response: shapes.accountList },
    inWorld((world) => ok({ accounts: accountViews(world) })),
  ),
  withBody(
    'POST',
    '/worlds/:world/accounts',
    {
      id: 'openAccount',
      summary: 'Open an account, in the words of a scenario',
      response: shapes.account,
      status: 201,
      errors: [409],
      example: () => ({ body: { id: 'example', balances: { USD: 1_000_000 } } }),
    },
    formSchema,
    inWorldWith(createAccount),
  ),
  withBody(
    'PATCH',
    '/worlds/:world/accounts/:account',
    {
      id: 'changeAccount',
      summary: 'Change limits, fees or type of an account',
      response: shapes.accountTerms,
      errors: [409],
      example: () => ({ body: { limits: { maxOpenOrders: 50 } } }),
    },
    changeSchema,
    inWorldWith(changeAccount),
  ),
  withBody(
    'POST',
    '/worlds/:world/accounts/:account/keys',
    {
      id: 'createKey',
      summary: 'Issue a key',
      response: shapes.key,
      status: 201,
      errors: [409],
      example: () => ({
        body: { scopes: ['READ', 'TRADE'], apiKey: 'simk_example', apiSecret: 'sims_example' },
      }),
    },
    keySchema,
    inWorldWith(createKey),
  ),
  bare(
    'DELETE',
    '/worlds/:world/keys/:apiKey',
    { id: 'revokeKey', summary: 'Revoke a key: from now on it counts as unknown', response: shapes.revoked },
    inWorld(revokeKey),
  ),
  withBody(
    'POST',
    '/worlds/:world/accounts/:account/deposits',
    {
      id: 'deposit',
      summary: 'Move money in, at once or pending',
      response: shapes.transfer,
      status: 201,
      errors: [409],
      example: () => ({ body: { asset: 'USD', quantity: 1000 } }),
    },
    transferSchema,
    inWorldWith((world, body: TransferBody, call) => transfer(world, 'deposit', body, call)),
  ),
  withBody(
    'POST',
    '/worlds/:world/accounts/:account/withdrawals',
    {
      id: 'withdraw',
      summary: 'Move money out, at once or pending',
      response: shapes.transfer,
      status: 201,
      errors: [409],
      example: () => ({ body: { asset: 'USD', quantity: 100, pendingMs: 60_000 } }),
    },
    transferSchema,
    inWorldWith((world, body: TransferBody, call) => transfer(world, 'withdraw', body, call)),
  ),
]

/** Errors, in order: 400 the form; 409 a key in use; 409 the id in use. */
function createAccount(world: World, form: Form, { worlds }: AdminCall): AdminAnswer {
  const read = readNewAccount(world.venue.state, form)
  if (!read.ok) return refused(formProblem(read.problems))
  const { config, keys } = read.value
  for (const { apiKey } of keys) {
    const conflict = apiKey === null ? null : worlds.conflictOf(apiKey)
    if (conflict !== null) return refused(conflictProblem(conflict))
  }
  const given = openAccount(world, config, keys)
  if ('code' in given) return refused(problemOf(given, world.venue.state.assets, none, world.readings))
  for (const key of given) worlds.adopt(world, key)
  return created({ id: config.id, keys: given.map(keyView) })
}

/** Errors, in order: 404 the account; 400 the form; 409 an account in debt cannot become a cash account. */
function changeAccount(world: World, form: RecordOf<typeof changeSchema>, call: AdminCall): AdminAnswer {
  const account = accountOf(world, call)
  if (!account.ok) return account.answer
  const read = readAccountChange(world.venue.state, account.value, form)
  if (!read.ok) return refused(formProblem(read.problems))
  const { limits, fees, type } = read.value
  const about = { account: account.value }
  const rejection = changeSettings(world, [
    ...(type === null ? [] : [{ kind: 'set-account-type' as const, ...about, type }]),
    ...(limits === null ? [] : [{ kind: 'set-limits' as const, ...about, limits }]),
    ...(fees === null ? [] : [{ kind: 'set-fees' as const, ...about, ...fees }]),
  ])
  if (rejection !== null)
    return refused({ code: 'conflict', reason: 'An account that owes anything must stay a margin account' })
  return ok(accountState(world, account.value))
}

function accountState(world: World, row: number) {
  const { accounts, feeSchedules } = world.venue.state
  const { makerRate, takerRate } = feeSchedules.at(accounts.feeSchedule.get(row))
  return {
    id: accounts.id(row),
    type: accounts.isMargin.get(row) === 1 ? 'margin' : 'cash',
    fees: { makerBps: makerRate / 100, takerBps: takerRate / 100 },
    ...shownTo(world, row, 'getLimits'),
  }
}

/** Errors, in order: 404 the account; 409 a key in use. */
function createKey(world: World, body: KeyBody, call: AdminCall): AdminAnswer {
  const account = accountOf(world, call)
  if (!account.ok) return account.answer
  const conflict = body.apiKey === undefined ? null : call.worlds.conflictOf(body.apiKey)
  if (conflict !== null) return refused(conflictProblem(conflict))
  const key = giveKey(world, account.value, body.scopes, body.apiKey ?? null, body.apiSecret ?? null)
  call.worlds.adopt(world, key)
  return created(keyView(key))
}

/** From now on the key is treated as unknown. Revoking it again changes nothing. */
function revokeKey(world: World, { params }: AdminCall): AdminAnswer {
  const apiKey = params['apiKey'] ?? ''
  if (revokeApiKey(world, apiKey)) return ok({ apiKey, revoked: true })
  const known = world.keys.list().map((key) => key.apiKey)
  return unknownName('key', apiKey, known)
}

/** Errors, in order: 404 the account; 400 the asset, the quantity; 409 a withdrawal of more than is available. */
function transfer(
  world: World,
  kind: 'deposit' | 'withdraw',
  body: TransferBody,
  call: AdminCall,
): AdminAnswer {
  const account = accountOf(world, call)
  if (!account.ok) return account.answer
  const { assets } = world.venue.state
  const asset = assets.rowOf(body.asset)
  if (asset === none) {
    return refused(unknownWord('asset', 'is not a known asset', body.asset, assetSymbols(world)))
  }
  const { scale, symbol } = assets.config(asset)
  const amount = readAtoms(body.quantity, 'quantity', scale, symbol)
  if (isProblem(amount)) return refused(amount)
  const pendingMillis = millis(body.pendingMs ?? 0)
  const command = { account: account.value, asset, atoms: amount, pendingMillis }
  const outcome = world.execute({ kind, at: world.now, ...command })
  if (!outcome.ok) return refused(problemOf(outcome.rejection, assets, asset, world.readings))
  const { transfers } = world.venue.state
  return created({
    transferId: transferIdOf(outcome.row),
    account: call.params['account'],
    asset: symbol,
    quantity: amountNumber(assets, asset, amount),
    status: transfers.isSettled.get(outcome.row) === 1 ? 'settled' : 'pending',
    settlesAt: millisToIso(transfers.settlesAtMillis.get(outcome.row)),
  })
}
