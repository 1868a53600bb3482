import { type ExecFileException, execFile, spawn } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { ownEnvironment } from '../cli/built-command.ts'
import { type Finished, repository } from '../cli/harness.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { commandsOf, guideFiles, withoutRemarks, wordsOf } from './guide-blocks.ts'

/*
 * Every command of the guides in a project that has otcsim from its tarball, and the examples from `otcsim init --examples`.
 * Needs `npm run build`. The tarball's own list of files is taken, and npm installs nothing, so no registry is asked.
 */

let project = ''
beforeAll(async () => {
  project = temporaryFolder()
  const modules = join(project, 'node_modules')
  const words = ['pack', '--dry-run', '--ignore-scripts', '--json']
  const { stdout } = await promisify(execFile)('npm', words, { cwd: repository, maxBuffer: 1e8 })
  const [packed]: [{ files: { path: string }[] }] = JSON.parse(stdout)
  for (const { path } of packed.files) {
    const target = join(modules, 'otcsim', path)
    mkdirSync(dirname(target), { recursive: true })
    cpSync(join(repository, path), target)
  }
  // The strategies are TypeScript, for which Node 20 needs tsx, as the guide says.
  for (const name of ['tsx', ...Object.keys(manifest.dependencies)]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(repository, 'node_modules', name), join(modules, name), 'junction')
  }
  writeFileSync(join(project, 'package.json'), '{"private": true, "type": "module"}')
  const made = await run(['init', '--examples'], {})
  expect(made).toMatchObject({ code: 0, err: '' })
}, 120_000)

const program = () => join(project, 'node_modules', 'otcsim', manifest.bin.otcsim)

function run(words: readonly string[], env: Readonly<Record<string, string>>): Promise<Finished> {
  const options = { cwd: project, env: { ...ownEnvironment, ...env }, timeout: 240_000, maxBuffer: 1e9 }
  return new Promise((resolve) => {
    execFile(process.execPath, [program(), ...words], options, (error: ExecFileException | null, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), out, err }),
    )
  })
}

/** Starts the installed server until the end of the test, and returns its address. */
function serve(words: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [program(), 'serve', '--port', '0', '--json', ...words], {
    cwd: project,
    env: ownEnvironment,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  })
  return new Promise((resolve) =>
    child.stdout.once('data', (line: Buffer) => resolve(JSON.parse(line.toString('utf8')).url)),
  )
}

it.each(guideFiles)('runs every command of %s', { timeout: 600_000 }, async (file) => {
  const url = await serve([])
  const unlimited = { method: 'PUT', headers: { 'Content-Type': 'application/json' } }
  await fetch(`${url}/__admin/worlds/default/rate-limits`, { ...unlimited, body: '{"enabled":false}' })
  let count = 0
  for (const line of commandsOf(file)) {
    const [npx, name, ...words] = wordsOf(line)
    // `npm ci` belongs to a checkout.
    if (npx === 'npm') continue
    expect([npx, name], line).toEqual(['npx', 'otcsim'])
    count += 1
    if (words[0] === 'serve' && !words.includes('--help')) {
      const other = await serve(words.slice(1))
      const order = '{"side":"buy","asset":"BTC","quantity":0.1,"price":50000}'
      if (words.includes('--journal')) await run(['curl', 'POST', '/orders', '-d', order, '--url', other], {})
      await fetch(`${other}/__admin/shutdown`, { method: 'POST' })
      continue
    }
    const ended = await run(words, { OTCSIM_URL: url })
    expect({ ...ended, err: withoutRemarks(ended.err) }, line).toMatchObject({ code: 0, err: '' })
  }
  expect(count > 0 || ['test/README.md', 'src/client/README.md', 'src/CHANGELOG.md'].includes(file)).toBe(
    true,
  )
})
