import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { programPath } from '../support/program-path.ts'
import { ownEnvironment } from './built-command.ts'
import { repository } from './harness.ts'

const driver = fileURLToPath(new URL('press-keys.py', import.meta.url))

type Steps = readonly (readonly [text: string, keys: string])[]

/** Runs a command at a terminal of its own, presses keys, and returns what was printed. Its tests have the tag `python3`. */
export async function press(
  steps: Steps,
  command: readonly string[],
  { cwd = repository, isCi = false }: { readonly cwd?: string; readonly isCi?: boolean } = {},
): Promise<string> {
  const words = [driver, JSON.stringify(steps), ...command]
  // Without a desktop, so that `o` opens no browser.
  const { DISPLAY: _, WAYLAND_DISPLAY: __, CI: ___, ...env } = ownEnvironment
  const options = {
    env: { ...env, NO_COLOR: '1', ...(isCi ? { CI: 'true' } : {}) },
    cwd,
    timeout: 90_000,
  }
  const { stdout } = await promisify(execFile)(programPath('python3'), words, options)
  return stdout.replaceAll('\r', '')
}
