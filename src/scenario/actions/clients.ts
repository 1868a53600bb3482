import { suggestRoute } from '../../api/faults/matches-fault.ts'
import { assert } from '../../numeric/assert.ts'
import { millis } from '../../numeric/units.ts'
import { flag, orNone, type RecordOf, record, shapeTyped } from '../../shape/shape.ts'
import { compileParameterChange } from '../agents/compile-agents.ts'
import type { Values } from '../agents/parameters.ts'
import {
  addMistake,
  addNameMistake,
  childField,
  type Field,
  readOptional,
  requiredField,
  statedText,
} from '../file/fields.ts'
import { word } from '../file/schema-words.ts'
import { hasBrokenPart } from '../file/tree.ts'
import type { ActionKind, ActionScope } from './action.ts'
import { part } from './parts.ts'
import { requestShape } from './requests.ts'

const agentShape = record(
  {
    id: shapeTyped<string>({ ...word, description: 'The agent, by its id under `agents`.' }),
    start: orNone(shapeTyped<true>({ const: true, description: 'It acts from now on.' })),
    stop: orNone(shapeTyped<true>({ const: true, description: 'It stops acting.' })),
    set: orNone(
      shapeTyped<unknown>({
        type: 'object',
        minProperties: 1,
        maxProperties: 50,
        description: 'New values for some of its parameters, from its next act on.',
      }),
    ),
  },
  'Starts, stops or changes an agent.',
)

export interface AgentAction {
  readonly id: string
  readonly verb: 'start' | 'stop' | 'set'
  readonly values: Values
}

const agent: ActionKind<AgentAction> = {
  shape: agentShape,
  read: readAgent,
  begin: ({ id, verb, values }, { agentNamed, venue }) => {
    const named = agentNamed(id)
    assert(named !== undefined, 'a compiled action names an agent that is there')
    const now = millis(venue.state.nowMillis)
    if (verb === 'set') named.set(values)
    else if (verb === 'start') named.start(now)
    else named.stop(now)
    return { commands: [] }
  },
}

function readAgent(action: Field, scope: ActionScope): AgentAction {
  const id = requiredField(action, 'id')
  const name = statedText(id)
  const kind = scope.agents.get(name)
  if (kind === undefined) addNameMistake(id, `no agent is called "${name}"`, scope.agents.keys())
  const verbs = (['start', 'stop', 'set'] as const).filter((verb) => childField(action, verb) !== null)
  const [verb = 'start'] = verbs
  if (verbs.length !== 1) addMistake(action, 'say one of "start", "stop" and "set"')
  const set = childField(action, 'set')
  const values = set === null || kind === undefined ? new Map() : compileParameterChange(set, kind)
  return { id: name, verb, values }
}

const awaitShape = record(
  {
    request: orNone({ ...requestShape, minProperties: 1 }),
    that: orNone(part('predicate', 'What must hold.')),
    bind: orNone(part('label', 'A label for the order or quote that the request made.')),
    timeoutMillis: orNone(
      part(
        'span',
        'How long to wait, in the time of the world; until the end of the run by default.',
        'timeout',
      ),
    ),
    wallTimeoutMillis: orNone(
      part(
        'span',
        'How long to wait in real time, in a run with a client (`otcsim run --client`); a minute by default. It has no effect without a client.',
        'wallTimeout',
      ),
    ),
    required: orNone(flag('Whether the run fails if it never comes; true by default.')),
  },
  'Waits for a client. Entries at its id, such as "id+5s", count from what was awaited.',
)

export type AwaitAction = RecordOf<typeof awaitShape>

/**
 * Waits for a request that matches, or for a predicate that holds. The label of the entry is then the instant at
 * which that came.
 */
const awaitKind: ActionKind<AwaitAction> = {
  shape: awaitShape,
  makes: { kind: 'either', word: 'bind' },
  check: ({ request, that, bind }, field) => {
    if ((request === undefined) === (that === undefined))
      addMistake(field, 'await either a "request" or "that" something holds')
    const label = childField(field, 'bind')
    if (bind !== undefined && request === undefined && label !== null && !hasBrokenPart(field.tree))
      addMistake(label, '"bind" goes with "request"')
    checkRoute(childField(field, 'request'))
  },
}

/** Notes a path that resembles that of an operation but is none. Other unknown paths may be awaited on purpose. */
function checkRoute(request: Field | null): void {
  const path = childField(request, 'path')
  if (path === null) return
  const meant = suggestRoute(readOptional(request, 'method', statedText), statedText(path))
  if (meant === null) return
  addMistake(path, `"${statedText(path)}" is not a path of an operation`, meant)
}

export const agentActions = { agent }
export const awaitActions = { await: awaitKind }
