/*
 * Runs after a build: starts the command once, so that V8’s compiled code is stored for every later start.
 */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

const folder = '.otcsim/code'
rmSync(folder, { recursive: true, force: true })
const child = spawn(process.execPath, ['dist/cli.cjs', 'serve', '--port', '0', '--json'], { stdio: 'ignore' })
for (let turn = 0; turn < 200 && child.exitCode === null; turn += 1) {
  await setTimeout(50)
  if (existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('cli-venue.cjs'))) break
}
child.kill()
