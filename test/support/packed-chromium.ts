import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))
const manifest = join(root, 'node_modules', '@sparticuz', 'chromium', 'package.json')

interface Unpacked {
  readonly executablePath: string
  readonly env: { readonly [name: string]: string }
}

/** The Chromium of `@sparticuz/chromium`, unpacked by the first who wants it. */
export async function unpackedChromium(): Promise<Unpacked> {
  const { version }: { readonly version: string } = JSON.parse(readFileSync(manifest, 'utf8'))
  const folder = join(root, '.otcsim', `chromium-${version}`)
  if (!existsSync(folder)) await unpackTo(folder)
  return unpackedIn(folder)
}

/** Several threads may do so at a time, and any may be stopped: only a whole one gets the name. */
async function unpackTo(folder: string): Promise<void> {
  mkdirSync(join(folder, '..'), { recursive: true })
  const own = mkdtempSync(`${folder}-`)
  try {
    await unpackedIn(own)
    renameSync(own, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

/*
 * The package unpacks into the folder for temporary files, takes what is there for its own, and adds its libraries only where
 * it believes to be on its first platform. So it is asked in a process of its own that has such a folder. Its fonts are
 * found as those of a user.
 */
async function unpackedIn(folder: string): Promise<Unpacked> {
  const script = `
    const { default: chromium } = await import('@sparticuz/chromium')
    const executablePath = await chromium.executablePath()
    console.log(JSON.stringify({ executablePath, libraries: process.env.LD_LIBRARY_PATH }))`
  const env = { TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' }
  const words = ['--input-type=module', '-e', script]
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: root, env })
  const { executablePath, libraries } = JSON.parse(stdout)
  return { executablePath, env: { LD_LIBRARY_PATH: libraries, XDG_DATA_HOME: folder } }
}
