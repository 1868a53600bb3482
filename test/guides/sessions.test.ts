import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { repository } from '../cli/harness.ts'
import { isLongestRun } from '../support/full-run.ts'
import { programPath } from '../support/program-path.ts'
import { blocks, guideFiles, isScript } from './guide-blocks.ts'

/*
 * Every command of README and guides, as a reader types it: by a shell, with npx, each guide as one session in which
 * servers go on beside the later commands. Once in a clone, and once in a project that has the packed package. Needs
 * `npm run build`.
 * @module-tag sh
 * @module-tag curl
 * @module-tag openssl
 * @module-tag git
 */

/** The commands of a guide in their order. A script of several lines is one command. */
const linesOf = (file: string): readonly string[] =>
  blocks('sh', [file]).flatMap((block) => (isScript(block) ? [block] : block.trim().split('\n')))

/** What `npm ci` and `npm test` do takes minutes, and this file is a part of it. */
const isOfThisRepository = (line: string): boolean => line.endsWith('npm test')

interface Place {
  readonly cwd: string
  /** The command for `npm ci && npm start` in this place. */
  readonly start: string
}

const places = new Map<string, Place>()
const installed = ['tsx', ...Object.keys(manifest.dependencies)]

const folders: string[] = []
const makeFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'otcsim-guides-'))
  folders.push(folder)
  return folder
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

beforeAll(() => {
  if (isLongestRun) places.set('a fresh clone', cloneRepository())
  places.set('a project with the tarball', installTarball())
}, 120_000)

/** Clones the repository. `npm ci` would install the same packages again, and its script builds the same files. */
function cloneRepository(): Place {
  const cwd = join(makeFolder(), 'otcsim')
  execFileSync(programPath('git'), ['clone', '--quiet', '--no-hardlinks', repository, cwd])
  symlinkSync(join(repository, 'node_modules'), join(cwd, 'node_modules'), 'junction')
  cpSync(join(repository, 'dist'), join(cwd, 'dist'), { recursive: true })
  return { cwd, start: 'npm start' }
}

/** Installs what `npm pack` makes, and writes the examples, as the README says. */
function installTarball(): Place {
  const cwd = makeFolder()
  const packed = ['pack', '--ignore-scripts', '--silent', '--pack-destination', cwd]
  execFileSync('npm', packed, { cwd: repository })
  const archive = readdirSync(cwd).find((name) => name.endsWith('.tgz')) ?? ''
  const modules = join(cwd, 'node_modules')
  const own = join(modules, 'otcsim')
  mkdirSync(join(modules, '.bin'), { recursive: true })
  mkdirSync(own)
  execFileSync(programPath('sh'), ['-c', `tar -xzf ${archive} --strip-components=1 -C ${own}`], { cwd })
  symlinkSync(join(own, 'dist', 'cli.cjs'), join(modules, '.bin', 'otcsim'))
  for (const name of installed) {
    mkdirSync(join(modules, name, '..'), { recursive: true })
    symlinkSync(join(repository, 'node_modules', name), join(modules, name), 'junction')
  }
  writeFileSync(join(cwd, 'package.json'), '{"private": true}\n')
  execFileSync(programPath('sh'), ['-c', 'npx --no otcsim init --examples'], {
    cwd,
    env: environment(cwd, ''),
  })
  return { cwd, start: 'npx otcsim serve' }
}

/** The variables of a reader's shell. Servers take a free port, because others may have theirs on this machine. */
const environment = (cwd: string, url: string) => ({
  PATH: [join(cwd, 'node_modules', '.bin'), process.env['PATH']].join(delimiter),
  HOME: process.env['HOME'],
  OTCSIM_PORT: '0',
  ...(url === '' ? {} : { OTCSIM_URL: url }),
})

const isServer = (line: string): boolean => / serve(?! --help)/.test(line) || line.endsWith('npm start')

/** A shell in a place, with at most one server in the background. */
class Session {
  private server: ChildProcess | null = null
  private url = ''
  private readonly place: Place

  constructor(place: Place) {
    this.place = place
  }

  async type(line: string): Promise<void> {
    if (isServer(line)) return this.startServer(line.replace('npm ci && npm start', this.place.start))
    // A guide that starts no server of its own speaks of the one that the README has started.
    if (this.server === null && /curl|127\.0\.0\.1/.test(line)) await this.startServer(this.place.start)
    const { code, said } = await this.run(line.replaceAll('http://127.0.0.1:4010', this.url))
    expect({ code, said: code === 0 ? '' : said }, line).toEqual({ code: 0, said: '' })
  }

  end(): void {
    if (this.server?.pid !== undefined) process.kill(-this.server.pid, 'SIGINT')
    this.server = null
  }

  private async startServer(line: string): Promise<void> {
    this.end()
    const { cwd } = this.place
    const server = spawn(programPath('sh'), ['-c', line], {
      cwd,
      detached: true,
      env: environment(cwd, ''),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.server = server
    this.url = await new Promise<string>((resolve, reject) => {
      let said = ''
      const hear = (text: Buffer): void => {
        said += text.toString()
        const [url] = /http:\/\/127\.0\.0\.1:\d+(?=\D)/.exec(said) ?? []
        if (url !== undefined) resolve(url)
      }
      server.stdout.on('data', hear)
      server.stderr.on('data', hear)
      server.once('exit', (code) => reject(new Error(`${line} ended with ${code}: ${said}`)))
    })
  }

  private run(line: string): Promise<{ readonly code: number; readonly said: string }> {
    const { cwd } = this.place
    return new Promise((resolve) => {
      execFile(
        programPath('sh'),
        ['-c', line],
        { cwd, env: environment(cwd, this.url), timeout: 300_000, maxBuffer: 64 * 1024 * 1024 },
        (error, stdout, stderr) => {
          const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
          resolve({ code, said: `${stdout}${stderr}`.slice(-4000) })
        },
      )
    })
  }
}

/** A clone is tried where the longest forms are asked for: it differs by what a project has beside its commands. */
const tried = ['a project with the tarball', ...(isLongestRun ? ['a fresh clone'] : [])]

describe.each(tried)('in %s', { timeout: 900_000 }, (name) => {
  it.each(guideFiles.filter((file) => linesOf(file).length > 0))('runs %s as one session', async (file) => {
    const place = places.get(name)
    if (place === undefined) throw new Error('the place has been made')
    const session = new Session(place)
    try {
      for (const line of linesOf(file)) if (!isOfThisRepository(line)) await session.type(line)
    } finally {
      session.end()
    }
  })
})
