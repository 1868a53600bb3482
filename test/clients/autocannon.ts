import { createHmac } from 'node:crypto'
import type { Client } from './client.ts'

/** Its report, as far as it is read here. */
interface Report {
  readonly '2xx': number
  readonly non2xx: number
  readonly errors: number
  readonly timeouts: number
  readonly resets: number
  readonly mismatches: number
}

const target = '/api/sdk/market-data/prices/BTC'
const hourMillis = 3_600_000

/** Some connections for some time, and more requests on few connections than servers let one have by default. */
const loads: readonly string[] = [
  '--connections 8 --duration 20',
  '--connections 64 --duration 20',
  '--connections 8 --amount 300000',
]

export const autocannon: Client['run'] = async (venue, workshop) => {
  const { VENUE_KEY = '', VENUE_SECRET = '' } = venue.variables
  // Ahead of time, because one signature has to last: the venue is served with `auth.futureMs=unlimited`.
  const timestamp = String(Date.now() + hourMillis)
  const signature = createHmac('sha256', VENUE_SECRET).update(`${timestamp}GET${target}`).digest('hex')
  const headers = [
    ...['-H', `X-API-Key=${VENUE_KEY}`, '-H', `X-API-Timestamp=${timestamp}`],
    ...['-H', `X-API-Signature=${signature}`],
  ]
  const figures: string[] = []
  const misses: string[] = []
  for (const load of loads) {
    const words = [...load.split(' '), ...headers, '--json', venue.url + target]
    const report: Report = JSON.parse(await workshop.must('autocannon', words))
    const bad = report.non2xx + report.errors + report.timeouts + report.resets + report.mismatches
    figures.push(`${load.replaceAll('--', '')}: ${report['2xx']} of 2xx, ${bad} else`)
    if (bad > 0) misses.push(`${load.replaceAll('--', '')}: ${JSON.stringify(report)}`)
  }
  return { figure: figures.join('; '), misses }
}
