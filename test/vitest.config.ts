import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { ClosingLine } from './closing-line.ts'

/* Node and npm are all that the tests ask of a newcomer; under CI the pages must be tried in a browser. */
const browserTests = ['test/server/docs-browser.test.ts']
const hasBrowser = existsSync(process.env['CHROMIUM'] ?? '/usr/bin/chromium')
const leftOut = hasBrowser || process.env['CI'] !== undefined ? [] : browserTests
if (leftOut.length > 0) console.warn(`No Chromium here (CHROMIUM tells where): ${leftOut} is left out.`)

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
    testTimeout: 30_000,
    hookTimeout: 30_000,
    allowOnly: false,
    passWithNoTests: false,
    coverage: { provider: 'v8', include: ['src/**/*.ts'], reportsDirectory: 'coverage' },
  },
})
