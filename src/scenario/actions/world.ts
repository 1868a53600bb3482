import { faultSchema, longestMillis } from '../../api/faults/fault-rule.ts'
import { faultTypes } from '../../api/faults/fault-types.ts'
import { readFaultRule } from '../../api/faults/read-fault-rule.ts'
import { isObject } from '../../api/json.ts'
import { schemaInFile } from '../../shape/in-file.ts'
import { flag, integer, orNone, type RecordOf, record, type Shape, span, words } from '../../shape/shape.ts'
import type { WorldAction } from '../agents/behaviour.ts'
import { readDuration } from '../file/amounts.ts'
import {
  addMistake,
  childField,
  type Field,
  findFieldAlong,
  readOptional,
  requiredField,
  statedText,
} from '../file/fields.ts'
import { positiveDuration } from '../file/schema-words.ts'
import { isWhole, toPlain } from '../file/tree.ts'
import type { ActionKind, ActionScope } from './action.ts'
import { part } from './parts.ts'

const forMillis = orNone(part('positiveSpan', 'How long, after which the earlier state is restored.', 'for'))

/** Defines an action that the world carries out, and reverts when its `for` is over. */
function defineWorldAction<Action extends { readonly forMillis?: number }>(
  shape: Shape,
  change: (action: Action) => WorldAction,
  kind: Omit<ActionKind<Action>, 'shape'> = {},
): ActionKind<Action> {
  return {
    shape,
    begin: (action, { venue, token }) => {
      const problem = venue.world?.apply(change(action), token) ?? null
      const { forMillis = 0 } = action
      const atMillis = venue.state.nowMillis + forMillis
      return { commands: [], problem, later: forMillis > 0 ? { atMillis, kind: 'end', count: 0 } : null }
    },
    resume: (_action, { venue, token }) => {
      venue.world?.revert(token)
      return { commands: [] }
    },
    ...kind,
  }
}

const keyShape = record(
  {
    key: orNone(part('apiKey', 'An API key by its name.')),
    account: orNone(part('account', 'All keys of this account.')),
    revoke: orNone(flag('Whether it is refused from now on.')),
    scopes: orNone(part('scopes', 'What the key may do from now on.')),
    forMillis,
  },
  'Revokes API keys, or changes what they may do.',
)

const key = defineWorldAction<RecordOf<typeof keyShape>>(
  keyShape,
  ({ key, account = 0, revoke = null, scopes = null }) => ({
    kind: 'key',
    target: key === undefined ? { account } : { apiKey: key },
    isRevoked: revoke,
    scopes,
  }),
  {
    check: ({ key, account, revoke, scopes }, field) => {
      if ((key === undefined) === (account === undefined))
        addMistake(field, 'name a "key", or an "account" for all its keys')
      if (revoke === undefined && scopes === undefined)
        addMistake(field, 'say what happens to it by "revoke" or "scopes"')
    },
  },
)

const rateLimitShape = record(
  {
    category: orNone(words(['marketData', 'other', 'all'], 'Which requests; all by default.')),
    perS: integer(1, 1_000_000, 'Requests per second and key.'),
    forMillis,
  },
  'Changes the rate limits.',
)

const rateLimit = defineWorldAction<RecordOf<typeof rateLimitShape>>(
  rateLimitShape,
  ({ category = 'all', perS }) => ({ kind: 'rate-limit', category, perSecond: perS }),
  { eventName: () => 'rate-limit' },
)

const clockShape = record(
  {
    skewMillis: part(
      'skew',
      "How far the venue's clock for signed timestamps is ahead of the true one.",
      'skew',
    ),
    forMillis: orNone(part('positiveSpan', 'How long; then the clock is right again.', 'for')),
  },
  'Sets the clock against which signed timestamps are checked.',
)

const clock = defineWorldAction<RecordOf<typeof clockShape>>(clockShape, ({ skewMillis }) => ({
  kind: 'clock',
  skewMillis,
}))

const snapshotShape = record(
  { name: part('label', 'The name of the snapshot.') },
  'Takes a snapshot of the world.',
)

/** Takes a snapshot. The script takes it between two advances, after everything of its instant. */
const snapshot: ActionKind<RecordOf<typeof snapshotShape>> = { shape: snapshotShape }

const note: ActionKind<{ readonly text: string }> = {
  shape: {
    type: 'string',
    maxLength: 1000,
    description: 'A text in the list of events, without any effect.',
  },
  read: (field) => ({ text: statedText(field) }),
}

type FaultAction = Omit<Extract<WorldAction, { kind: 'fault' }>, 'kind'> & { readonly forMillis?: number }

const fault = defineWorldAction<FaultAction>(buildFaultShape(), ({ rule }) => ({ kind: 'fault', rule }), {
  schema: buildFaultShape(),
  read: readFault,
})

/** Returns the schema of a fault: a rule as the admin API takes it, and short forms of the common ones. */
function buildFaultShape(): Shape {
  const { type, forMs: _, ...rule } = faultSchema.properties
  const latency = (description: string) => schemaInFile(span(0, longestMillis, description))
  return {
    type: 'object',
    additionalProperties: false,
    description:
      'Injects a fault into requests, given by `type`, or in short by `status` or `latency`. It strikes requests of clients; orders and cancels of the timeline and of agents are not requests, so they cannot be lost.',
    properties: {
      type: { enum: Object.keys(faultTypes), description: type.description },
      ...rule,
      status: {
        type: 'integer',
        minimum: 400,
        maximum: 599,
        description: 'Short for http_error with this status.',
      },
      latency: {
        title: 'a duration, or a mapping such as {dist: lognormal, p50: 800ms, p99: 6s}',
        description: 'Short for the type latency.',
        oneOf: [
          latency('How late the answer is.'),
          {
            type: 'object',
            additionalProperties: false,
            required: ['dist'],
            properties: {
              dist: { enum: ['lognormal', 'uniform', 'normal'], description: 'The distribution.' },
              p50: latency('The median of lognormal.'),
              p99: latency('The 99th percentile of lognormal.'),
              min: latency('The least of uniform.'),
              max: latency('The greatest of uniform.'),
              mean: latency('The mean of normal.'),
              deviation: latency('The standard deviation of normal.'),
            },
          },
        ],
      },
      commitThenDrop: {
        const: true,
        description:
          'Short for CONNECTION_RESET_BY_PEER after the operation: it is carried out, and the answer is lost.',
      },
      rate: { type: 'number', minimum: 0, maximum: 1, description: 'Another name for toxicity.' },
      for: { ...positiveDuration, description: 'How long the rule stays; until the end by default.' },
    },
  }
}

function readFault(action: Field, scope: ActionScope): FaultAction | null {
  const before = action.mistakes.count
  const form = toFullForm(action)
  const forMillis = readOptional(action, 'for', readDuration)
  if (action.mistakes.count > before || !isWhole(action.tree)) return null
  const assets = scope.assets.filter(({ pair }) => pair !== null).map(({ symbol }) => symbol)
  const read = readFaultRule(form, { assets, accounts: [...scope.accounts.keys()] })
  if (read.ok) return { rule: read.value, ...(forMillis === null ? {} : { forMillis }) }
  const { field, reason, hint } = read.problem
  const nearest = /^did you mean (.+)\?$/.exec(hint ?? '')?.[1] ?? null
  const { stated, rest } = findFieldAlong(action, field)
  const isUncertain = stated.tree.kind === 'scalar' && action.mistakes.isUncertain(stated.tree.text)
  if (!isUncertain) addMistake(stated, rest === '' ? reason : `${rest} ${reason}`, nearest)
  return null
}

/** Returns the full form of a fault rule, with short forms written out. */
function toFullForm(action: Field): { readonly [name: string]: unknown } {
  const plain = toPlain(action.tree)
  const { for: _, status, latency, commitThenDrop, rate, ...form } = isObject(plain) ? plain : {}
  const ways = ['type', 'status', 'latency', 'commitThenDrop'].filter(
    (key) => childField(action, key) !== null,
  )
  if (ways.length !== 1) {
    const both = ways.length === 0 ? '' : `, not by ${ways.map((way) => `"${way}"`).join(' and ')}`
    const status = ways.includes('status') ? ' ("status: 503" alone is an http_error)' : ''
    addMistake(
      action,
      `say what goes wrong by one of "type", "status", "latency" and "commitThenDrop"${both}${status}`,
    )
  }
  const rateField = childField(action, 'rate')
  if (rateField !== null && childField(action, 'toxicity') !== null)
    addMistake(rateField, '"rate" is another name for "toxicity"')
  const toxicity = rate === undefined ? {} : { toxicity: rate }
  if (status !== undefined) return { ...form, ...toxicity, type: 'http_error', attributes: { status } }
  if (commitThenDrop !== undefined)
    return { ...form, ...toxicity, type: 'CONNECTION_RESET_BY_PEER', phase: 'after' }
  if (latency === undefined) return { ...form, ...toxicity }
  const attributes = readLatencyAttributes(requiredField(action, 'latency'))
  return { ...form, ...toxicity, type: 'latency', attributes }
}

function readLatencyAttributes(field: Field): { readonly [name: string]: number | string } {
  if (field.tree.kind === 'scalar') return { latencyMs: readDuration(field) }
  const attributes: { [name: string]: number | string } = {
    distribution: statedText(requiredField(field, 'dist')),
  }
  for (const name of ['p50', 'p99', 'min', 'max', 'mean', 'deviation']) {
    const value = childField(field, name)
    if (value !== null) attributes[`${name}Ms`] = readDuration(value)
  }
  return attributes
}

export const worldActions = { key, rateLimit, fault, clock, snapshot, note }
