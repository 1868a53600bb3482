import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { repository } from './harness.ts'

const bundle = join(repository, 'dist', 'cli.cjs')

interface Ended {
  readonly code: number | null
  readonly out: string
}

function start(...words: readonly string[]): {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  readonly firstLine: Promise<string>
} {
  const child = spawn(process.execPath, [bundle, ...words], {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let out = ''
  let tellLine: (line: string) => void = () => {}
  const firstLine = new Promise<string>((resolve) => {
    tellLine = resolve
  })
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString('utf8')
    if (out.includes('\n')) tellLine(out.slice(0, out.indexOf('\n')))
  })
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, out }))
  })
  return { child, ended, firstLine }
}

// `npm ci` and `npm test` build before this runs.
describe('the built command', () => {
  it('finds its scenarios and runs them', async () => {
    const { code, out } = await start('run', 'thin-book', '--reporter', 'json').ended
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ ok: true, scenarios: [{ name: 'thin-book', ok: true }] })
  })

  it('runs a matrix on threads of its own', async () => {
    const { code, out } = await start('run', 'mm-quote-lifecycle', '--jobs', '2', '--reporter', 'json').ended
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ ok: true, scenarios: { length: 5 } })
  })

  it('passes the exit code on', async () => {
    expect((await start('schema', 'nothing').ended).code).toBe(2)
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('serves until %s, and exits cleanly', async (signal) => {
    const served = start('serve', '--port', '0', '--json')
    const ready: { url: string; pid: number } = JSON.parse(await served.firstLine)
    expect(ready.pid).toBe(served.child.pid)
    const health = await fetch(`${ready.url}/__admin/health`)
    expect(await health.json()).toEqual({ status: 'ok' })
    expect((await fetch(`${ready.url}/__admin/docs/swagger-ui.css`)).status).toBe(200)
    expect((await fetch(`${ready.url}/__admin/console/console.js`)).status).toBe(200)
    served.child.kill(signal)
    const { code, out } = await served.ended
    expect(code).toBe(0)
    expect(out.trimEnd().split('\n').at(-1)).toBe('{"event":"shutdown"}')
  })
})

it('is ASCII only, because its parts are read as Latin-1', () => {
  const folder = join(repository, 'dist')
  const parts = readdirSync(folder).filter((name) => /^cli.*\.cjs$/.test(name))
  expect(parts.length).toBeGreaterThan(10)
  const foreign = parts.filter((name) => readFileSync(join(folder, name)).some((byte) => byte > 0x7f))
  expect(foreign).toEqual([])
})
