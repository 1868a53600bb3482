import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Packages } from './client.ts'

interface Installed {
  /** The packages, as text. */
  readonly wanted: string
  readonly entries: readonly string[]
}

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const sources = fileURLToPath(new URL('.', import.meta.url))
const programs = process.platform === 'win32' ? 'Scripts' : 'bin'

/** Where one client is installed and runs: a folder of its own, outside of what is committed. */
export class Workshop {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** What is installed in these versions stays; what the run before has left behind goes. */
  async prepare(packages: Packages): Promise<void> {
    const stamp = join(this.folder, 'installed.json')
    const wanted = JSON.stringify(packages)
    const last: Partial<Installed> = existsSync(stamp) ? JSON.parse(readFileSync(stamp, 'utf8')) : {}
    const kept = last.wanted === wanted ? (last.entries ?? []) : []
    mkdirSync(this.folder, { recursive: true })
    for (const entry of readdirSync(this.folder))
      if (!kept.includes(entry)) rmSync(join(this.folder, entry), { recursive: true })
    if (kept.length === 0) await this.install(packages)
    const installed: Installed = { wanted, entries: readdirSync(this.folder) }
    writeFileSync(stamp, JSON.stringify(installed))
  }

  private async install({ pip = [], npm = [], goTools = [], goModules = [] }: Packages): Promise<void> {
    if (pip.length > 0) {
      await this.must('python3', ['-m', 'venv', 'python'])
      await this.must('python', ['-m', 'pip', 'install', '--quiet', ...pip])
    }
    if (npm.length > 0) {
      writeFileSync(join(this.folder, 'package.json'), '{ "private": true, "type": "module" }')
      const options = ['--save-exact', '--no-audit', '--no-fund', '--ignore-scripts']
      await this.must('npm', ['install', ...options, ...npm])
    }
    for (const tool of goTools) await this.must('go', ['install', tool])
    if (goModules.length > 0) {
      await this.must('go', ['mod', 'init', 'clients'])
      await this.must('go', ['get', ...goModules])
    }
  }

  /** Scripts of ours go beside what is generated, because that is where they import it from. */
  copy(source: string, target: string): void {
    cpSync(join(sources, source), join(this.folder, target), { recursive: true })
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8')
  }

  write(file: string, text: string): void {
    const path = join(this.folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }

  /** What it printed; fails with the end of that when it ends with anything but 0. */
  async must(program: string, words: readonly string[], variables: Variables = {}): Promise<string> {
    const { code, out, err } = await this.execute(program, words, variables)
    if (code === 0) return out
    const lines = `${out}${err}`.trim().split('\n')
    const shown = lines.length <= 20 ? lines : [...lines.slice(0, 10), '...', ...lines.slice(-10)]
    throw new Error(`${program} ${words.join(' ')} ended with ${code}:\n${shown.join('\n')}`)
  }

  /** Installed programs come before those of the machine. */
  execute(program: string, words: readonly string[], variables: Variables = {}): Promise<Ended> {
    const own = [`python/${programs}`, 'node_modules/.bin', 'go/bin'].map((name) => join(this.folder, name))
    const child = spawn(program, [...words], {
      cwd: this.folder,
      env: {
        ...process.env,
        PATH: [...own, process.env['PATH']].join(delimiter),
        GOPATH: join(this.folder, 'go'),
        GOFLAGS: '-modcacherw -buildvcs=false',
        ...variables,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    let err = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text
    })
    return new Promise((settle, fail) => {
      child.once('error', fail)
      child.once('close', (code) => settle({ code, out, err }))
    })
  }
}

interface Variables {
  readonly [name: string]: string
}
