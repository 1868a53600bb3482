import { accountViews } from '../../server/admin/views.ts'
import type { VenueServer } from '../../server/create-venue-server.ts'
import type { World } from '../../world/world.ts'
import { version } from '../version.ts'

/** What a program that starts the venue needs to know (design section 12), as one line of JSON. */
export function readyLine(server: VenueServer, world: World): string {
  const facts = {
    event: 'ready',
    url: server.url,
    adminUrl: server.adminUrl,
    port: server.port,
    pid: process.pid,
    seed: world.seed,
    scenario: world.scenario.name,
    world: world.id,
    version,
    accounts: accountViews(world),
  }
  return `${JSON.stringify(facts)}\n`
}
