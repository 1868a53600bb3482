import { millis } from '../../numeric/units.ts'
import { orNone, type RecordOf, record } from '../../shape/shape.ts'
import { applyLimits } from '../file/amounts.ts'
import { addMistake, childField } from '../file/fields.ts'
import {
  type ActionKind,
  type ActionMoment,
  giveCommand,
  giveCommands,
  type ResolvedAction,
  refuseAction,
} from './action.ts'
import { part } from './parts.ts'

const account = part('account', "The account's id.")

const transferShape = (description: string) =>
  record(
    {
      label: orNone(part('label', 'A label, for `settle`.', 'as')),
      account,
      asset: part('holding', 'The asset, or USD.'),
      atoms: part('atoms', 'How much.', 'quantity'),
      pendingMillis: orNone(part('span', 'Time until it settles; at once by default.', 'pending')),
    },
    description,
  )

type TransferAction = RecordOf<ReturnType<typeof transferShape>>

const transfer = (kind: 'deposit' | 'withdraw', description: string): ActionKind<TransferAction> => ({
  shape: transferShape(description),
  makes: { kind: 'transfer', word: 'as' },
  commands: ({ account, asset, atoms, pendingMillis = millis(0) }, { at }) =>
    giveCommand({ kind, at, account, asset, atoms, pendingMillis }),
})

const settleShape = record(
  {
    transfer: orNone(part('transfer', 'One transfer, by its label.')),
    account: orNone(part('account', 'All pending transfers of this account.')),
    asset: orNone(part('holding', 'With `account`: those of one asset.')),
  },
  'Settles pending transfers.',
)

type SettleAction = RecordOf<typeof settleShape>

const settle: ActionKind<SettleAction> = {
  shape: settleShape,
  check: ({ transfer, account }, field) => {
    if ((transfer === undefined) === (account === undefined))
      addMistake(field, 'name the "transfer" by its label, or an "account" for all of its own')
    const asset = childField(field, 'asset')
    if (transfer !== undefined && asset !== null) addMistake(asset, '"asset" goes with "account"')
  },
  commands: (action, moment) => {
    if (action.transfer === undefined) return settlePending(action, moment)
    const transfer = moment.rows.transfers.get(action.transfer)
    return transfer === undefined
      ? refuseAction('TRANSFER_NOT_FOUND')
      : giveCommand({ kind: 'settle-transfer', at: moment.at, transfer })
  },
}

/** Settles the account's pending transfers, oldest first. An account without any is not refused. */
function settlePending(
  { account, asset }: SettleAction,
  { at, state: { transfers } }: ActionMoment,
): ResolvedAction {
  const rows = Array.from({ length: transfers.count }, (_, row) => row).filter(
    (row) =>
      transfers.account.get(row) === account &&
      (asset === undefined || transfers.asset.get(row) === asset) &&
      transfers.isSettled.get(row) === 0,
  )
  return giveCommands(rows.map((transfer) => ({ kind: 'settle-transfer', at, transfer })))
}

const limitsShape = record({ account, set: part('limits', '') }, "Changes an account's risk limits.")

type LimitsAction = RecordOf<typeof limitsShape>

const limits: ActionKind<LimitsAction> = {
  shape: limitsShape,
  changes: ({ account }) => ({ limits: account }),
  commands: ({ account, set }, { at, state }) => {
    const current = state.accounts.limitsOf(account).config
    return giveCommand({ kind: 'set-limits', at, account, limits: applyLimits(current, set) })
  },
}

export const accountActions = {
  deposit: transfer('deposit', 'Deposits an asset or USD.'),
  withdraw: transfer('withdraw', 'Withdraws an asset or USD.'),
  settle,
  limits,
}
