import { refuse } from '../../api/answer.ts'
import type { ApiContext, HandlerResult } from '../../api/context.ts'
import { callHandler, present, runOperation, splitTarget } from '../../api/dispatch.ts'
import { errorBody, invalidParameter, type Problem, problemStatus } from '../../api/errors.ts'
import { readValue } from '../../api/input/read-body.ts'
import { isObject } from '../../api/json.ts'
import { noQuery } from '../../api/operations/common.ts'
import { type OperationId, routeOf } from '../../api/operations/operations.ts'
import type { Readings } from '../../api/readings/readings.ts'
import { type CallInput, makeRequest, readArguments, readResult } from '../../client/call.ts'
import type { Endpoint } from '../../client/endpoints.ts'
import type { TransportAnswer } from '../../client/transport.ts'
import { VenueError } from '../../client/venue-error.ts'
import type { Command, Outcome } from '../../engine/command.ts'
import type { World } from '../../world/world.ts'
import type { Message, RequestTally } from './request-tally.ts'

/**
 * Simulates the way of a request to the venue and back: time passes, and the prices of the last observation are kept.
 */
export interface SimulatedNetwork {
  carryRequest(message: Message): void
  carryResponse(message: Message): void
}

/**
 * Calls operations of the interface for an account of a world, with the validation, scopes and errors of the wire, but
 * without text in between.
 */
export class InProcessSession {
  readonly world: World
  readonly account: number
  private readonly network: SimulatedNetwork
  private readonly tally: RequestTally
  private readonly readings: Readings
  private readonly execute: (command: Command) => Outcome

  constructor(world: World, account: number, network: SimulatedNetwork, tally: RequestTally) {
    this.world = world
    this.account = account
    this.network = network
    this.tally = tally
    // The client would remove an envelope, so none is added.
    this.readings = { ...world.readings, envelope: 'bare' }
    this.execute = (command) => world.execute(command)
  }

  /**
   * Carries out the operation of a client method with that method's arguments, without promises. Values go to the
   * handlers without becoming text, except queries and ids that a path has to encode. Throws a VenueError for a
   * refusal.
   */
  callOperation(endpoint: Endpoint, given: readonly unknown[]): object {
    const input = readArguments(endpoint, given)
    const { id } = endpoint
    const row = routeOf(id)
    const { parameter = '' } = input
    const isPlain = typeof parameter === 'string' && plainSegment.test(parameter) === row.path.includes(':')
    if (!isPlain || row.query !== noQuery || (row.body !== null && input.body === undefined))
      return this.performFromText(id, input)
    const body = copyMetadata(input.body)
    return this.perform({ operation: id, parameter, target: '', body }, (context) => {
      if (row.body === null) return callHandler(id, context, { parameter, query: {}, body })
      const read = readValue(row.body, body, context.readings)
      if (!read.ok) return refuse(invalidParameter(read.problem))
      return callHandler(id, context, { parameter, query: {}, body: read.value })
    })
  }

  /** Carries out an operation whose query and body are read from text, as on the wire. */
  private performFromText(operation: OperationId, input: CallInput): object {
    const { target } = makeRequest(operation, input, {})
    const body = input.body === undefined ? '' : JSON.stringify(input.body)
    const parameter = typeof input.parameter === 'string' ? input.parameter : ''
    const request = { operation, parameter, query: splitTarget(target).query, body }
    const message = { operation, parameter, target, body: input.body }
    return this.perform(message, (context) => runOperation(context, request))
  }

  private perform(message: Message, run: (context: ApiContext) => HandlerResult<object>): object {
    const { world, account, readings, execute } = this
    const { operation } = message
    this.network.carryRequest(message)
    if (world.faults.rules.length > 0 || world.running.script.watchesRequests)
      return this.performWithFaults(message)
    const problem = world.keys.findScopeProblem(account, operation, readings)
    const context = { state: world.venue.state, account, readings, now: world.now, execute }
    const answer = problem === null ? run(context) : refuse(problem)
    // This is done before time passes: the response shows the venue at this moment.
    const shown = answer.ok ? present(context, operation, answer.body) : null
    this.network.carryResponse(message)
    if (!answer.ok) throw this.createRefusal(operation, answer.problem)
    this.tally.countAccepted(operation, answer.body)
    return shown === null || shown === answer.body ? answer.body : applyShape(shown, answer.body)
  }

  /**
   * Carries out a request in a world with faults, or whose scenario watches requests: as the asynchronous client does,
   * but without retries.
   */
  private performWithFaults(message: Message): object {
    const { account, tally, world } = this
    const { body, operation, parameter } = message
    const sent = makeRequest(operation, { ...(parameter === '' ? {} : { parameter }), body }, {})
    const target = message.target === '' ? sent.target : message.target
    const accountId = world.venue.state.accounts.id(account)
    try {
      const { body: answered, status } = world.request(accountId, sent.method, target, body)
      const result = readResult({
        kind: 'answered',
        answer: { status, body: answered, header: () => null },
      })
      tally.countAccepted(operation, result)
      return result
    } catch (error) {
      if (error instanceof VenueError) tally.countRefused(operation, error)
      throw error
    } finally {
      this.network.carryResponse(message)
    }
  }

  private createRefusal(operation: OperationId, problem: Problem): VenueError {
    const { readings } = this
    const body = errorBody(problem, readings)
    const answer: TransportAnswer = { status: problemStatus(problem, readings), body, header: () => null }
    const error = new VenueError(answer)
    this.tally.countRefused(operation, error)
    return error
  }
}

/** Matches an id or symbol that needs no encoding in a path and is not a word of the interface there. */
const plainSegment = /^(?:[a-z]+_)?[A-Z0-9]+$/

/** Copies the metadata of a body, because the venue keeps it and the caller may change its own object. */
function copyMetadata(body: unknown): unknown {
  if (!isObject(body)) return body
  const { metadata, orders } = body
  if (Array.isArray(orders)) return { ...body, orders: orders.map(copyMetadata) }
  if (metadata === undefined || metadata === null) return body
  return { ...body, metadata: JSON.parse(JSON.stringify(metadata)) }
}

/** Gives a body the fields that readings change for every client; the types state the full shape. */
function applyShape(shown: object, body: object): object {
  const fields = Object.keys(body)
  for (const field of fields) if (!Object.hasOwn(shown, field)) Reflect.deleteProperty(body, field)
  return Object.assign(body, shown)
}
