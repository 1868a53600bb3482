/*
 * Builds the package. With `--if-changed` only when something that goes into it is not as it was at the last build: the
 * first `npm test` of a clone need not repeat what `npm ci` has just done.
 */
import { execSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Installed packages count by their lock. */
const sources = [
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'src', 'scenarios'],
  ...['test/build', 'test/tsdown.config.ts', 'test/console.vite.config.ts'],
]
const lastBuilt = 'dist/console/index.html'
const builtFrom = '.otcsim/built-from'

const digest = digestOfSources()
const isBuilt = existsSync(lastBuilt) && existsSync(builtFrom) && readFileSync(builtFrom, 'utf8') === digest
if (!isBuilt || !process.argv.includes('--if-changed')) {
  rmSync(builtFrom, { force: true })
  // The function, not the command: the command warns of Node 20 on each start.
  const { build } = await import('tsdown')
  await build({ config: 'test/tsdown.config.ts', logLevel: 'error' })
  execSync('npx --no-install vite build --config test/console.vite.config.ts', { stdio: 'inherit' })
  mkdirSync(dirname(builtFrom), { recursive: true })
  writeFileSync(builtFrom, digest)
}

function digestOfSources() {
  const hash = createHash('sha256')
  for (const file of sources.flatMap(filesIn)) {
    const bytes = readFileSync(file)
    hash.update(`${file} ${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex')
}

function filesIn(path) {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesIn(join(path, name)))
}
