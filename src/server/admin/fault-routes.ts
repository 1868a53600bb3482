import * as shapes from '../../api/admin-answers.ts'
import { invalid } from '../../api/errors.ts'
import { type FaultForm, faultSchema } from '../../api/faults/fault-rule.ts'
import type { ActiveFault } from '../../api/faults/matches-fault.ts'
import { readFaultRule } from '../../api/faults/read-fault-rule.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { installFault, removeFault } from '../../world/change-world.ts'
import { knownNames } from '../../world/faults/fault-book.ts'
import type { World } from '../../world/world.ts'
import { type Found, found, inWorld, inWorldWith, notFound } from './find.ts'
import {
  type AdminAnswer,
  type AdminCall,
  type AdminRoute,
  bare,
  created,
  type ExampleFacts,
  ok,
  refused,
  withBody,
} from './route.ts'

/** Design, section 9: what goes wrong on purpose, and how often. */
/** The rule that the example of the timeline brings: the documentation clears all faults at its end. */
const scriptedFault = ({ faultId }: ExampleFacts) => ({ path: { fault: faultId() } })

export const faultRoutes: readonly AdminRoute[] = [
  bare(
    'GET',
    '/worlds/:world/faults/:fault',
    { id: 'getFault', summary: 'One fault', response: shapes.fault, example: scriptedFault },
    inWorld(getFault),
  ),
  bare(
    'DELETE',
    '/worlds/:world/faults/:fault',
    { id: 'deleteFault', summary: 'Remove a fault', response: shapes.deleted, example: scriptedFault },
    inWorld(deleteFault),
  ),
  bare(
    'GET',
    '/worlds/:world/faults',
    {
      id: 'listFaults',
      summary: 'The faults in force, and how often they struck',
      response: shapes.faultList,
    },
    inWorld((world) => ok({ faults: world.faults.list(world.now).map(faultView) })),
  ),
  withBody(
    'POST',
    '/worlds/:world/faults',
    {
      id: 'addFault',
      summary: 'Let something go wrong; a rule with the same id is replaced',
      response: shapes.fault,
      status: 201,
      example: () => ({ body: { id: 'example', type: 'latency', count: 1, attributes: { latencyMs: 1 } } }),
    },
    faultSchema,
    inWorldWith(addFault),
  ),
  bare(
    'DELETE',
    '/worlds/:world/faults',
    { id: 'clearFaults', summary: 'Remove all faults', response: shapes.cleared },
    inWorld((world) => {
      removeFault(world, null)
      return ok({ cleared: true })
    }),
  ),
]

/** Errors: 400 for the form, with the field and the nearest word. A rule with the same id is replaced. */
function addFault(world: World, form: FaultForm): AdminAnswer {
  const read = readFaultRule(form, knownNames(world.venue.state))
  if (!read.ok) return refused(invalid(read.flaw))
  return created(faultView(installFault(world, read.value)))
}

function getFault(world: World, call: AdminCall): AdminAnswer {
  const active = faultOf(world, call)
  return active.ok ? ok(faultView(active.value)) : active.answer
}

function deleteFault(world: World, call: AdminCall): AdminAnswer {
  const active = faultOf(world, call)
  if (!active.ok) return active.answer
  removeFault(world, active.value.id)
  return ok({ id: active.value.id, deleted: true })
}

function faultOf(world: World, { params }: AdminCall): Found<ActiveFault> {
  const id = params['fault'] ?? ''
  const rules = world.faults.list(world.now)
  const active = rules.find((candidate) => candidate.id === id)
  return active === undefined
    ? notFound(
        'fault',
        id,
        rules.map((candidate) => candidate.id),
      )
    : found(active)
}

/** In the words in which it was written; what matches anything is left out. */
export function faultView({ id, rule, untilMillis, matched, fired }: ActiveFault) {
  const { match, type, phase, toxicity, count, skip, every, attributes } = rule
  return {
    id,
    match: Object.fromEntries(Object.entries(match).filter(([, value]) => value !== null)),
    type,
    phase,
    toxicity,
    count,
    skip,
    every,
    until: untilMillis === null ? null : millisToIso(untilMillis),
    attributes,
    matched,
    fired,
  }
}
