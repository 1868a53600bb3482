import { isObject, jsonField } from '../../api/json.ts'

/*
 * Reads an OpenAPI document as data: its operations, the fields of their bodies and answers, and their examples.
 */

/** An operation of the document, as the sidebar lists it. */
export interface ListedOperation {
  readonly id: string
  readonly tag: string
  readonly method: string
  readonly path: string
  readonly summary: string
  /** The operation's part of the document. */
  readonly part: unknown
}

/** A field of a body or an answer, with its place in it, such as `details.byBalance` or `orders[].side`. */
export interface ListedField {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly about: string
  /** What values it may have, such as `one of buy, sell` or `1 to 300`; empty where the type says all. */
  readonly limits: string
}

/** Lists the operations of a document in its order. */
export function listOperations(document: unknown): readonly ListedOperation[] {
  return entriesOf(jsonField(document, 'paths')).flatMap(([path, methods]) =>
    entriesOf(methods).flatMap(([method, part]) => {
      const id = jsonField(part, 'operationId')
      const tags = jsonField(part, 'tags')
      if (typeof id !== 'string') return []
      const tag = Array.isArray(tags) ? String(tags[0]) : ''
      return [{ id, tag, method: method.toUpperCase(), path, summary: fieldText(part, 'summary'), part }]
    }),
  )
}

/** Lists the fields of a schema, nested ones after their parents. Links to named schemas are followed. */
export function listFields(document: unknown, schema: unknown): readonly ListedField[] {
  const fields: ListedField[] = []
  collectFields(document, schema, '', 0, fields)
  return fields
}

/** The deepest nesting that is listed. No schema of ours is deeper. */
const deepest = 5

function collectFields(
  document: unknown,
  given: unknown,
  place: string,
  depth: number,
  fields: ListedField[],
): void {
  const schema = followLink(document, given)
  const items = jsonField(schema, 'items')
  if (items !== undefined) collectFields(document, items, `${place}[]`, depth, fields)
  const required = jsonField(schema, 'required')
  for (const [key, value] of depth < deepest ? entriesOf(jsonField(schema, 'properties')) : []) {
    const field = followLink(document, value)
    const name = place === '' ? key : `${place}.${key}`
    const isRequired = Array.isArray(required) && required.includes(key)
    const about = fieldText(value, 'description') || fieldText(field, 'description')
    fields.push({ name, isRequired, about, type: describeType(field), limits: describeLimits(field) })
    collectFields(document, field, name, depth + 1, fields)
  }
  for (const word of ['anyOf', 'oneOf', 'allOf']) {
    const parts = jsonField(schema, word)
    if (Array.isArray(parts)) for (const part of parts) collectFields(document, part, place, depth, fields)
  }
}

/** Resolves a schema that is a link to a named one, or that allows null beside another one. */
function followLink(document: unknown, schema: unknown): unknown {
  const choices = jsonField(schema, 'anyOf')
  if (Array.isArray(choices) && choices.length === 2 && jsonField(choices[1], 'type') === 'null') {
    const chosen = followLink(document, choices[0])
    const type = jsonField(chosen, 'type')
    const types = Array.isArray(type) ? type : [type]
    return { ...Object(chosen), ...without(schema, 'anyOf'), type: [...types, 'null'] }
  }
  const link = jsonField(schema, '$ref')
  if (typeof link !== 'string') return schema
  const found = link
    .split('/')
    .slice(1)
    .reduce((part: unknown, name) => jsonField(part, name), document)
  return isObject(found) ? { ...found, ...without(schema, '$ref') } : schema
}

const without = (value: unknown, name: string): object =>
  Object.fromEntries(entriesOf(value).filter(([key]) => key !== name))

function describeType(schema: unknown): string {
  const type = jsonField(schema, 'type')
  const format = fieldText(schema, 'format')
  const names = Array.isArray(type) ? type.map(String) : typeof type === 'string' ? [type] : []
  const words = names.filter((name) => name !== 'null')
  const shown = words.length === 0 ? 'any' : words.join(' or ')
  const isNullable = words.length < names.length
  return `${shown}${format === '' ? '' : ` (${format})`}${isNullable ? ' or null' : ''}`
}

function describeLimits(schema: unknown): string {
  const number = (name: string): number | null => {
    const value = jsonField(schema, name)
    return typeof value === 'number' ? value : null
  }
  const words: string[] = []
  const choices = jsonField(schema, 'enum')
  if (Array.isArray(choices)) words.push(`one of ${choices.map(String).join(', ')}`)
  const above = number('exclusiveMinimum')
  if (above !== null) words.push(`above ${above}`)
  words.push(...describeRange(number('minimum'), number('maximum'), ''))
  words.push(...describeRange(number('minLength'), number('maxLength'), ' characters'))
  words.push(...describeRange(number('minItems'), number('maxItems'), ' items'))
  const usual = jsonField(schema, 'default')
  if (usual !== undefined) words.push(`${JSON.stringify(usual)} when left out`)
  return words.join('; ')
}

function describeRange(least: number | null, most: number | null, unit: string): readonly string[] {
  if (least !== null && most !== null) return [`${least} to ${most}${unit}`]
  if (least !== null) return [`at least ${least}${unit}`]
  return most === null ? [] : [`at most ${most}${unit}`]
}

/** Returns the schema of an operation's body; undefined without a body. */
export const findBodySchema = (part: unknown): unknown =>
  jsonField(jsonField(jsonField(jsonField(part, 'requestBody'), 'content'), 'application/json'), 'schema')

/** The answer of an operation that succeeds. */
interface ListedAnswer {
  readonly status: string
  readonly schema: unknown
  readonly example: unknown
}

/** Finds the answer of an operation that succeeds; null where the document has none with a body. */
export function findAnswer(part: unknown): ListedAnswer | null {
  const found = entriesOf(jsonField(part, 'responses')).find(([status]) => status.startsWith('2'))
  if (found === undefined) return null
  const [status, response] = found
  const media = jsonField(jsonField(response, 'content'), 'application/json')
  if (media === undefined) return null
  return { status, schema: jsonField(media, 'schema'), example: jsonField(media, 'example') }
}

/** An example request of an operation: its target with the examples of its parameters, and its body. */
export interface ExampleRequest {
  readonly method: string
  readonly target: string
  readonly body: string
}

/** Builds the example request of an operation from the examples of the document. */
export function buildExample({ method, path, part }: ListedOperation): ExampleRequest {
  const query: string[] = []
  let target = path
  const parameters = jsonField(part, 'parameters')
  for (const parameter of Array.isArray(parameters) ? parameters : []) {
    const example = jsonField(parameter, 'example')
    const name = fieldText(parameter, 'name')
    if (example === undefined) continue
    const value = encodeURIComponent(String(example))
    if (jsonField(parameter, 'in') === 'path') target = target.replace(`{${name}}`, value)
    else query.push(`${name}=${value}`)
  }
  const media = jsonField(jsonField(jsonField(part, 'requestBody'), 'content'), 'application/json')
  const [first] = entriesOf(jsonField(media, 'examples'))
  const body = jsonField(media, 'example') ?? jsonField(first?.[1], 'value')
  return {
    method,
    target: query.length === 0 ? target : `${target}?${query.join('&')}`,
    body: body === undefined ? '' : JSON.stringify(body),
  }
}

function fieldText(value: unknown, name: string): string {
  const found = jsonField(value, name)
  return typeof found === 'string' ? found : ''
}

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  isObject(value) ? Object.entries(value) : []
