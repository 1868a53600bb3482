/*
 * Builds after `npm ci` in a clone. Without the development packages it does nothing.
 *
 * The first `npx otcsim` in a clone links the clone into a cache, which runs this again (with npm_command `exec`). It
 * must not rebuild then, because a venue may be running from the build.
 */
import { execSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const isLinkedByNpx = process.env.npm_command === 'exec' && existsSync('dist/cli.cjs')
if (existsSync('node_modules/tsdown') && !isLinkedByNpx) execSync('npm run build', { stdio: 'inherit' })
