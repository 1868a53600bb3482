import { type Answer, type ApiContext, type BodyInput, type Input, refuse } from '../../api/context.ts'
import { errorBody, invalid, type Problem, statusOf } from '../../api/errors.ts'
import { readValue } from '../../api/input/read-body.ts'
import { operations } from '../../api/operations.ts'
import { present } from '../../api/readings/present.ts'
import type { Readings } from '../../api/readings/readings.ts'
import { type OperationId, routeOf } from '../../api/routes/routes.ts'
import type { noQuery } from '../../api/schemas/common.ts'
import type { Infer, Schema } from '../../api/schemas/infer.ts'
import { splitTarget } from '../../api/split-target.ts'
import { type CallInput, requestOf, resultOf } from '../../client/call.ts'
import type { ResponseOf } from '../../client/operation-types.ts'
import type { TransportAnswer } from '../../client/transport.ts'
import { VenueError } from '../../client/venue-error.ts'
import type { Command, Outcome } from '../../engine/command.ts'
import { scopeProblem } from '../../world/resolve-operation.ts'
import type { World } from '../../world/world.ts'
import type { Message, RequestTally } from './request-tally.ts'

/** A request's way to the venue and back: the feed is kept as it was, and time passes. */
export interface SimulatedNetwork {
  depart(message: Message): void
  comeBack(message: Message): void
}

/**
 * An account's place in a world: carries out operations of the interface for it, with the validation, scopes and
 * errors of the wire, but without going through text.
 */
export class InProcessSession {
  readonly world: World
  readonly account: number
  private readonly journey: SimulatedNetwork
  private readonly tally: RequestTally
  private readonly readings: Readings
  private readonly execute: (command: Command) => Outcome

  constructor(world: World, account: number, journey: SimulatedNetwork, tally: RequestTally) {
    this.world = world
    this.account = account
    this.journey = journey
    this.tally = tally
    // The client would remove an envelope, so none is added.
    this.readings = { ...world.readings, envelope: 'bare' }
    this.execute = (command) => world.execute(command)
  }

  /** An operation with a body, given as the value that its JSON would have. Throws a VenueError for a refusal. */
  withBody<const Body extends Schema, Result extends object>(
    operation: OperationId,
    schema: Body,
    given: unknown,
    parameter: string,
    handler: (context: ApiContext, input: BodyInput<EmptyQuery, Body>) => Answer<Result>,
  ): Result {
    return this.perform({ operation, parameter, target: '', body: given }, (context) => {
      const body = readValue(schema, given, context.readings)
      if (!body.ok) return refuse(invalid(body.flaw))
      return handler(context, { parameter, query: emptyQuery, body: body.value })
    })
  }

  /** An operation on what its path names. Throws a VenueError for a refusal. */
  onPath<Result extends object>(
    operation: OperationId,
    parameter: string,
    handler: (context: ApiContext, input: Input<EmptyQuery>) => Answer<Result>,
  ): Result {
    const message = { operation, parameter, target: '', body: undefined }
    return this.perform(message, (context) => handler(context, { parameter, query: emptyQuery }))
  }

  /** Any operation, its query and body read from text as they would be on the wire. */
  byText<Id extends OperationId>(operation: Id, input: CallInput): ResponseOf<Id> {
    const { target } = requestOf(operation, input, {})
    const body = input.body === undefined ? '' : JSON.stringify(input.body)
    const request = {
      operation,
      parameter: input.parameter ?? '',
      query: splitTarget(target).query,
      body,
    }
    const message = { operation, parameter: request.parameter, target, body: input.body }
    const answer = this.perform(message, (context) => operations[operation](context, request))
    if (!isResponse<Id>(answer)) throw new TypeError(`${operation} has no answer`)
    return answer
  }

  private perform<Result extends object>(
    message: Message,
    run: (context: ApiContext) => Answer<Result>,
  ): Result {
    const { world, account, readings, execute } = this
    const { operation } = message
    this.journey.depart(message)
    if (!world.faults.isEmpty || world.running.script.watchesRequests) return this.throughFaults(message)
    const isGranted = world.keys.grants(account, routeOf(operation).scope)
    const problem = isGranted ? null : scopeProblem(world.keys.scopesOf(account), operation, readings)
    const context = { state: world.venue.state, account, readings, now: world.now, execute }
    const answer = problem === null ? run(context) : refuse(problem)
    const now = world.now
    this.journey.comeBack(message)
    if (!answer.ok) throw this.refusal(operation, answer.problem)
    this.tally.accepted(operation, answer.body)
    const shown = present(operation, answer.body, now, readings)
    return shown === answer.body ? answer.body : withShape(shown, answer.body)
  }

  /** Where faults strike or a scenario watches requests: like the asynchronous client, but without retries. */
  private throughFaults<Result extends object>(message: Message): Result {
    const { account, tally, world } = this
    const { body, operation, parameter } = message
    const sent = requestOf(operation, { ...(parameter === '' ? {} : { parameter }), body }, {})
    const target = message.target === '' ? sent.target : message.target
    const accountId = world.venue.state.accounts.id(account)
    try {
      const { body: answered, status } = world.request(accountId, sent.method, target, body)
      const result: object = resultOf({
        kind: 'answered',
        answer: { status, body: answered, header: () => null },
      })
      tally.accepted(operation, result)
      if (!isResult<Result>(result)) throw new TypeError(`${operation} has no answer`)
      return result
    } catch (error) {
      if (error instanceof VenueError) tally.refused(operation, error)
      throw error
    } finally {
      this.journey.comeBack(message)
    }
  }

  private refusal(operation: OperationId, problem: Problem): VenueError {
    const { readings } = this
    const body = errorBody(problem, readings)
    const answer: TransportAnswer = { status: statusOf(problem, readings), body, header: () => null }
    const error = new VenueError(answer)
    this.tally.refused(operation, error)
    return error
  }
}

type EmptyQuery = typeof noQuery
const emptyQuery: Infer<EmptyQuery> = {}

function isResponse<Id extends OperationId>(body: object): body is ResponseOf<Id> {
  return typeof body === 'object'
}

function isResult<Result extends object>(body: object): body is Result {
  return typeof body === 'object'
}

/** A reading that changes shapes changes them for every client; the types state the full shape. */
function withShape<Result extends object>(shown: object, body: Result): Result {
  const fields = Object.keys(body)
  for (const field of fields) if (!Object.hasOwn(shown, field)) Reflect.deleteProperty(body, field)
  return Object.assign(body, shown)
}
