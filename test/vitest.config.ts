import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { ClosingLine } from './closing-line.ts'

/*
 * Node and npm are all that the tests ask of a newcomer; under CI the pages must be tried in a browser, the queue on
 * a Redis server, and the journal on a full disk.
 */

const leftOut = [
  ...without('CHROMIUM', '/usr/bin/chromium', [
    'test/server/docs-browser.test.ts',
    'test/console/console-browser.test.ts',
    'test/backtest/report/report-browser.test.ts',
  ]),
  ...without('REDIS_SERVER', '/usr/bin/redis-server', [
    'test/backtest/sweep/queue.test.ts',
    'test/cli/worker-command.test.ts',
  ]),
  ...without('PRLIMIT', '/usr/bin/prlimit', ['test/crash/disk-full.test.ts']),
]

/** The tests that must be left out because a program is not here; the variable tells where it is. */
function without(variable: string, usual: string, tests: readonly string[]): readonly string[] {
  const program = process.env[variable] ?? usual
  if (process.env['CI'] !== undefined || existsSync(program)) return []
  console.warn(`There is no ${program} (${variable} tells where): ${tests.join(', ')} is left out.`)
  return tests
}

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  // What shipped strategies import is what users import; here it is the sources.
  resolve: {
    alias: { 'otcsim/backtest': fileURLToPath(new URL('../src/backtest/entry.ts', import.meta.url)) },
  },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...leftOut],
    setupFiles: ['test/setup.ts'],
    reporters: ['default', new ClosingLine()],
    // Files of one worker share what they import: nothing here keeps state in a module, and loading the sources anew
    // for each of two hundred files took a quarter of the time.
    isolate: false,
    // One core fewer is usual, which on two is one after the other; many of these tests wait for processes.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 30_000,
    hookTimeout: 30_000,
    allowOnly: false,
    passWithNoTests: false,
    coverage: { provider: 'v8', include: ['src/**/*.ts'], reportsDirectory: 'coverage' },
  },
})
