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
import { childField, type Field, optional, requiredField, rootField } from '../../scenario/file/fields.ts'
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
 * Accounts that come or change while a world runs, in the scenario's form of an account: the same words, checks and
 * messages.
 */

export interface NewAccount {
  readonly config: AccountConfig
  readonly keys: readonly KeyGrant[]
}

/** An account in the words of a scenario. */
export function readNewAccount(state: State, form: object): Result<NewAccount> {
  const root = readForm(form)
  if (!root.ok) return root
  const { problems } = root.value
  const { assets, fees } = state.config
  const { configs, access } = compileAccounts(root.value, assets, new Map(), fees)
  const [config] = configs
  if (config === undefined || problems.count > 0) return failure(withoutPlace(problems.list()))
  const excess = excessiveBalance(state, config)
  if (excess !== null)
    return failure([mistakeAt(nowhere, `balances.${excess}`, 'is more than a world can hold')])
  return success({ config, keys: access[0]?.keys ?? [] })
}

/** Null: unchanged. */
export interface AccountChange {
  readonly limits: AccountConfig['limits'] | null
  readonly fees: AccountConfig['fees']
  readonly type: AccountConfig['type'] | null
}

/** Changes to an account's limits, fees and type; only those that are given. */
export function readAccountChange(state: State, account: number, form: object): Result<AccountChange> {
  const { accounts, feeSchedules, config } = state
  const root = readForm({ ...form, id: accounts.id(account) })
  if (!root.ok) return root
  const field: Field = { ...accountIn(root.value), path: '' }
  const { makerRate, takerRate } = feeSchedules.at(accounts.feeSchedule.get(account))
  const present: FeeConfig = {
    currency: config.fees.currency,
    makerRate: partsPerMillion(makerRate),
    takerRate: partsPerMillion(takerRate),
  }
  const compiled = compileAccount('', field, config.assets, present)
  if (field.problems.count > 0) return failure(withoutPlace(field.problems.list()))
  const change = optional(field, 'limits', (limits) => compileLimits(limits, config.assets))
  return success({
    limits: change === null ? null : applyLimits(accounts.limitsOf(account).config, change),
    fees: compiled.fees,
    type: childField(field, 'type') === null ? null : compiled.type,
  })
}

/** A scenario with only this account, if the form is valid. */
function readForm(form: object): Result<Field> {
  const problems = new Mistakes()
  const tree = problems.take(treeFromValue({ accounts: [form] }))
  const { properties, ...schema } = scenarioSchema
  const accounts = properties?.['accounts']
  const root = { ...schema, required: [], properties: accounts === undefined ? {} : { accounts } }
  const checked = validate(root, tree, problems)
  return problems.count > 0 ? failure(withoutPlace(problems.list())) : success(rootField(checked, problems))
}

/** The first opening balance whose amount or value is too large to be kept exactly; null when all can be. */
function excessiveBalance(state: State, config: AccountConfig): string | null {
  const values = [...config.balances].map(([symbol, amount]) => {
    const asset = state.assets.rowOf(symbol)
    if (asset === cash) return { symbol, most: amount }
    const { valueNumerator, valueDenominator, scale } = state.assets.traded(asset)
    const atMark = amount * state.markTicks.get(asset) * (valueNumerator / valueDenominator)
    const average = (config.averageEntryPrices.get(symbol) ?? 0) / powerOfTen(8)
    const atAverage = (amount / powerOfTen(scale)) * average * powerOfTen(cashScale)
    return { symbol, most: Math.max(amount, atMark, atAverage) }
  })
  return values.find(({ most }) => most > maximumAtoms)?.symbol ?? null
}

function accountIn(root: Field): Field {
  const { tree } = requiredField(root, 'accounts')
  const account = tree.kind === 'list' ? tree.items[0] : undefined
  return account === undefined ? root : { ...root, tree: account, path: '' }
}

/** The caller sees the account as the whole document. */
function withoutPlace(problems: readonly Mistake[]): Mistake[] {
  return problems.map((problem) => ({ ...problem, path: problem.path.replace(/^accounts\[0\]\.?/, '') }))
}
