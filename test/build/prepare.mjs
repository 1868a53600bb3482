/*
 * Runs after `npm ci` in a clone: leaves a built tree. Where the development packages were left out there is nothing to
 * build with, and nothing to do.
 *
 * The command is linked into node_modules/.bin, as an installed package's would be: else the first `npx otcsim` installs
 * the clone into a cache, which builds once more, under the feet of a venue that runs from dist.
 */
import { execSync } from 'node:child_process'
import { existsSync, rmSync, symlinkSync } from 'node:fs'

if (existsSync('node_modules/tsdown')) {
  execSync('npm run build', { stdio: 'inherit' })
  const link = 'node_modules/.bin/otcsim'
  rmSync(link, { force: true })
  try {
    symlinkSync('../../dist/cli.cjs', link)
  } catch {
    // Some systems allow no links; npx then finds the command in its own way.
  }
}
