import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isObject } from '../../../src/api/json.ts'
import { openApi } from '../../../src/api/openapi/openapi.ts'
import { caseBudget } from '../../support/full-run.ts'
import type { Desk } from '../desk.ts'
import { traded } from '../traded-desk.ts'
import { fromDocument } from './from-document.ts'

/*
 * What the document allows, the venue accepts, but for what OpenAPI cannot say. Each of these is a line here.
 */

const document: unknown = JSON.parse(JSON.stringify(openApi({ version: '1.2.3', servers: [] })))

/** Reasons of refusals, and the operations that have them. */
const unsayable: readonly (readonly [why: string, operations: RegExp, message: RegExp])[] = [
  [
    'steps and bounds are data of a pair',
    /./,
    /must be a multiple of|must be at (least|most) .* for|out of range|more than 15 significant digits|must be worth at least/,
  ],
  ['a limit order has a price', /createOrder$/, /^price is required for limit orders$/],
  ['what is filled stays filled', /amendOrder/, /which is filled$/],
  ['no key may be the prototype of an object', /create|submit/, /__proto__ is not an allowed key$/],
  ['one field at least is not null', /amendOrder|updateQuote/, /or .* must be given$/],
  ['a bid is below its ask', /Quote/, /^bidPrice must be .* askPrice$/],
  ['seconds are whole milliseconds', /Quote/, /^validForSeconds must/],
  ['which assets there are is data', /./, /not (a )?(traded|known)|does not exist|which is not traded/],
]

for (const [path, methods] of entriesOf(at(document, 'paths'))) {
  for (const [method, operation] of entriesOf(methods)) {
    const name = String(at(operation, 'operationId'))
    it(`${name} takes what its schemas allow`, () => {
      const desk = traded({})
      ask(desk, 'POST', '/api/sdk/orders', order)
      ask(desk, 'POST', '/api/sdk/quotes', quote)
      let accepted = 0
      const refused = new Map<string, unknown>()
      fc.assert(
        fc.property(requestOf(path, operation), ({ target, body }) => {
          const { status, body: answer } = ask(desk, method.toUpperCase(), target, body)
          if (status < 300) accepted += 1
          // Ids, states and limits are not in the document.
          if (status < 300 || status === 404 || status === 409 || status === 422) return
          const message = String(at(answer, 'message'))
          const isUnsayable = unsayable.some(([, names, words]) => names.test(name) && words.test(message))
          if (!isUnsayable) refused.set(message, { status, target, body })
        }),
        { numRuns: caseBudget(300) },
      )
      expect([...refused]).toEqual([])
      expect(accepted).toBeGreaterThan(0)
    })
  }
}

const order = { side: 'buy', asset: 'BTC', quantity: 0.01, price: 40_000, clientOrderId: 'my-order-1' }
const quote = { asset: 'BTC', bidPrice: 40_000, askPrice: 60_000, bidSize: 0.01, askSize: 0.01 }

interface Request {
  readonly target: string
  readonly body: unknown
}

function ask(desk: Desk, method: string, target: string, body: unknown) {
  return desk.request('alice', method, target.replace('/api/sdk', ''), body)
}

function requestOf(path: string, operation: unknown): fc.Arbitrary<Request> {
  const schema = at(operation, 'requestBody', 'content', 'application/json', 'schema')
  const isRequired = at(operation, 'requestBody', 'required') === true
  const body = schema === undefined ? fc.constant(undefined) : fromDocument(document, schema)
  const parameters = listOf(at(operation, 'parameters')).map((parameter) => parameterOf(parameter))
  return fc
    .tuple(
      fc.tuple(...parameters),
      isRequired || schema === undefined ? body : fc.option(body, { nil: undefined }),
    )
    .map(([values, given]) => ({ target: targetOf(path, values), body: given }))
}

interface Parameter {
  readonly name: string
  readonly place: unknown
  readonly value: string | null
}

function parameterOf(parameter: unknown): fc.Arbitrary<Parameter> {
  const name = String(at(parameter, 'name'))
  const place = at(parameter, 'in')
  const any = fromDocument(document, at(parameter, 'schema'), name).map(String)
  // A path's parameter is one segment, and another one than the fixed ones.
  const value = place === 'path' ? any.filter((text) => text !== '') : any
  const given = value.map((text) => ({ name, place, value: text }))
  const isRequired = at(parameter, 'required') === true
  return isRequired ? given : fc.oneof(given, fc.constant({ name, place, value: null }))
}

function targetOf(path: string, values: readonly Parameter[]): string {
  let target = path
  const query: string[] = []
  for (const { name, place, value } of values) {
    if (value === null) continue
    if (place === 'path') target = target.replace(`{${name}}`, encodeURIComponent(value))
    else query.push(`${name}=${encodeURIComponent(value)}`)
  }
  return query.length === 0 ? target : `${target}?${query.join('&')}`
}

function at(value: unknown, ...names: readonly string[]): unknown {
  let found = value
  for (const name of names) found = isObject(found) ? found[name] : undefined
  return found
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isObject(value) ? Object.entries(value) : []
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
