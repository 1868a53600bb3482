import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

/**
 * Packages that only a benchmark or a comparison needs: they are installed when it runs, in a folder of their own, so that
 * `npm ci` does not bring them. What is there in these versions stays. Returns the folder's `require`; run from the top folder.
 */
export function requireOwn(folder: string, packages: readonly string[]): NodeJS.Require {
  const place = resolve('.otcsim', folder)
  const stamp = join(place, 'installed.txt')
  const wanted = packages.join(' ')
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    mkdirSync(place, { recursive: true })
    writeFileSync(join(place, 'package.json'), '{ "private": true }')
    console.error(`installing ${wanted} into ${place}`)
    const words = ['install', '--save-exact', '--no-audit', '--no-fund', '--ignore-scripts', ...packages]
    const { status } = spawnSync('npm', words, {
      cwd: place,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    })
    if (status !== 0) throw new Error(`npm could not install ${wanted}`)
    writeFileSync(stamp, wanted)
  }
  return createRequire(join(place, 'package.json'))
}
