import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Client, Outcome, Program } from './client.ts'
import { clients } from './clients.ts'
import { startVenue } from './venue.ts'
import { Workshop } from './workshop.ts'

/*
 * `npm run clients`: programs that others have written, each against a server of its own; with names, only those. They are
 * installed into `.otcsim/clients` once. Ends with 1 when a bar is missed, or when a program is not on this machine.
 */

const folder = fileURLToPath(new URL('../../.otcsim/clients', import.meta.url))

/** How each is asked whether it is there, and what gets it. */
const asked: Readonly<Record<Program, { readonly words: readonly string[]; readonly remedy: string }>> = {
  python3: { words: ['--version'], remedy: 'Python 3.10 or later with venv and pip' },
  go: { words: ['version'], remedy: 'Go 1.22 or later' },
  java: { words: ['-version'], remedy: 'a Java runtime, 17 or later' },
  mvn: { words: ['--version'], remedy: 'Maven with a Java compiler, 17 or later' },
}

const names = process.argv.slice(2)
const unknown = names.filter((name) => !clients.some((client) => client.name === name))
if (unknown.length > 0) {
  console.error(
    `no client is called ${unknown.join(', ')}; there are ${clients.map(({ name }) => name).join(', ')}`,
  )
  process.exit(2)
}
const chosen = clients.filter(({ name }) => names.length === 0 || names.includes(name))
const missing = new Set(
  [...new Set(chosen.flatMap(({ needs }) => needs))].filter(
    (program) => spawnSync(program, asked[program].words).status !== 0,
  ),
)
for (const program of missing)
  console.error(`${program} is not on this machine: install ${asked[program].remedy}`)

const rows: string[] = []
for (const client of chosen) {
  const { figure, isSkipped, misses, notes = [] } = await outcomeOf(client)
  console.log(`${client.name}: ${figure}`)
  for (const note of notes) console.log(`  ${note}`)
  for (const miss of misses) console.log(`  missed: ${miss}`)
  const verdict = isSkipped ? 'skipped' : misses.length === 0 ? 'met' : 'missed'
  rows.push(`| ${client.name} | ${figure} | ${client.bar} | ${verdict} |`)
  if (misses.length > 0) process.exitCode = 1
}
console.log(`\n| client | figure | bar | |\n| --- | --- | --- | --- |\n${rows.join('\n')}`)

/** A client that cannot be installed, or breaks off, has missed its bar; the others go on. */
async function outcomeOf(client: Client): Promise<Outcome> {
  const lacking = client.needs.filter((program) => missing.has(program))
  if (lacking.length > 0) return { figure: 'not run', misses: [`${lacking.join(' and ')} missing`] }
  const early = findEarlyPython(client)
  if (early !== null) return { figure: early, isSkipped: true, misses: [] }
  try {
    const workshop = new Workshop(join(folder, client.name))
    await workshop.prepare(client.packages)
    await using venue = await startVenue(client.serving ?? [])
    return await client.run(venue, workshop)
  } catch (error) {
    return { figure: 'broke off', misses: [error instanceof Error ? error.message : String(error)] }
  }
}

/** Says which Python a client asks for; null where this machine's is recent enough. */
function findEarlyPython({ python }: Client): string | null {
  if (python === undefined) return null
  const program: Program = 'python3'
  const told = spawnSync(program, asked[program].words).stdout.toString()
  const [, major, minor] = /(\d+)\.(\d+)/.exec(told) ?? []
  const isRecent = Number(major) > python[0] || (Number(major) === python[0] && Number(minor) >= python[1])
  return isRecent ? null : `needs Python ${python.join('.')}, and this machine has ${major}.${minor}`
}
