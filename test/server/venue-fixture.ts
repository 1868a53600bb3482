import { request } from 'node:http'
import { afterAll, beforeAll } from 'vitest'
import { missing } from '../../src/numeric/assert.ts'
import {
  createVenueServer,
  type VenueServer,
  type VenueServerOptions,
} from '../../src/server/create-venue-server.ts'
import { Worlds } from '../../src/world/worlds.ts'
import { libraryOf } from '../support/library-of.ts'
import { ManualWallClock } from '../world/manual-wall-clock.ts'
import { quietScenario } from '../world/scenarios.ts'
import { expectDocumented } from './admin-contract.ts'
import { type Sending, signedHeaders } from './signed-request.ts'

export interface Reply {
  readonly status: number
  readonly headers: { readonly [name: string]: string | string[] | undefined }
  readonly text: string
  readonly body: unknown
}

/**
 * A server on a free port with one default world, a wall clock that tests move, and functions for venue and admin
 * requests.
 */
export interface VenueFixture {
  readonly server: VenueServer
  readonly worlds: Worlds
  readonly wall: ManualWallClock
  readonly reports: string[]
  send(sending: Sending): Promise<Reply>
  admin(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
}

export async function startFixture(options: Partial<VenueServerOptions> = {}): Promise<VenueFixture> {
  const wall = new ManualWallClock()
  const worlds = new Worlds(wall)
  const scenarios = libraryOf({ quiet: quietScenario })
  const loaded = scenarios.load('quiet')
  if (loaded === null || !loaded.ok) throw new Error('the quiet scenario compiles')
  worlds.create(loaded.value, { id: 'default' })
  const reports: string[] = []
  const report = (text: string) => reports.push(text)
  const server = await createVenueServer({ worlds, scenarios, report, ...options })
  const send = (sending: Sending) => {
    const { method = 'GET', target = '/', body = '' } = sending
    return ask(server.port, method, target, body, signedHeaders(sending, wall.nowMillis()))
  }
  const admin: VenueFixture['admin'] = async (method, path, body, headers = {}) => {
    const text = body === undefined ? '' : JSON.stringify(body)
    const type = text === '' ? {} : { 'content-type': 'application/json' }
    const reply = await ask(server.adminPort, method, `/__admin${path}`, text, { ...type, ...headers })
    expectDocumented(method, path, reply.status, reply.body)
    return reply
  }
  return { server, worlds, wall, reports, send, admin }
}

/** Registers the hooks that start one for the tests of a file, and close it; to be used within tests and hooks. */
export function useVenue(options: Partial<VenueServerOptions> = {}): VenueFixture {
  let started: VenueFixture | null = null
  const venue = () => started ?? missing('a venue is used within a test')
  beforeAll(async () => {
    started = await startFixture(options)
  })
  afterAll(() => started?.server.close())
  return {
    get server() {
      return venue().server
    },
    get worlds() {
      return venue().worlds
    },
    get wall() {
      return venue().wall
    },
    get reports() {
      return venue().reports
    },
    send: (sending) => venue().send(sending),
    admin: (...words) => venue().admin(...words),
  }
}

/** Places a buy of BTC at 40,000 USD as the trader, which rests when the quantity is affordable. */
export const placeBid = (venue: VenueFixture, quantity: number): Promise<Reply> =>
  venue.send({
    method: 'POST',
    target: '/api/sdk/orders',
    body: JSON.stringify({ side: 'buy', asset: 'BTC', quantity, price: 40_000 }),
  })

export function ask(
  port: number,
  method: string,
  path: string,
  body: string,
  headers: Record<string, string>,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const length = body === '' ? {} : { 'content-length': Buffer.byteLength(body) }
    const outgoing = request({ port, host: '127.0.0.1', method, path, headers: { ...headers, ...length } })
    outgoing.on('error', reject)
    outgoing.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('error', reject)
      response.on('end', () => {
        try {
          const parsed: unknown = text === '' ? null : JSON.parse(text)
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parsed })
        } catch (error) {
          reject(error)
        }
      })
    })
    outgoing.end(body)
  })
}
