/*
 * Runs after `npm ci` in a clone: leaves a built tree. Where the development packages were left out there is nothing to
 * build with, and nothing to do.
 *
 * The first `npx otcsim` in a clone links the clone into a cache, and that runs this once more (npm_command is then
 * `exec`): what is built stays as it is, because a venue may be running from it.
 */
import { execSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const isLinkedByNpx = process.env.npm_command === 'exec' && existsSync('dist/cli.cjs')
if (existsSync('node_modules/tsdown') && !isLinkedByNpx) execSync('npm run build', { stdio: 'inherit' })
