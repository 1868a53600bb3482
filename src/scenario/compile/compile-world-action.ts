import { meantRoute } from '../../api/faults/reachable-routes.ts'
import { readFaultRule } from '../../api/faults/read-fault-rule.ts'
import { isObject } from '../../api/json.ts'
import { type Millis, millis } from '../../numeric/units.ts'
import { compileChange } from '../agents/compile-agents.ts'
import { durationOf, durationOr, signedDurationOf } from '../file/amounts.ts'
import {
  booleanOr,
  complain,
  complainOfName,
  type Field,
  fieldAlong,
  fieldOf,
  numberOf,
  optional,
  requiredField,
  textOf,
  wordOr,
} from '../file/fields.ts'
import { accountOf } from '../file/references.ts'
import { isDamaged, isWhole, toPlain } from '../file/tree.ts'
import { compilePredicate } from '../predicates/compile-predicate.ts'
import type { ActionScope } from './action-scope.ts'
import { scopesOf } from './compile-accounts.ts'
import type { AgentAction, AwaitAction, ScriptedAction } from './scripted-action.ts'

/** An action about the world around the engine: keys, faults, limits, clocks, snapshots, agents, clients. */
export function compileWorldAction(
  name: 'key' | 'rateLimit' | 'fault' | 'clock' | 'snapshot' | 'agent' | 'await',
  action: Field,
  scope: ActionScope,
): ScriptedAction {
  const forMillis = durationOr(fieldOf(action, 'for'), millis(0))
  switch (name) {
    case 'key':
      return compileKey(action, forMillis, scope)
    case 'rateLimit':
      return {
        kind: 'rate-limit',
        category: wordOr(fieldOf(action, 'category'), ['marketData', 'other', 'all'], 'all'),
        perSecond: numberOf(requiredField(action, 'perS')),
        forMillis,
      }
    case 'fault':
      return compileFault(action, forMillis, scope)
    case 'clock':
      return { kind: 'clock', skewMillis: signedDurationOf(requiredField(action, 'skew')), forMillis }
    case 'snapshot':
      return { kind: 'snapshot', name: textOf(requiredField(action, 'name')), forMillis }
    case 'agent':
      return compileAgent(action, scope)
    case 'await':
      return compileAwait(action, scope)
  }
}

function compileKey(action: Field, forMillis: Millis, scope: ActionScope): ScriptedAction {
  const key = fieldOf(action, 'key')
  const account = fieldOf(action, 'account')
  const revoke = fieldOf(action, 'revoke')
  const scopes = fieldOf(action, 'scopes')
  if ((key === null) === (account === null))
    complain(action, 'name a "key", or an "account" for all its keys')
  if (revoke === null && scopes === null) complain(action, 'say what happens to it by "revoke" or "scopes"')
  if (key !== null) checkKey(key, scope)
  return {
    kind: 'key',
    target:
      key === null ? { account: account === null ? 0 : accountOf(account, scope) } : { apiKey: textOf(key) },
    isRevoked: optional(action, 'revoke', (field) => booleanOr(field, false)),
    scopes: optional(action, 'scopes', scopesOf),
    forMillis,
  }
}

/** Keys that are named after the world's id are not known here; they are given by their account. */
function checkKey(field: Field, scope: ActionScope): void {
  const name = textOf(field)
  if (scope.apiKeys.has(name)) return
  const reason = `no account has the key "${name}"; an account's keys go by "account", too`
  complainOfName(field, reason, scope.apiKeys)
}

function compileFault(action: Field, forMillis: Millis, scope: ActionScope): ScriptedAction {
  const before = action.problems.count
  const form = faultForm(action)
  if (action.problems.count > before || !isWhole(action.tree)) return { kind: 'note', text: '' }
  const assets = scope.assets.filter(({ pair }) => pair !== null).map(({ symbol }) => symbol)
  const read = readFaultRule(form, { assets, accounts: [...scope.accounts.keys()] })
  if (!read.ok) {
    const { field, reason, hint } = read.flaw
    const nearest = /^did you mean (.+)\?$/.exec(hint ?? '')?.[1] ?? null
    const { stated, rest } = fieldAlong(action, field)
    const isDoubted = stated.tree.kind === 'scalar' && action.problems.isInDoubt(stated.tree.text)
    if (!isDoubted) complain(stated, rest === '' ? reason : `${rest} ${reason}`, nearest)
    return { kind: 'note', text: '' }
  }
  return { kind: 'fault', rule: read.value, forMillis }
}

/** The full form of a rule, the short forms written out. */
function faultForm(action: Field): { readonly [name: string]: unknown } {
  const plain = toPlain(action.tree)
  const { for: _, status, latency, commitThenDrop, rate, ...form } = isObject(plain) ? plain : {}
  const ways = ['type', 'status', 'latency', 'commitThenDrop'].filter((key) => fieldOf(action, key) !== null)
  if (ways.length !== 1) {
    const both = ways.length === 0 ? '' : `, not by ${ways.map((way) => `"${way}"`).join(' and ')}`
    const status = ways.includes('status') ? ' ("status: 503" alone is an http_error)' : ''
    complain(
      action,
      `say what goes wrong by one of "type", "status", "latency" and "commitThenDrop"${both}${status}`,
    )
  }
  const rateField = fieldOf(action, 'rate')
  if (rateField !== null && fieldOf(action, 'toxicity') !== null)
    complain(rateField, '"rate" is the same as "toxicity"')
  const toxicity = rate === undefined ? {} : { toxicity: rate }
  if (status !== undefined) return { ...form, ...toxicity, type: 'http_error', attributes: { status } }
  if (commitThenDrop !== undefined)
    return { ...form, ...toxicity, type: 'CONNECTION_RESET_BY_PEER', phase: 'after' }
  if (latency === undefined) return { ...form, ...toxicity }
  const attributes = latencyAttributes(requiredField(action, 'latency'))
  return { ...form, ...toxicity, type: 'latency', attributes }
}

function latencyAttributes(field: Field): { readonly [name: string]: number | string } {
  if (field.tree.kind === 'scalar') return { latencyMs: durationOf(field) }
  const attributes: { [name: string]: number | string } = {
    distribution: textOf(requiredField(field, 'dist')),
  }
  for (const name of ['p50', 'p99', 'min', 'max', 'mean', 'deviation']) {
    const value = fieldOf(field, name)
    if (value !== null) attributes[`${name}Ms`] = durationOf(value)
  }
  return attributes
}

function compileAgent(action: Field, scope: ActionScope): AgentAction {
  const id = requiredField(action, 'id')
  const name = textOf(id)
  const kind = scope.agents.get(name)
  if (kind === undefined) complainOfName(id, `no agent is called "${name}"`, scope.agents.keys())
  const verbs = (['start', 'stop', 'set'] as const).filter((verb) => fieldOf(action, verb) !== null)
  const [verb = 'start'] = verbs
  if (verbs.length !== 1) complain(action, 'say one of "start", "stop" and "set"')
  const set = fieldOf(action, 'set')
  const values = set === null || kind === undefined ? new Map() : compileChange(set, kind)
  return { kind: 'agent', id: name, verb, values }
}

function compileAwait(action: Field, scope: ActionScope): AwaitAction {
  const request = fieldOf(action, 'request')
  const that = fieldOf(action, 'that')
  const bind = fieldOf(action, 'bind')
  if ((request === null) === (that === null))
    complain(action, 'await either a "request" or "that" something holds')
  if (bind !== null && request === null && !isDamaged(action.tree))
    complain(bind, '"bind" goes with "request"')
  const key = fieldOf(request, 'key')
  if (key !== null) checkKey(key, scope)
  const account = fieldOf(request, 'account')
  if (account !== null) accountOf(account, scope)
  checkRoute(request)
  const text = (name: string) => optional(request, name, textOf)
  const span = (name: string) => optional(action, name, durationOf)
  return {
    kind: 'await',
    request:
      request === null
        ? null
        : {
            method: text('method'),
            path: text('path'),
            apiKey: text('key'),
            account: text('account'),
            status: optional(request, 'status', numberOf),
          },
    that: that === null ? null : compilePredicate(that, scope.names, null),
    bind: optional(action, 'bind', textOf),
    timeoutMillis: span('timeout'),
    wallTimeoutMillis: span('wallTimeout'),
    isRequired: booleanOr(fieldOf(action, 'required'), true),
  }
}

/** A path that no operation has may be awaited on purpose, but not one that is nearly an operation's. */
function checkRoute(request: Field | null): void {
  const path = fieldOf(request, 'path')
  if (path === null) return
  const meant = meantRoute(optional(request, 'method', textOf), textOf(path))
  if (meant === null) return
  complain(path, `"${textOf(path)}" is not a path of an operation`, meant)
}
