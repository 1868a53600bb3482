import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { ClosingLine } from './closing-line.ts'

/*
 * The tests of a newcomer need only Node and npm. Under CI the pages must be tested in a browser, the queue with a Redis
 * server, and the journal on a full disk.
 */

const leftOut = [
  ...without('CHROMIUM', '/usr/bin/chromium', ['test/**/*-browser.test.ts']),
  ...without('REDIS_SERVER', '/usr/bin/redis-server', [
    'test/backtest/sweep/queue.test.ts',
    'test/cli/worker-command.test.ts',
  ]),
  ...without('PRLIMIT', '/usr/bin/prlimit', ['test/crash/disk-full.test.ts']),
]

/** The tests that must be skipped because a program is missing; the variable may name its path. */
function without(variable: string, usual: string, tests: readonly string[]): readonly string[] {
  const program = process.env[variable] ?? usual
  if (process.env['CI'] !== undefined || existsSync(program)) return []
  console.warn(`There is no ${program} (${variable} may name another): ${tests.join(', ')} left out.`)
  return tests
}

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  // Shipped strategies import the package by name; here that resolves to the sources.
  resolve: {
    alias: { 'otcsim/backtest': fileURLToPath(new URL('../src/backtest/entry.ts', import.meta.url)) },
  },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...leftOut],
    setupFiles: ['test/setup.ts'],
    reporters: ['default', new ClosingLine()],
    // Test files of one worker share loaded modules: no module keeps state, and loading the sources again for each of
    // two hundred files took a quarter of the time.
    isolate: false,
    // The default is one fewer than there are cores. Many tests here wait for processes and browsers.
    maxWorkers: availableParallelism() + 1,
    // For what hangs, not for slow machines: nothing here takes ten seconds on an idle one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    allowOnly: false,
    passWithNoTests: false,
    coverage: {
      provider: 'v8',
      include: ['src/engine/**/*.ts'],
      reporter: ['text-summary', 'json'],
      reportsDirectory: '.otcsim/coverage',
      thresholds: { branches: 100 },
    },
  },
})
