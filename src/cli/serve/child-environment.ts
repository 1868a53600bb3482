import { resolve } from 'node:path'
import type { FaultRule } from '../../api/faults/fault-types.ts'
import { scriptedPrefix } from '../../api/faults/matches-fault.ts'
import type { VenueServer } from '../../server/create-venue-server.ts'
import { formatTestSettings } from '../../testing/test-settings.ts'
import { createShippedLibrary } from '../../world/shipped/shipped-scenarios.ts'
import { accountViews } from '../../world/views/world-views.ts'
import type { World } from '../../world/world.ts'
import { pairsOf } from '../flags.ts'
import { chooseKey } from '../request.ts'
import type { Terminal } from '../terminal.ts'
import { type FirstWorldOptions, listChangedReadings } from './local-venue.ts'

/** The part of a command's options that decides what the worlds of tests are like. */
export type ChosenWorld = Pick<FirstWorldOptions, 'scenario' | 'seed' | 'param'>

/**
 * Builds the variables by which a program finds and uses the venue: `OTC_BASE_URL`, `OTC_API_KEY`, `OTC_API_SECRET`,
 * `OTC_ADMIN_URL`, `OTC_WORLD`, and `OTC_ACCOUNTS` with all accounts and their keys as JSON. The key is that of the
 * requested account, else the one with the most scopes. Tests that make worlds of their own find there what these are
 * to be like (`OTC_READINGS`, `OTC_FAULTS`, `OTC_SEED`, `OTC_SCENARIO`, `OTC_PARAMS`), and no proxy stands between a program
 * and this machine (`NO_PROXY`). The program gets the variables of the terminal, too.
 */
export function buildEnvironment(
  terminal: Pick<Terminal, 'env' | 'cwd'>,
  { url, adminUrl }: Pick<VenueServer, 'url' | 'adminUrl'>,
  world: World,
  account: string | null,
  chosen: ChosenWorld | null,
): { readonly [name: string]: string | undefined } {
  const accounts = accountViews(world).filter(({ keys }) => keys.length > 0)
  const key = chooseKey(accounts, account)
  return {
    ...terminal.env,
    ...exceptFromProxy(terminal.env),
    ...describeWorlds(terminal.cwd, world, chosen),
    OTC_BASE_URL: url,
    OTC_API_KEY: key.apiKey,
    OTC_API_SECRET: key.apiSecret,
    OTC_ADMIN_URL: adminUrl,
    OTC_WORLD: world.id,
    OTC_ACCOUNTS: JSON.stringify(accounts),
  }
}

export const environmentNames =
  'OTC_BASE_URL, OTC_API_KEY, OTC_API_SECRET, OTC_ADMIN_URL, OTC_WORLD and OTC_ACCOUNTS'

/** The hosts of this machine, as lists of hosts without a proxy have them. */
const ownHosts = ['127.0.0.1', 'localhost', '::1']

function exceptFromProxy(env: Terminal['env']): { readonly [name: string]: string } {
  const stated = (env['NO_PROXY'] || env['no_proxy'] || '').split(',').filter((host) => host !== '')
  const hosts = [...new Set([...stated, ...ownHosts])].join(',')
  // Programs differ in which of the two they read.
  return { NO_PROXY: hosts, no_proxy: hosts }
}

function describeWorlds(cwd: string, world: World, chosen: ChosenWorld | null) {
  const faults = world.faults.list(world.now).filter(({ id }) => !id.startsWith(scriptedPrefix))
  const isShipped = chosen !== null && createShippedLibrary().names.includes(chosen.scenario)
  return formatTestSettings({
    readings: listChangedReadings(world),
    faults: faults.map(({ rule }) => toFaultForm(rule)),
    seed: chosen?.seed === undefined ? null : String(chosen.seed),
    scenario: chosen === null ? null : isShipped ? chosen.scenario : resolve(cwd, chosen.scenario),
    params: chosen === null ? {} : Object.fromEntries(pairsOf(chosen.param)),
  })
}

/** Returns a rule in the form in which people write it. */
function toFaultForm({ match, forMillis, ...rule }: FaultRule): object {
  return omitNulls({ ...rule, match: omitNulls(match), forMs: forMillis })
}

const omitNulls = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
