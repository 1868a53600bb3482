import { fileURLToPath } from 'node:url'
import { serveApart } from '../crash/served.ts'

/** A server of the build in a process of its own, with rates off. */
export interface Venue extends AsyncDisposable {
  readonly url: string
  /** The address of its OpenAPI document. */
  readonly document: string
  readonly readDocument: (query: string) => Promise<string>
  /** The document of its admin API. */
  readonly readAdminDocument: (query: string) => Promise<string>
  /** As every script of ours is told it. */
  readonly variables: Readonly<Record<string, string>>
  readonly coverage: () => Promise<Coverage>
}

/** What the request log says of the operations that the document has. */
export interface Coverage {
  readonly operations: number
  /** Those without any answer of 2xx. */
  readonly unanswered: readonly string[]
  readonly refused: readonly string[]
}

interface LoggedRequest {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly requestBody: string
  readonly responseBody: string
}

const program = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url))
const apiKey = 'simk_default_desk'
const apiSecret = 'sims_default_desk'

export async function startVenue(serving: readonly string[]): Promise<Venue> {
  const words = [program, 'serve', '--json', '--port', '0', '--seed', 'clients', ...serving]
  const { url, child, ended } = await serveApart({ program: process.execPath, words })
  const admin = async (path: string, request: RequestInit = {}): Promise<string> => {
    const answer = await fetch(`${url}/__admin${path}`, request)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path} is answered ${answer.status} ${text}`)
    return text
  }
  await admin('/worlds/default/rate-limits', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: '{"enabled": false}',
  })
  const readDocument = (query: string) => admin(`/openapi.json${query}`)
  return {
    url,
    document: `${url}/__admin/openapi.json`,
    readDocument,
    readAdminDocument: (query) => admin(`/admin-openapi.json${query}`),
    variables: { VENUE_URL: url, VENUE_KEY: apiKey, VENUE_SECRET: apiSecret },
    coverage: async () => {
      const { requests }: { readonly requests: readonly LoggedRequest[] } = JSON.parse(
        await admin('/worlds/default/requests'),
      )
      return coverageOf(requests, operationsOf(await readDocument('')))
    },
    [Symbol.asyncDispose]: async () => {
      child.kill()
      await ended
    },
  }
}

interface Operation {
  readonly name: string
  readonly method: string
  readonly path: RegExp
}

/** Those with the fewest parameters first: `/orders/batch` is not an order. */
function operationsOf(document: string): readonly Operation[] {
  const { paths }: { readonly paths: Record<string, Record<string, { readonly operationId?: string }>> } =
    JSON.parse(document)
  return Object.entries(paths)
    .sort(([left], [right]) => left.split('{').length - right.split('{').length)
    .flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { operationId }]) =>
        operationId === undefined
          ? []
          : {
              name: operationId,
              method: method.toUpperCase(),
              path: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
            },
      ),
    )
}

function coverageOf(requests: readonly LoggedRequest[], operations: readonly Operation[]): Coverage {
  const answered = new Set<string>()
  const refused: string[] = []
  for (const { method, path, status, requestBody, responseBody } of requests) {
    const operation = operations.find((each) => each.method === method && each.path.test(path))
    if (operation !== undefined && status < 300) answered.add(operation.name)
    else refused.push(`${method} ${path} ${requestBody} is answered ${status} ${responseBody}`)
  }
  const unanswered = operations.map(({ name }) => name).filter((name) => !answered.has(name))
  return { operations: operations.length, unanswered, refused }
}
