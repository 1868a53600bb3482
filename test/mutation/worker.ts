import { join } from 'node:path'
import process from 'node:process'
import type { Plugin } from 'vite'
import { createVitest, type Reporter, type TestModule, type TestSpecification } from 'vitest/node'
import { repositoryRoot } from './killing-tests.ts'
import type { Order, Told } from './session.ts'

/*
 * A process that runs test files against one changed source after the other. The files on disk stay unchanged: importers
 * get the changed text.
 */

let changed: { readonly file: string; readonly text: string } | null = null

const changes: Plugin = {
  name: 'one-changed-source',
  enforce: 'pre',
  load: (id) => (id === changed?.file ? changed.text : null),
}

function tell(told: Told): void {
  process.send?.(JSON.stringify(told))
}

/** Reports each file that ended; a file that could not be loaded has failed. */
const teller: Reporter = {
  onTestModuleEnd(module: TestModule): void {
    const test = module.moduleId
      .slice(repositoryRoot.length)
      .replace(/^[\\/]/, '')
      .replaceAll('\\', '/')
    const state = module.state()
    tell({ kind: 'file', test, state, millis: Math.round(module.diagnostic().duration) })
  },
}

/** Runs files in the requested order. */
class AsAsked {
  shard(specifications: TestSpecification[]): TestSpecification[] {
    return specifications
  }
  sort(specifications: TestSpecification[]): TestSpecification[] {
    return specifications
  }
}

const vitest = await createVitest(
  'test',
  {
    config: false,
    root: repositoryRoot,
    watch: false,
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    reporters: [teller],
    pool: 'threads',
    maxWorkers: 1,
    isolate: false,
    bail: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    sequence: { sequencer: AsAsked },
  },
  { plugins: [changes], logLevel: 'silent' },
)
await vitest.standalone()

process.on('message', (message) => {
  const order: Order = JSON.parse(String(message))
  void carryOut(order)
})
tell({ kind: 'ready' })

async function carryOut({ path, text, tests }: Order): Promise<void> {
  if (changed !== null) vitest.invalidateFile(changed.file)
  changed = path === null ? null : { file: join(repositoryRoot, path), text }
  if (changed !== null) vitest.invalidateFile(changed.file)
  const project = vitest.getRootProject()
  const specifications = tests.map((test) => project.createSpecification(join(repositoryRoot, test)))
  const busy = setInterval(() => {
    const { user, system } = process.cpuUsage()
    tell({ kind: 'busy', millis: Math.round((user + system) / 1000) })
  }, 1000)
  try {
    const { unhandledErrors } = await vitest.runTestSpecifications(specifications, false)
    tell({ kind: 'end', errors: unhandledErrors.length })
  } catch {
    tell({ kind: 'end', errors: 1 })
  } finally {
    clearInterval(busy)
  }
}
