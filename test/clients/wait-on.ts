import type { Client } from './client.ts'

/** Waits, as start scripts do, by HEAD and by GET: for the health of the venue, its document and its console. */
export const waitOn: Client['run'] = async (venue, workshop) => {
  const pages = ['/__admin/health', '/__admin/openapi.json', '/__admin/console/']
  const { host } = new URL(venue.url)
  const targets = pages.flatMap((page) => ['http', 'http-get'].map((way) => `${way}://${host}${page}`))
  const misses: string[] = []
  for (const target of targets) {
    const { code, err } = await workshop.execute('wait-on', ['--timeout', '10s', target])
    if (code !== 0) misses.push(`${target}: ${err.trim()}`)
  }
  return { figure: `${targets.length - misses.length} of ${targets.length} waits`, misses }
}
