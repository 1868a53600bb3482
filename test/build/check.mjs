/* Lints and checks types, all at once: each tool alone leaves cores idle. */
import { spawn } from 'node:child_process'

const commands = ['biome check --error-on-warnings', 'tsc -p .', 'tsc -p src/console']
const codes = await Promise.all(commands.map(run))
process.exitCode = codes.find((code) => code !== 0) ?? 0

/** Its exit code; 1 where a signal ended it, or it is not there. */
function run(command) {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, stdio: 'inherit' })
    child.on('error', () => resolve(1))
    child.on('close', (code) => resolve(code ?? 1))
  })
}
