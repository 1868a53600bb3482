import { limit, market, timeInForceNames } from '../../engine/codes.ts'
import type { PairConfig } from '../../engine/config.ts'
import { isoToMillis } from '../../numeric/time-text.ts'
import type { Millis } from '../../numeric/units.ts'
import type { Shape } from '../../shape/shape.ts'
import {
  type FileNames,
  pairOf,
  readAccount,
  readAsset,
  readDuration,
  readPriceTerm,
  readSide,
  readSteps,
  readTimeInForce,
} from '../file/amounts.ts'
import {
  addMistake,
  checkKnownKeys,
  childField,
  type Field,
  listEntries,
  listItems,
  requiredField,
  statedText,
  wordOr,
} from '../file/fields.ts'
import { duration, positiveAmount, priceTerm, symbol, word } from '../file/schema-words.ts'
import { type JsonData, type Tree, toPlain } from '../file/tree.ts'
import { agentKindOf, agentKinds } from './agent-kinds.ts'
import type { AgentKind, AgentOrder, AgentSpec, AgentStep } from './behaviour.ts'
import { type AgentParameter, parametersOf, parametersSchema, readValue, type Values } from './parameters.ts'

export interface AgentScope extends FileNames {
  readonly startMillis: Millis
}

export function compileAgents(agents: Field | null, scope: AgentScope): readonly AgentSpec[] {
  const ids = new Set<string>()
  return listItems(agents).map((agent) => {
    const id = requiredField(agent, 'id')
    if (ids.has(statedText(id))) addMistake(id, `two agents are called "${statedText(id)}"`)
    ids.add(statedText(id))
    return compileAgent(agent, scope)
  })
}

function compileAgent(agent: Field, scope: AgentScope): AgentSpec {
  const kind = wordOr(requiredField(agent, 'kind'), agentKinds, 'noise')
  const asset = readAsset(requiredField(agent, 'asset'), scope)
  const pair = pairOf(asset, scope)
  return {
    id: statedText(requiredField(agent, 'id')),
    kind,
    account: readAccount(requiredField(agent, 'account'), scope),
    startsAtMillis: readStart(childField(agent, 'starts'), scope),
    place: agent.tree.place,
    asset,
    values: compileValues(agent, agentKindOf(kind), pair),
    steps: listItems(childField(agent, 'steps')).map((step) => compileStep(step, pair)),
  }
}

function readStart(field: Field | null, scope: AgentScope): number | null {
  if (field === null) return null
  const text = statedText(field)
  if (text === 'never') return Number.POSITIVE_INFINITY
  const at = text.startsWith('+') ? scope.startMillis + readDuration(field) : isoToMillis(text)
  if (at !== null && at >= scope.startMillis) return at
  const reason =
    at === null ? 'expected an offset such as +5m, an instant, or "never"' : 'before the start of the clock'
  addMistake(field, reason)
  return null
}

export function compileParameterChange(set: Field, kind: string): Values {
  const definition = agentKindOf(kind)
  const parameters = new Map(parametersOf(definition.shape))
  checkKnownKeys(set, 'parameter', [...parameters.keys()])
  const values = new Map<string, AgentParameter>()
  for (const [name, field] of listEntries(set)) {
    const parameter = parameters.get(name)
    const value = parameter === undefined ? null : readGivenValue(parameter, field, null)
    if (value !== null) values.set(name, value)
  }
  checkParameterOrder(set, definition, values)
  return values
}

function compileValues(agent: Field, definition: AgentKind, pair: PairConfig | null): Values {
  const params = childField(agent, 'params')
  const values = new Map<string, AgentParameter>()
  for (const [name, parameter] of parametersOf(definition.shape)) {
    const field = childField(params, name)
    const usual = parameter.default
    const fallback = typeof usual === 'number' || typeof usual === 'string' ? usual : null
    if (field === null && fallback === null) addMistake(params ?? agent, `missing "${name}"`)
    const value = field === null ? fallback : readGivenValue(parameter, field, pair?.quantityStep)
    if (value !== null) values.set(name, value)
  }
  if (params !== null) checkParameterOrder(params, definition, values)
  return values
}

/**
 * Notes each parameter that is not below another one as its kind requires. Nothing is noted where only one of the two
 * is known.
 */
function checkParameterOrder(given: Field, { below = [] }: AgentKind, values: Values): void {
  for (const [name, other] of below) {
    const value = values.get(name)
    const most = values.get(other)
    if (value === undefined || most === undefined || value < most) continue
    addMistake(
      childField(given, name) ?? childField(given, other) ?? given,
      `expected ${name} (${value}) to be below ${other} (${most})`,
    )
  }
}

function readGivenValue(
  parameter: Shape,
  field: Field,
  step: PairConfig['quantityStep'] | null | undefined,
): AgentParameter | null {
  const read = readValue(parameter, toPlainScalar(field.tree), step)
  if (read.ok) return read.value
  addMistake(field, read.reason)
  return null
}

/** Returns a value as plain JSON; null unless it is a number, a text or a boolean. */
function toPlainScalar(tree: Tree): JsonData {
  const plain = toPlain(tree)
  return typeof plain === 'number' || typeof plain === 'string' || typeof plain === 'boolean' ? plain : null
}

function compileStep(step: Field, pair: PairConfig | null): AgentStep {
  const afterMillis = readDuration(requiredField(step, 'after'))
  const side = childField(step, 'side')
  const quantity = childField(step, 'quantity')
  if (childField(step, 'cancel') !== null) {
    if (side !== null || quantity !== null) addMistake(step, 'a step orders or cancels, not both')
    return { afterMillis, order: null }
  }
  if (side === null || quantity === null) {
    addMistake(step, 'a step has "side" and "quantity", or "cancel"')
    return { afterMillis, order: null }
  }
  const price = childField(step, 'price')
  const order: AgentOrder = {
    side: readSide(side),
    type: price === null ? market : limit,
    timeInForce: readTimeInForce(childField(step, 'timeInForce'), price === null ? 'IOC' : 'GTC'),
    quantitySteps: readSteps(quantity, pair),
    price: price === null ? null : readPriceTerm(price, pair),
  }
  return { afterMillis, order }
}

const steps: Shape = {
  type: 'array',
  minItems: 1,
  maxItems: 1_000,
  description: 'Its steps in order: orders, and cancellations of all its orders in the asset.',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['after'],
    properties: {
      after: { ...duration, description: 'Time after the previous step, or after the start.' },
      side: { enum: ['buy', 'sell'], description: 'Buy or sell.' },
      quantity: { ...positiveAmount, description: 'How much of the asset.' },
      price: { ...priceTerm, description: 'The limit price; without one it is a market order.' },
      timeInForce: { enum: timeInForceNames, description: 'GTC, IOC or FOK.' },
      cancel: { const: true, description: 'Cancels everything instead of ordering.' },
    },
  },
}

export const agentsSchema: Shape = {
  type: 'array',
  maxItems: 200,
  description: 'Participants that act by themselves while the scenario runs, through accounts of the file.',
  items: {
    oneOf: agentKinds.map((kind): Shape => {
      const { shape, hasSteps = false } = agentKindOf(kind)
      const { description = '' } = shape
      const params = parametersSchema(shape)
      return {
        type: 'object',
        additionalProperties: false,
        description,
        required: [
          ...['kind', 'id', 'account', 'asset'],
          ...(params.required === undefined ? [] : ['params']),
          ...(hasSteps ? ['steps'] : []),
        ],
        properties: {
          kind: { const: kind, description: 'The kind, on which the other keys depend.' },
          id: { ...word, description: 'The name of the agent in the timeline and in its random streams.' },
          account: { ...word, description: 'The account through which it acts.' },
          asset: { ...symbol, description: 'The asset.' },
          starts: {
            title: 'an offset such as +5m, an instant, or "never"',
            type: 'string',
            minLength: 1,
            maxLength: 40,
            description:
              'When the agent begins; at once by default. With never, it begins when the timeline starts it.',
          },
          params: { ...params, description: 'How it behaves.' },
          ...(hasSteps ? { steps } : {}),
        },
      }
    }),
  },
}
