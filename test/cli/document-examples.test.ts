import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { isObject } from '../../src/api/json.ts'
import { signedHeaders } from '../server/signed-request.ts'
import { serve } from './harness.ts'

/*
 * A tool that knows nothing but the document sends each operation's examples, in the order in which they stand there, to
 * a venue that has just been started. Every one succeeds, and the document's answers are what the venue answers.
 */

const desk = { apiKey: 'simk_default_desk', apiSecret: 'sims_default_desk' }

interface Tree {
  readonly [key: string]: unknown
}

interface Sent {
  readonly operation: string
  readonly status: number
  readonly declared: string
  readonly body: unknown
  readonly example: unknown
  readonly isValid: boolean | string
}

it.each([
  ['3.1', 'realtime'],
  ['3.1', 'manual'],
  ['3.0', 'manual'],
])('the examples of version %s work in the order of the document, in %s time', async (version, clock) => {
  const { url } = await serve(['--port', '0', '--clock', clock])
  await fetch(`${url}/__admin/worlds/default/rate-limits`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: '{"enabled":false}',
  })
  const document = await treeOf(await fetch(`${url}/__admin/openapi.json?openapi=${version}`))
  expect(document['openapi']).toBe(version === '3.1' ? '3.1.0' : '3.0.3')
  const all = await sendAll(url, document, isValidIn(document))
  expect(all.map(({ operation }) => operation)).toHaveLength(42)
  for (const sent of all) {
    const { operation, status, declared } = sent
    expect([operation, String(status), sent.isValid]).toEqual([operation, declared, true])
    // In a world whose time stands still, the document says the whole truth.
    if (clock === 'manual' && sent.example !== undefined)
      expect([operation, sent.body]).toEqual([operation, sent.example])
    expect([operation, shapeOf(sent.body)]).toEqual([operation, shapeOf(sent.example ?? sent.body)])
  }
})

it('the examples of the admin API work in the order of its document', async () => {
  const { url } = await serve(['--port', '0', '--clock', 'manual'])
  const document = await treeOf(await fetch(`${url}/__admin/admin-openapi.json`))
  const isValid = isValidIn(document)
  const names: string[] = []
  const bare: string[] = []
  for (const [path, methods] of entriesOf(document['paths'])) {
    for (const [method, operation] of entriesOf(methods)) {
      const name = String(at(operation, 'operationId'))
      names.push(name)
      const [[declared, response] = ['', {}]] = entriesOf(at(operation, 'responses'))
      const json = at(response, 'content', 'application/json')
      if (at(json, 'example') === undefined) bare.push(name)
      // A stream has no end, and the document to import is what another operation answers.
      if (['streamEvents', 'followWorld', 'importSnapshot', 'importJournal'].includes(name)) continue
      const [body] = bodiesOf(operation)
      const target = targetOf(path, operation, new Map())
      const send = async () => {
        const answer = await fetch(`${url}/__admin${target}`, {
          method: method.toUpperCase(),
          headers: body === undefined ? {} : { 'content-type': 'application/json' },
          body: body === undefined ? null : JSON.stringify(body),
        })
        const text = await answer.text()
        return { status: String(answer.status), answered: json === undefined ? text : JSON.parse(text) }
      }
      let { status, answered } = await send()
      // The past is worked out with each request.
      while (at(answered, 'isWhole') === false) ({ status, answered } = await send())
      expect([name, status]).toEqual([name, declared])
      if (json === undefined) continue
      const pointer = ['paths', path, method, 'responses', declared, 'content', 'application/json', 'schema']
      expect([name, isValid(pointer, answered)]).toEqual([name, true])
      const example = at(json, 'example')
      if (example !== undefined) expect([name, shapeOf(answered)]).toEqual([name, shapeOf(example)])
    }
  }
  expect(names.length).toBeGreaterThan(55)
  expect(names.at(-1)).toBe('shutDown')
  expect(bare).toEqual([
    'getOpenApi',
    'getAdminOpenApi',
    'importJournal',
    'getJournal',
    'followWorld',
    'streamEvents',
    'importSnapshot',
  ])
})

it('refuses other versions', async () => {
  const { url } = await serve(['--port', '0'])
  const response = await fetch(`${url}/__admin/openapi.json?openapi=2.0`)
  expect([response.status, (await treeOf(response))['message']]).toEqual([
    400,
    'openapi must be one of 3.1, 3.0',
  ])
})

async function sendAll(url: string, document: Tree, isValid: Validity): Promise<readonly Sent[]> {
  const linked = new Map<string, unknown>()
  const all: Sent[] = []
  for (const [path, methods] of entriesOf(document['paths'])) {
    for (const [method, operation] of entriesOf(methods)) {
      const name = String(at(operation, 'operationId'))
      const responses = entriesOf(at(operation, 'responses')).filter(([status]) => status < '300')
      expect([name, responses.length]).toEqual([name, 1])
      const [[declared, response] = ['', {}]] = responses
      for (const [index, body] of bodiesOf(operation).entries()) {
        const target = targetOf(path, operation, linked)
        const text = body === undefined ? '' : JSON.stringify(body)
        const sending = { method: method.toUpperCase(), target, body: text, ...desk }
        const answer = await fetch(`${url}${target}`, {
          method: sending.method,
          headers: signedHeaders(sending, Date.now()),
          body: text === '' ? null : text,
        })
        const answered: unknown = await answer.json()
        const example = index === 0 ? at(response, 'content', 'application/json', 'example') : undefined
        if (index === 0) expect([name, example === undefined]).toEqual([name, false])
        const pointer = [
          'paths',
          path,
          method,
          'responses',
          declared,
          'content',
          'application/json',
          'schema',
        ]
        all.push({
          operation: name,
          status: answer.status,
          declared,
          body: answered,
          example,
          isValid: isValid(pointer, answered),
        })
        if (index === 0) follow(response, answered, linked)
      }
    }
  }
  return all
}

function bodiesOf(operation: unknown): readonly unknown[] {
  const media = at(operation, 'requestBody', 'content', 'application/json')
  if (media === undefined) return [undefined]
  const several = entriesOf(at(media, 'examples')).map(([, example]) => at(example, 'value'))
  return several.length > 0 ? several : [at(media, 'example')]
}

/** Fills in a path: each parameter from its example, or from a link to an earlier response. */
function targetOf(path: string, operation: unknown, linked: ReadonlyMap<string, unknown>): string {
  const query: string[] = []
  let target = path
  for (const parameter of listOf(at(operation, 'parameters'))) {
    const name = String(at(parameter, 'name'))
    const link = linked.get(`${at(operation, 'operationId')}.${name}`)
    const example = link ?? at(parameter, 'example')
    if (example === undefined) continue
    const value = encodeURIComponent(String(example))
    if (at(parameter, 'in') === 'path') target = target.replace(`{${name}}`, value)
    else query.push(`${name}=${value}`)
  }
  return query.length === 0 ? target : `${target}?${query.join('&')}`
}

function follow(response: unknown, body: unknown, linked: Map<string, unknown>): void {
  for (const [, link] of entriesOf(at(response, 'links'))) {
    for (const [name, expression] of entriesOf(at(link, 'parameters'))) {
      const pointer = String(expression).replace('$response.body#/', '').split('/')
      const value = at(body, ...pointer)
      expect([expression, typeof value]).toEqual([expression, 'string'])
      linked.set(`${at(link, 'operationId')}.${name}`, value)
    }
  }
}

type Validity = (pointer: readonly string[], value: unknown) => boolean | string

function isValidIn(document: Tree): Validity {
  const options = { strict: false, validateFormats: false }
  const ajv = document['openapi'] === '3.1.0' ? new Ajv2020(options) : new Ajv(options)
  ajv.addSchema(document, 'document')
  return (pointer, value) => {
    const place = pointer.map((part) => encodeURIComponent(part.replaceAll('/', '~1'))).join('/')
    return ajv.validate(`document#/${place}`, value) || ajv.errorsText()
  }
}

/** Describes the fields and types of a value; of a list, those of its first element. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (!isObject(value)) return value === null ? 'null' : typeof value
  return Object.fromEntries(entriesOf(value).map(([key, part]) => [key, shapeOf(part)]))
}

async function treeOf(response: Response): Promise<Tree> {
  const tree: unknown = await response.json()
  return isObject(tree) ? tree : {}
}

function at(value: unknown, ...names: readonly string[]): unknown {
  let found = value
  for (const name of names) found = entriesOf(found).find(([key]) => key === name)?.[1]
  return found
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
