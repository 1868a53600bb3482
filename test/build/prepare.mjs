/*
 * Builds after `npm ci` in a clone. Without the development packages it cannot, and says so.
 *
 * The first `npx otcsim` in a clone links the clone into a cache, which runs this again (with npm_command `exec`). It
 * must not rebuild then, because a venue may be running from the build.
 */
import { execSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const isBuilt = existsSync('dist/cli.cjs')
const isLinkedByNpx = process.env.npm_command === 'exec' && isBuilt
const canBuild = existsSync('node_modules/tsdown')
// `npm pack` runs this, too; what is built already stays.
if (canBuild && !isLinkedByNpx) execSync('node test/build/build.mjs --if-changed', { stdio: 'inherit' })
if (!canBuild && !isBuilt)
  console.warn('otcsim is not built: it needs its development packages (--include=dev)')
