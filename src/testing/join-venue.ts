import type * as answers from '../api/admin-answers.ts'
import { checkOptions, omitUndefined } from '../api/options.ts'
import { presetKey } from '../api/readings/readings.ts'
import type { CompiledScenario } from '../scenario/compile/compiled.ts'
import type { RecordOf } from '../shape/shape.ts'
import { limitForTest, listTestReadings } from '../world/test-limits.ts'
import { defaultWorld } from '../world/worlds.ts'
import { createAskServer, refusalText, type ServerAnswer } from './ask-server.ts'
import { createForwardingFetch, type JoinedServer, JoinedWorld } from './joined-world.ts'
import {
  chooseScenario,
  createdWorldOptions,
  type NewTestWorld,
  type TestVenue,
  toClockForm,
} from './start-venue.ts'
import { readTestSettings } from './test-settings.ts'

type WorldView = RecordOf<typeof answers.world>
type Environment = { readonly [name: string]: string | undefined }

/**
 * Joins the running server at the address of an admin API, for worlds of tests. The server goes on when the venue is
 * closed. Throws a RangeError for a variable that is no address, and an Error where no otcsim answers there.
 */
export function joinVenue(adminUrl: string, env: Environment = process.env): TestVenue {
  const { origin } = parseAddress('OTC_ADMIN_URL', adminUrl, '/__admin')
  const url = (env['OTC_BASE_URL'] || origin).replace(/\/+$/, '')
  const { port, protocol } = parseAddress('OTC_BASE_URL', url, '')
  const ask = createAskServer(adminUrl.replace(/\/+$/, ''), env['OTC_ADMIN_TOKEN'] || null)
  const server: JoinedServer = { url, adminUrl, ask }
  const first = viewWorld(server, env['OTC_WORLD'] || defaultWorld)
  const world = new JoinedWorld(server, first.id)
  const close = async (): Promise<void> => undefined
  return {
    url,
    adminUrl,
    port: Number(port || (protocol === 'https:' ? 443 : 80)),
    fetch: createForwardingFetch(url),
    world,
    get keys() {
      return world.keys
    },
    createWorld: (given = {}) => {
      checkOptions('createWorld', given, createdWorldOptions)
      return createJoinedWorld(server, given, first.clock.mode)
    },
    unref: () => undefined,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Parses the address that a variable has. Throws a RangeError that names the variable for what is none. */
function parseAddress(variable: string, text: string, examplePath: string): URL {
  // `URL.canParse` is true for localhost:4010, too, whose scheme it takes to be "localhost".
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : null
  if (url !== null) return url
  throw new RangeError(
    `${variable} must be an address such as http://127.0.0.1:4010${examplePath}, found ${text}`,
  )
}

function viewWorld({ adminUrl, ask }: JoinedServer, id: string): WorldView {
  const answer = ask('GET', `/worlds/${encodeURIComponent(id)}`)
  if (answer.status < 400) return JSON.parse(answer.text)
  const remedy = /\/__admin\/*$/.test(adminUrl) ? '' : ' (the addresses of admin APIs end in /__admin)'
  throw new Error(
    `OTC_ADMIN_URL names a running server, ${adminUrl}, which shows no world ${id}: ${refusalText(answer)}${remedy}`,
  )
}

/**
 * Creates a world on a running server that is as `startVenue` makes one: time stands still unless its scenario follows,
 * without rate limits unless they are asked for, with the readings and faults that the environment asks for. Where neither
 * the test nor the environment names a scenario, it has the server's.
 */
function createJoinedWorld(server: JoinedServer, given: NewTestWorld, usualMode: string): JoinedWorld {
  const asked = readTestSettings()
  const chosen = chooseScenario(given.scenario, asked)
  const scenario = chosen === null ? null : limitForTest(chosen, given.rateLimits)
  const { readings = {}, clock = {}, id, seed = asked.seed ?? undefined } = given
  const test = given.test?.slice(0, longestTestName)
  const mode = (scenario?.clock.mode ?? usualMode) === 'follow' ? 'follow' : 'manual'
  const unstated = scenario === null ? { 'rate.clock': 'world' } : listTestReadings(scenario)
  const overrides = typeof readings === 'string' ? { [presetKey]: readings } : readings
  const form = {
    ...(scenario === null ? {} : { scenario: toDocument(scenario) }),
    ...omitUndefined({ id, test, seed }),
    clock: { mode, ...toClockForm(clock) },
    readings: { ...unstated, ...overrides, ...asked.readings },
  }
  const view: WorldView = JSON.parse(carryOut(server, 'POST', '/worlds', form).text)
  const path = `/worlds/${encodeURIComponent(view.id)}`
  // Choice: whether a scenario is about limits can be told only of one that is named here.
  const enabled = scenario?.rateLimits.isEnabled ?? given.rateLimits ?? false
  carryOut(server, 'PUT', `${path}/rate-limits`, { enabled })
  for (const fault of asked.faults) carryOut(server, 'POST', `${path}/faults`, fault)
  return new JoinedWorld(server, view.id)
}

/** What the admin API takes as the name of a test. */
const longestTestName = 1000

/** Throws an Error with the server's words when it refuses. */
function carryOut({ adminUrl, ask }: JoinedServer, method: string, path: string, body: object): ServerAnswer {
  const answer = ask(method, path, body)
  if (answer.status < 400) return answer
  throw new Error(`${refusalText(answer)} (${method} ${adminUrl}${path}, a server that OTC_ADMIN_URL names)`)
}

/** Returns a scenario as a server takes it. Throws an Error for one with recordings, which are files of this machine. */
function toDocument({ name, source }: CompiledScenario): unknown {
  const { books, document, recordings } = source
  if (recordings.size === 0 && (books?.size ?? 0) === 0) return document
  throw new Error(
    `the scenario ${name} has recordings, which a running server cannot take from a test: start the server with it, and name none in the test`,
  )
}
