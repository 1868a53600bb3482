import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderWith } from '../support/temporary-folder.ts'
import { recordRun } from '../world/journals/recorded.ts'
import { otcsim } from './harness.ts'

/* What is written never replaces the evidence that it is made of. */

const busy = recordRun('31', 20)
const har = readFileSync(new URL('../../scenarios/data/recorded.har', import.meta.url))

it.each([
  ['shrink', ['shrink', 'a.journal', '--digest', '-o', 'a.journal'], 'a.journal'],
  ['shrink, by another path', ['shrink', 'a.journal', '--digest', '-o', './a.journal'], 'a.journal'],
  ['shrink, by a link', ['shrink', 'a.journal', '--digest', '-o', 'link'], 'a.journal'],
  ['show --html', ['show', 'a.journal', '--html', 'a.journal'], 'a.journal'],
  ['show --picture', ['show', 'link', '--picture', 'a.journal'], 'a.journal'],
  ['drift', ['drift', '--har', 'a.har', '-o', 'a.har'], 'a.har'],
])('%s refuses to write over the file that it reads', async (_, words, file) => {
  const cwd = folderWith({ 'a.journal': busy.text, 'a.har': har })
  symlinkSync('a.journal', join(cwd, 'link'))
  const before = readFileSync(join(cwd, file))
  expect(await otcsim(words, { cwd })).toMatchObject({
    code: 2,
    err: expect.stringContaining('is the file that is read: name another one to write'),
  })
  expect(readFileSync(join(cwd, file))).toEqual(before)
})

it('shrink writes over an earlier output', async () => {
  const cwd = folderWith({ 'a.journal': busy.text, 'short.journal': 'earlier' })
  const done = await otcsim(['shrink', 'a.journal', '--digest', '-o', 'short.journal'], { cwd })
  expect(done).toMatchObject({ code: 0, err: expect.stringContaining('wrote short.journal') })
})
