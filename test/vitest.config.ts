import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { ClosingLine } from './closing-line.ts'
import { LongestFirst } from './longest-first.ts'
import { isFullRun, slowFiles } from './support/full-run.ts'
import { isMissing, programNames } from './support/wanted-programs.ts'

const isUnderCi = process.env['CI'] !== undefined
/** Whoever names files wants those, however long they take. */
const areFilesNamed = process.argv.slice(2).some((word) => /^(?:\.\/)?test\/(?!vitest)/.test(word))
const leftOut = isFullRun || areFilesNamed ? [] : slowFiles

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  // Shipped strategies import the package by name; here that resolves to the sources.
  resolve: {
    alias: { 'otcsim/backtest': fileURLToPath(new URL('../src/backtest/entry.ts', import.meta.url)) },
  },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...leftOut],
    tags: programNames.map((name) => (isUnderCi || !isMissing(name) ? { name } : { name, skip: true })),
    setupFiles: ['test/setup.ts'],
    reporters: ['default', new ClosingLine(leftOut.length)],
    sequence: { sequencer: LongestFirst },
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
