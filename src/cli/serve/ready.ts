import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { accountViews } from '../../server/admin/views.ts'
import type { VenueServer } from '../../server/create-venue-server.ts'
import type { World } from '../../world/world.ts'
import { CliFailure, exitCode, writeReason } from '../failure.ts'
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

/** Whole or not at all: written beside its place and renamed, so that a watcher never reads half of it. */
export function writeReadyFile(cwd: string, file: string, line: string): void {
  const path = resolve(cwd, file)
  const beside = `${path}.${process.pid}.tmp`
  try {
    writeFileSync(beside, line)
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw new CliFailure(exitCode.usage, `cannot write ${file}: ${writeReason(error)}`)
  }
}

/** A file that stays behind would say that a venue is there. */
export function withdrawReadyFile(cwd: string, file: string): void {
  rmSync(resolve(cwd, file), { force: true })
}
