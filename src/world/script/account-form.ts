import { maximumAtoms } from '../../engine/check-config.ts'
import { cash } from '../../engine/codes.ts'
import type { AccountConfig, FeeConfig } from '../../engine/config.ts'
import type { State } from '../../engine/state.ts'
import { cashScale } from '../../engine/tables/asset-table.ts'
import { partsPerMillion, powerOfTen } from '../../numeric/units.ts'
import { compileAccount, compileAccounts } from '../../scenario/compile/compile-accounts.ts'
import type { KeyGrant } from '../../scenario/compile/compiled.ts'
import { scenarioSchema } from '../../scenario/compile/schema.ts'
import { applyLimits, compileLimits } from '../../scenario/file/amounts.ts'
import { childField, type Field, readOptional, requiredField, rootField } from '../../scenario/file/fields.ts'
import {
  failure,
  type Mistake,
  Mistakes,
  mistakeAt,
  type Result,
  success,
} from '../../scenario/file/mistake.ts'
import { treeFromValue } from '../../scenario/file/source.ts'
import { nowhere } from '../../scenario/file/tree.ts'
import { validate } from '../../scenario/file/validate.ts'

/*
 * Accounts that are opened or changed while a world runs are written, checked and refused as a scenario's accounts are.
 */

export interface NewAccount {
  readonly config: AccountConfig
  readonly keys: readonly KeyGrant[]
}

/** Reads a new account that is written as in a scenario. Returns the mistakes when it is invalid. */
export function readNewAccount(state: State, form: object): Result<NewAccount> {
  const root = readForm(form)
  if (!root.ok) return root
  const { mistakes: problems } = root.value
  const { assets, fees } = state.config
  const { configs, access } = compileAccounts(root.value, assets, new Map(), fees)
  const [config] = configs
  if (config === undefined || problems.count > 0) return failure(removeAccountPath(problems.list()))
  const excess = findExcessiveBalance(state, config)
  if (excess !== null)
    return failure([mistakeAt(nowhere, `balances.${excess}`, 'is more than a world can hold')])
  return success({ config, keys: access[0]?.keys ?? [] })
}

/** Changes to an account; a value that is null stays as it is. */
export interface AccountChange {
  readonly limits: AccountConfig['limits'] | null
  readonly fees: AccountConfig['fees']
  readonly type: AccountConfig['type'] | null
}

/** Reads changes to an account's limits, fees and type. Only what is given changes. Returns the mistakes, if any. */
export function readAccountChange(state: State, account: number, form: object): Result<AccountChange> {
  const { accounts, feeSchedules, config } = state
  const root = readForm({ ...form, id: accounts.id(account) })
  if (!root.ok) return root
  const field: Field = { ...findAccountField(root.value), path: '' }
  const { makerRate, takerRate } = feeSchedules.at(accounts.feeSchedule.get(account))
  const present: FeeConfig = {
    currency: config.fees.currency,
    makerRate: partsPerMillion(makerRate),
    takerRate: partsPerMillion(takerRate),
  }
  const compiled = compileAccount('', field, config.assets, present)
  if (field.mistakes.count > 0) return failure(removeAccountPath(field.mistakes.list()))
  const change = readOptional(field, 'limits', (limits) => compileLimits(limits, config.assets))
  return success({
    limits: change === null ? null : applyLimits(accounts.limitsOf(account).config, change),
    fees: compiled.fees,
    type: childField(field, 'type') === null ? null : compiled.type,
  })
}

/** Checks an account's form, and returns it as a scenario with only this account. */
function readForm(form: object): Result<Field> {
  const problems = new Mistakes()
  const tree = problems.unwrap(treeFromValue({ accounts: [form] }))
  const { properties, ...schema } = scenarioSchema
  const accounts = properties?.['accounts']
  const root = { ...schema, required: [], properties: accounts === undefined ? {} : { accounts } }
  const checked = validate(root, tree, problems)
  return problems.count > 0
    ? failure(removeAccountPath(problems.list()))
    : success(rootField(checked, problems))
}

/** Finds the first opening balance whose amount or value is too large to be kept exactly; null when there is none. */
function findExcessiveBalance(state: State, config: AccountConfig): string | null {
  const values = [...config.balances].map(([symbol, amount]) => {
    const asset = state.assets.rowOf(symbol)
    if (asset === cash) return { symbol, most: amount }
    const { valueNumerator, valueDenominator, scale } = state.assets.tradedAsset(asset)
    const atMark = amount * state.markTicks.get(asset) * (valueNumerator / valueDenominator)
    const average = (config.averageEntryPrices.get(symbol) ?? 0) / powerOfTen(8)
    const atAverage = (amount / powerOfTen(scale)) * average * powerOfTen(cashScale)
    return { symbol, most: Math.max(amount, atMark, atAverage) }
  })
  return values.find(({ most }) => most > maximumAtoms)?.symbol ?? null
}

function findAccountField(root: Field): Field {
  const { tree } = requiredField(root, 'accounts')
  const account = tree.kind === 'list' ? tree.items[0] : undefined
  return account === undefined ? root : { ...root, tree: account, path: '' }
}

/** Removes the scenario's path from mistakes, because to the caller the account is the whole document. */
function removeAccountPath(problems: readonly Mistake[]): Mistake[] {
  return problems.map((problem) => ({ ...problem, path: problem.path.replace(/^accounts\[0\]\.?/, '') }))
}
