import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Workshop } from '../../clients/workshop.ts'
import { cannedOrder, scenario } from './our-venue.ts'

/*
 * Who is measured over HTTP, each as its own program, told what to answer in its own way. Signatures are checked by ours and
 * by the Koa applications, fields also by Prism; nobody but those trades.
 */

export const names = [
  'otcsim',
  'plain Koa',
  'plain Koa, @koa/bodyparser',
  'WireMock',
  'Prism',
  'Mockoon',
  'json-server',
] as const
export type Name = (typeof names)[number]

/** In these versions, because later ones ask for a later Node. */
export const packages = [
  '@koa/bodyparser@6.1.0',
  '@mockoon/cli@9.9.0',
  '@stoplight/prism-cli@5.14.2',
  'json-server@0.17.4',
  'wiremock@3.13.2',
]

export interface Command {
  readonly program: string
  readonly words: readonly string[]
}

const here = fileURLToPath(new URL('.', import.meta.url))
const otcsim = join(here, '../../dist/cli.cjs')
const apiPath = '/api/sdk'

/** The files by which each is told what to answer. */
export async function writeFiles(workshop: Workshop): Promise<void> {
  const canned = cannedOrder()
  const path = `${apiPath}/orders`
  workshop.write('bench.json', JSON.stringify(scenario))
  workshop.write('openapi.json', await workshop.must(process.execPath, [otcsim, 'openapi']))
  workshop.write('orders.json', JSON.stringify({ orders: [{ ...canned, id: canned['orderId'] }] }))
  workshop.write('routes.json', JSON.stringify({ [`${apiPath}/*`]: '/$1' }))
  workshop.write('mockoon.json', JSON.stringify(mockoonEnvironment(path, canned)))
  const response = { headers: { 'Content-Type': 'application/json' }, jsonBody: canned }
  const mappings = [
    { request: { method: 'POST', urlPath: path }, response: { ...response, status: 201 } },
    { request: { method: 'GET', urlPathPattern: `${path}/[^/]+` }, response: { ...response, status: 200 } },
  ]
  workshop.write('wiremock/mappings/orders.json', JSON.stringify({ mappings }))
}

/** Source: the smallest environment that version 9 reads without asking to migrate it. */
function mockoonEnvironment(path: string, canned: object): object {
  const routes = [
    { method: 'post', endpoint: path.slice(1), statusCode: 201 },
    { method: 'get', endpoint: `${path.slice(1)}/:id`, statusCode: 200 },
  ].map(({ method, endpoint, statusCode }) => ({
    uuid: method,
    type: 'http',
    method,
    endpoint,
    responses: [
      {
        uuid: `${method} answer`,
        body: JSON.stringify(canned),
        statusCode,
        headers: [{ key: 'Content-Type', value: 'application/json' }],
        bodyType: 'INLINE',
        disableTemplating: true,
        default: true,
      },
    ],
    responseMode: null,
  }))
  const rootChildren = routes.map(({ uuid }) => ({ type: 'route', uuid }))
  return { uuid: 'bench', lastMigration: 33, name: 'bench', port: 4010, routes, rootChildren }
}

const node = (script: string, words: readonly string[]): Command => ({
  program: process.execPath,
  words: [script, ...words],
})

/** Our server as one gets it who says nothing. */
export const defaultCommandAt = (port: number): Command => node(otcsim, ['serve', '--port', String(port)])

/** How each is started. */
export function commandOf(name: Name, folder: string, port: number): Command {
  const installed = (script: string) => join(folder, 'node_modules', script)
  const at = ['--port', String(port)]
  switch (name) {
    case 'otcsim':
      return node(otcsim, ['serve', ...at, '--scenario', join(folder, 'bench.json')])
    case 'plain Koa':
      return node(join(here, 'http/server.mjs'), [String(port)])
    case 'plain Koa, @koa/bodyparser':
      return node(join(here, 'http/server.mjs'), [String(port), join(folder, 'package.json')])
    case 'WireMock': {
      const jar = installed('wiremock/build/wiremock-standalone-3.13.2.jar')
      const files = [
        '--bind-address',
        '127.0.0.1',
        '--root-dir',
        join(folder, 'wiremock'),
        '--disable-banner',
      ]
      // The load reads answers by their length.
      const words = ['-jar', jar, ...at, ...files, '--use-chunked-encoding', 'never']
      return { program: 'java', words }
    }
    case 'Prism': {
      const words = ['mock', join(folder, 'openapi.json'), '--host', '127.0.0.1', ...at]
      return node(installed('@stoplight/prism-cli/dist/index.js'), words)
    }
    case 'Mockoon': {
      const data = ['--data', join(folder, 'mockoon.json'), '--disable-log-to-file', '--disable-admin-api']
      return node(installed('@mockoon/cli/bin/run.js'), ['start', ...data, '--hostname', '127.0.0.1', ...at])
    }
    case 'json-server': {
      const files = [join(folder, 'orders.json'), '--routes', join(folder, 'routes.json')]
      return node(installed('json-server/lib/cli/bin.js'), [
        ...files,
        '--host',
        '127.0.0.1',
        '--quiet',
        ...at,
      ])
    }
  }
}
