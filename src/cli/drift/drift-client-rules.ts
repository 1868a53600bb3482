import { isObject } from '../../api/json.ts'
import { routeOf } from '../../api/routes/routes.ts'
import { clientFields } from '../../api/schemas/client-fields.ts'
import type { Schema } from '../../api/schemas/infer.ts'
import { type Exchange, type Finding, isSuccess, itemsIn, objectOf, say } from './drift-exchange.ts'

/* What an exchange shows about the readings of the venue's published client. */

export function clientFindings(exchange: Exchange): readonly Finding[] {
  return [
    ...addedFields(exchange),
    ...limits(exchange),
    ...snakeCaseNames(exchange),
    ...depths(exchange),
    ...pages(exchange),
    ...quoteFills(exchange),
  ]
}

/** The documented name of each field of a body that is written in snake_case instead. */
export function snakeCaseFields(exchange: Exchange): ReadonlyMap<string, string> {
  const { operation, requestBody } = exchange
  const properties = operation === null ? {} : (routeOf(operation).body?.properties ?? {})
  const names = Object.keys(objectOf(requestBody)).flatMap((given): [string, string][] => {
    const name = given.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    return name !== given && Object.hasOwn(properties, name) ? [[given, name]] : []
  })
  return new Map(names)
}

function addedFields(exchange: Exchange): readonly Finding[] {
  const { operation, body } = exchange
  if (operation === null || !isSuccess(exchange) || !isObject(body)) return []
  if (operation === 'getPosition' && 'position' in body) return []
  const shape: Schema = routeOf(operation).response
  const names = Object.keys(clientFields.get(shape)?.properties ?? {})
  const added = names.filter((name) => !Object.hasOwn(shape.properties ?? {}, name))
  if (added.length === 0) return []
  return [say('answers.clientFields', added.some((name) => name in body) ? 'added' : 'none')]
}

function limits(exchange: Exchange): readonly Finding[] {
  if (exchange.operation !== 'getLimits' || !isSuccess(exchange)) return []
  return [say('limits.form', Array.isArray(objectOf(exchange.body)['limits']) ? 'list' : 'object')]
}

/** Taken where the answer has the value that was sent; ignored where it has another; or named in a refusal. */
function snakeCaseNames(exchange: Exchange): readonly Finding[] {
  const answer = objectOf(exchange.body)
  const sent = objectOf(exchange.requestBody)
  const named = String(objectOf(answer['details'])['field'] ?? '')
  return [...snakeCaseFields(exchange)].flatMap(([given, name]): readonly Finding[] => {
    if (exchange.status === 400) return named === given ? [say('body.names', 'camel')] : []
    if (!isSuccess(exchange) || !(name in answer)) return []
    const [asked, answered] = [sent[given], answer[name]]
    const isTaken = asked === answered || (asked !== null && Number(asked) === answered)
    return isTaken ? [say('body.names', 'either')] : [say('body.names', 'camel')]
  })
}

/** A venue that takes the nearest depth answers at most 50 levels, too. */
function depths(exchange: Exchange): readonly Finding[] {
  const { operation, query, status, body } = exchange
  const depth = Number(query.get('depth') ?? 0)
  if (operation !== 'getOrderBook' || !(depth > 50 && depth <= 100)) return []
  if (status === 400) return [say('depth.maximum', '50')]
  return itemsIn(body, 'bids').length > 50 ? [say('depth.maximum', '100')] : []
}

/** The second page of quotes begins after the first. */
function pages(exchange: Exchange): readonly Finding[] {
  const { operation, query, status, body } = exchange
  const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 50)]
  if (operation !== 'listQuotes' || !(page > 1) || query.has('offset')) return []
  if (status === 400) return [say('quotes.query', 'offset')]
  const { offset } = objectOf(objectOf(body)['pagination'])
  if (!isSuccess(exchange) || typeof offset !== 'number') return []
  return [say('quotes.query', offset === (page - 1) * limit ? 'either' : 'offset')]
}

/** A path that does not exist has an error without a type. */
function quoteFills(exchange: Exchange): readonly Finding[] {
  const { operation, status, raw } = exchange
  if (operation !== 'listQuoteFills') return []
  if (isSuccess(exchange)) return [say('quotes.fills', 'present')]
  const message = String(objectOf(raw)['message'])
  return status === 404 && message.startsWith('Cannot GET') ? [say('quotes.fills', 'absent')] : []
}
