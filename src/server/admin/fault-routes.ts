import * as shapes from '../../api/admin-answers.ts'
import { invalidParameter } from '../../api/errors.ts'
import { type FaultForm, faultSchema } from '../../api/faults/fault-rule.ts'
import type { ActiveFault } from '../../api/faults/matches-fault.ts'
import { readFaultRule } from '../../api/faults/read-fault-rule.ts'
import { installFault, removeFault } from '../../world/change-world.ts'
import { knownNames } from '../../world/faults/fire-faults.ts'
import { faultView } from '../../world/views/world-views.ts'
import type { World } from '../../world/world.ts'
import {
  type AdminCall,
  AdminRefusal,
  type AdminRoute,
  type ExampleContext,
  inWorld,
  unknownName,
} from './route.ts'

/** Names the rule that the timeline's example installs, because the document's last example clears all faults. */
const scriptedFault = ({ faultId }: ExampleContext) => ({ path: { fault: faultId() } })

export const faultRoutes: readonly AdminRoute[] = [
  inWorld('GET', '/faults/:fault', {
    id: 'getFault',
    summary: 'One fault',
    response: shapes.fault,
    example: scriptedFault,
    answer: (world, call) => faultView(findPathFault(world, call)),
  }),
  inWorld('DELETE', '/faults/:fault', {
    id: 'deleteFault',
    summary: 'Remove a fault',
    response: shapes.deleted,
    example: scriptedFault,
    answer: (world, call) => {
      const { id } = findPathFault(world, call)
      removeFault(world, id)
      return { id, deleted: true }
    },
  }),
  inWorld('GET', '/faults', {
    id: 'listFaults',
    summary: 'The faults in force, and how often they struck',
    response: shapes.faultList,
    answer: (world) => ({ faults: world.faults.list(world.now).map(faultView) }),
  }),
  inWorld('POST', '/faults', {
    id: 'addFault',
    summary: 'Add a fault; a rule with the same id is replaced',
    response: shapes.fault,
    status: 201,
    example: { body: { id: 'example', type: 'latency', count: 1, attributes: { latencyMs: 1 } } },
    body: faultSchema,
    answer: addFault,
  }),
  inWorld('DELETE', '/faults', {
    id: 'clearFaults',
    summary: 'Remove all faults',
    response: shapes.cleared,
    answer: (world) => {
      removeFault(world, null)
      return { cleared: true }
    },
  }),
]

/** Installs a fault; a rule with the same id is replaced. Errors: 400 the form, with the field and the nearest word. */
function addFault(world: World, _call: AdminCall, form: FaultForm) {
  const read = readFaultRule(form, knownNames(world))
  if (!read.ok) throw new AdminRefusal(invalidParameter(read.problem))
  return faultView(installFault(world, read.value))
}

function findPathFault(world: World, { params }: AdminCall): ActiveFault {
  const id = params['fault'] ?? ''
  const rules = world.faults.list(world.now)
  const active = rules.find((candidate) => candidate.id === id)
  if (active !== undefined) return active
  const known = rules.map((candidate) => candidate.id)
  throw unknownName('fault', id, known)
}
