import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { serveApart } from '../crash/served.ts'
import { programPath } from '../support/program-path.ts'
import { createConsumer, root } from './consumer.ts'
import { copyInto, listRunners, runnerPackages } from './failing-tests.ts'

/*
 * What a failing test says of its cause in the output of each runner, with no action beyond reading it. Needs
 * `npm run build`.
 */

const consumer = createConsumer(runnerPackages)
const { run } = consumer
const copied = copyInto(consumer)
const runners = listRunners(copied)

/** The venue's answer to each of the three tests. */
const sentences = [
  /ord_1 \(buy 0\.1 BTC @ 90,000\) is open: it waits for an ask of 90,000 or less; the best is 95,0[\d.]+, with (?:at least )?[\d,.]+ BTC before it; no time has passed since the world began/,
  /the answer of POST \/orders \(buy 0\.1 BTC @ 90,000 by trader\) was lost after the order was placed \(flt_1 reset_peer\): ord_1 is there/,
  /nothing was asked: no request has reached this world/,
]

describe('the answer in the failure', { timeout: 330_000 }, () => {
  for (const { name, tags, make, start } of runners) {
    it(`is in what ${name} prints`, { tags }, async () => {
      const folder = make()
      const [program, ...words] = start(folder)
      const { code, said } = await run(program, words, folder)
      expect(code, said).toBe(1)
      for (const sentence of sentences) expect(said).toMatch(sentence)
    })
  }
})

describe('the answer in the failure of a test that has joined a server', { timeout: 330_000 }, () => {
  for (const { name, tags, make, start } of runners) {
    it(`is in what ${name} prints`, { tags }, async () => {
      const words = [join(root, 'dist', 'cli.cjs'), 'serve', '--json', '--port', '0', '--clock', 'manual']
      const { url, child, ended } = await serveApart({ program: process.execPath, words })
      vi.stubEnv('OTC_ADMIN_URL', `${url}/__admin`)
      vi.stubEnv('OTC_BASE_URL', url)
      try {
        const folder = make()
        const [program, ...rest] = start(folder)
        const { code, said } = await run(program, rest, folder)
        expect(code, said).toBe(1)
        for (const sentence of sentences) expect(said).toMatch(sentence)
        // The tests had the worlds before this one there, and none is left.
        const next = await (await fetch(`${url}/__admin/worlds`, { method: 'POST' })).json()
        expect(next).toMatchObject({ id: expect.stringMatching(/^w[45]$/) })
        const left = await (await fetch(`${url}/__admin/worlds`)).json()
        expect(left).toMatchObject({ worlds: [{}, {}] })
      } finally {
        vi.unstubAllEnvs()
        child.kill()
        await ended
      }
    })
  }
})

it('is in the summary of a CI job with a picture, beside a page of the console', {
  timeout: 330_000,
}, async () => {
  const [runner] = runners
  const folder = runner?.make() ?? ''
  const [program = '', ...words] = runner?.start(folder) ?? []
  await run(program, words, folder)
  const { jobs } = parse(readFileSync(join(root, 'scenarios', 'clients', 'github-actions.yml'), 'utf8'))
  const steps: readonly { readonly run?: string }[] = jobs.venue.steps
  const script = steps.map((step) => step.run ?? '').find((text) => text.includes('GITHUB_STEP_SUMMARY'))
  const ended = await run('sh', ['-ec', `export GITHUB_STEP_SUMMARY=summary.md\n${script}`], folder)
  expect(ended.code, ended.said).toBe(0)
  const summary = readFileSync(join(folder, 'summary.md'), 'utf8').replaceAll('\\', '')
  for (const sentence of sentences) expect(summary).toMatch(sentence)
  const headings = [...summary.matchAll(/^### ✗ (?:.* > )?(.*)$/gm)].map(([, title]) => title)
  expect(headings.toSorted()).toEqual(['asks nothing', 'loses an answer', 'rests'])
  const kept = readdirSync(join(folder, '.otcsim'))
  for (const ending of ['.html', '.svg']) expect(kept.filter((name) => name.endsWith(ending))).toHaveLength(3)
  const pictures = [...summary.matchAll(/^```mermaid\nxychart-beta\n {4}title "([^"]+)"\n/gm)].map(
    ([, title]) => title,
  )
  expect(pictures.toSorted()).toEqual([
    'BTC: the book when the test failed',
    'BTC: the book when the test failed, and ord_1: trader, buy 0.1 @ 90,000',
    'BTC: the book when the test failed, and ord_1: trader, buy 0.1 @ 90,000',
  ])
})

describe('a venue that tests have started', { timeout: 330_000 }, () => {
  const isServed = (url: string) =>
    fetch(url).then(
      () => true,
      () => false,
    )

  it('ends with a package of Go whose test panics', { tags: ['go'] }, async () => {
    const test = `package venue

import "testing"

func TestPanics(given *testing.T) {
	newWorld(given)
	println("venue at " + venue.AdminURL + "/health")
	panic("as planned")
}
`
    const folder = copied({ 'panic_test.go': test, 'go.mod': 'module venue\n\ngo 1.21\n' }, [
      'venue_test.go',
    ])()
    const { code, said } = await run(programPath('go'), ['test', '-run', 'Panics', './...'], folder)
    const [, url = ''] = /venue at (\S+)/.exec(said) ?? []
    expect(code).toBe(1)
    expect(said).toContain('panic: as planned')
    expect(url).toMatch(/^http/)
    await expect.poll(() => isServed(url)).toBe(false)
  })

  it('ends with a pytest that is killed', { tags: ['pytest'] }, async () => {
    const test = `
import os, pathlib, signal

def test_is_killed(world, venue):
    pathlib.Path("address").write_text(venue["adminUrl"] + "/health")
    os.kill(os.getpid(), signal.SIGKILL)
`
    const folder = copied({ 'test_killed.py': test }, ['conftest.py'])()
    await run(programPath('pytest'), ['-q', '-p', 'no:cacheprovider', 'test_killed.py'], folder)
    const url = readFileSync(join(folder, 'address'), 'utf8')
    await expect.poll(() => isServed(url)).toBe(false)
  })
})
