/*
 * Builds after `npm ci` in a clone, and before `npm pack`, unless what is built is of these sources. Without the
 * development packages it cannot, and says so.
 *
 * The scripts of package.json that run this are `dependencies` and `prepack`, not `prepare`: npm counts that one among
 * the scripts of an installed tarball, and warns its users of it.
 */
import { execSync } from 'node:child_process'
import { existsSync } from 'node:fs'

if (existsSync('node_modules/tsdown'))
  execSync('node test/build/build.mjs --if-changed', { stdio: 'inherit' })
else if (!existsSync('dist/cli.cjs'))
  console.warn('otcsim is not built: it needs its development packages (--include=dev)')
