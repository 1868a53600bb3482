import { accountViews } from '../../server/admin/views.ts'
import type { VenueServer } from '../../server/create-venue-server.ts'
import type { World } from '../../world/world.ts'
import { defaultPort } from '../default-port.ts'
import type { Style } from '../terminal.ts'
import { version } from '../version.ts'

/** What people see when the venue is ready: where it is, which keys it accepts, and a first request to paste. */
export function bannerText(
  server: VenueServer,
  world: World,
  spentMillis: number,
  paint: (style: Style, text: string) => string,
): string {
  const rows = accountViews(world).flatMap(({ id, keys }) => keys.map((key) => ({ id, ...key })))
  const widest = (pick: (row: (typeof rows)[number]) => string): number =>
    Math.max(0, ...rows.map((row) => pick(row).length))
  const [idWidth, keyWidth, secretWidth] = [
    widest((row) => row.id),
    widest((row) => row.apiKey),
    widest((row) => row.apiSecret),
  ]
  const shown = rows.slice(0, keysShown)
  const keyLines = shown.map(
    ({ id, apiKey, apiSecret, scopes }) =>
      `    ${id.padEnd(idWidth)}  ${apiKey.padEnd(keyWidth)}  ${apiSecret.padEnd(secretWidth)}  ${paint('dim', scopes.join(' '))}`,
  )
  const symbol = world.scenario.venue.assets[1]?.symbol ?? 'BTC'
  const path = `/market-data/prices/${symbol}`
  const reader = rows.find((row) => row.scopes.includes('READ'))
  const target = server.port === defaultPort ? '' : ` --url ${server.url}`
  return [
    '',
    `  ${paint('bold', `otcsim ${version}`)}  ready in ${spentMillis} ms    seed "${world.seed}"   scenario ${world.scenario.name}   clock ${world.clock.mode}`,
    '',
    `  ${paint('green', '➜')} API      ${paint('cyan', `${server.url}/api/sdk`)}`,
    `  ${paint('green', '➜')} Console  ${paint('cyan', `${server.adminUrl}/console/`)}`,
    `  ${paint('green', '➜')} Docs     ${paint('cyan', `${server.adminUrl}/docs/`)}`,
    `  ${paint('green', '➜')} Admin    ${paint('cyan', server.adminUrl)}`,
    '',
    '  Keys and secrets (public test values, never use them elsewhere)',
    ...keyLines,
    ...(rows.length > shown.length
      ? [`    and ${rows.length - shown.length} more: npx otcsim keys${target}`]
      : []),
    '',
    '  Try',
    `    npx otcsim curl${target} GET ${path}`,
    `    npx otcsim curl${target} POST /orders -d '{"side":"buy","asset":"${symbol}","quantity":1,"orderType":"market"}'`,
    ...(reader === undefined ? [] : [`    ${curlLine(server.url, `/api/sdk${path}`, reader)}`]),
    '',
    '  Ctrl-C ends it',
    '',
    '',
  ].join('\n')
}

const keysShown = 8
/** A line for any shell with curl and openssl: the signature is made when it runs, so it never expires. */
function curlLine(
  url: string,
  path: string,
  key: { readonly apiKey: string; readonly apiSecret: string },
): string {
  const message = `"$T""GET${path}"`
  const signature = `$(printf %s ${message} | openssl dgst -sha256 -hmac ${key.apiSecret} | sed 's/.* //')`
  return `T=$(date +%s)000; curl -s ${url}${path} -H "X-API-Key: ${key.apiKey}" -H "X-API-Timestamp: $T" -H "X-API-Signature: ${signature}"`
}
