import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The guides for users, which are readmes of the source folders. `otcsim help TOPIC` prints one, the guides page shows
 * all, and a test runs every command in them. No topic may have the name of a command.
 */
export const guides = [
  { topic: 'interface', title: 'The interface: requests, faults, readings', file: 'src/api/README.md' },
  { topic: 'client', title: 'The client library', file: 'src/client/README.md' },
  { topic: 'testing', title: 'Tests in CI', file: 'src/testing/README.md' },
  { topic: 'admin', title: 'Time, the admin API, snapshots', file: 'src/server/README.md' },
  { topic: 'console', title: 'The console', file: 'src/console/README.md' },
  { topic: 'journals', title: 'Journals, replay, determinism', file: 'src/journal/README.md' },
  { topic: 'scenarios', title: 'Scenarios', file: 'scenarios/README.md' },
  { topic: 'reference', title: 'Scenarios: the reference', file: 'scenarios/README.md' },
  { topic: 'markets', title: 'Markets', file: 'src/market/README.md' },
  { topic: 'backtests', title: 'Backtests and sweeps', file: 'src/backtest/README.md' },
  { topic: 'commands', title: 'The command line', file: 'src/cli/README.md' },
  { topic: 'changes', title: 'What has changed', file: 'src/CHANGELOG.md' },
] as const satisfies readonly Guide[]

export interface Guide {
  readonly topic: string
  readonly title: string
  readonly file: string
}

/** Extracts a guide from a readme: without the section for contributors, and with the scenario reference apart. */
export function extractGuide(readme: string, topic: string): string {
  const [shared = ''] = readme.split(/^## Inside$/m)
  const [text = '', reference = ''] = shared.split(/^(?=# Scenarios: the reference$)/m)
  return `${(topic === 'reference' ? reference : text).trim()}\n`
}

/** Reads a guide from beside the bundle, else from the sources. Returns null when neither exists. */
export function readGuide({ topic, file }: Guide): string | null {
  const here = dirname(fileURLToPath(import.meta.url))
  const built = join(here, 'guides', `${topic}.md`)
  if (existsSync(built)) return readFileSync(built, 'utf8')
  const source = join(here, '..', '..', file)
  return existsSync(source) ? extractGuide(readFileSync(source, 'utf8'), topic) : null
}
