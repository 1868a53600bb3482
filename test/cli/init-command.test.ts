import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { otcsim, repository } from './harness.ts'

it('writes files that run at once, and says what to do next', async () => {
  const cwd = temporaryFolder()
  const ended = await otcsim(['init'], { cwd })
  expect(ended).toMatchObject({ code: 0, err: '' })
  expect(ended.out).toMatch(/^wrote {2}otcsim\.config\.yaml\nwrote {2}scenarios\/first\.yaml\n/)
  expect(ended.out).toContain('otcsim run scenarios/first.yaml')
  expect(await otcsim(['validate', 'scenarios/first.yaml'], { cwd })).toMatchObject({ code: 0 })
  const run = await otcsim(['run', 'scenarios/first.yaml'], { cwd })
  expect(run).toMatchObject({ code: 0, err: '' })
  expect(run.out).toContain('4 of 4 held')
  expect(Object.keys(parse(readFileSync(join(cwd, 'otcsim.config.yaml'), 'utf8')))).toEqual([
    'scenario',
    'port',
  ])
})

it('never overwrites, and adds missing files', async () => {
  const cwd = temporaryFolder()
  expect((await otcsim(['init', 'project'], { cwd })).out).toContain('  cd project\n')
  writeFileSync(join(cwd, 'project/scenarios/first.yaml'), 'mine')
  const again = await otcsim(['init', 'project'], { cwd })
  expect(again.out).toContain('kept   project/scenarios/first.yaml\n')
  expect(readFileSync(join(cwd, 'project/scenarios/first.yaml'), 'utf8')).toBe('mine')
  expect(readdirSync(join(cwd, 'project'))).toEqual(['otcsim.config.yaml', 'scenarios'])
})

it('says why it cannot write', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'file'), '')
  const ended = await otcsim(['init', 'file'], { cwd })
  expect(ended).toMatchObject({ code: 2, out: '' })
  expect(ended.err).toMatch(/^cannot write \S+: /)
})

it('writes the files that the guides name, and replaces none', async () => {
  const cwd = temporaryFolder()
  mkdirSync(join(cwd, 'scenarios/strategies'), { recursive: true })
  writeFileSync(join(cwd, 'scenarios/strategies/trend.ts'), 'mine')
  const ended = await otcsim(['init', '--examples'], { cwd })
  expect(ended).toMatchObject({ code: 0, err: '' })
  expect(ended.out).toContain('kept   scenarios/strategies/trend.ts\n')
  expect(readFileSync(join(cwd, 'scenarios/strategies/trend.ts'), 'utf8')).toBe('mine')
  for (const file of ['data/candles-4h.csv', 'data/recorded.har', 'clients/careful-client.mjs', 'calm.yaml'])
    expect(readFileSync(join(cwd, 'scenarios', file))).toEqual(
      readFileSync(join(repository, 'scenarios', file)),
    )
  expect(ended.out).toMatch(/\n\nscenarios\/strategies holds TypeScript, .*: npm install --save-dev tsx\n$/)
  expect((await otcsim(['init', 'other'], { cwd })).out).not.toContain('tsx')
  // The guides speak of the accounts and assets of the default world.
  expect(Object.keys(parse(readFileSync(join(cwd, 'otcsim.config.yaml'), 'utf8')))).toEqual(['port'])
})
