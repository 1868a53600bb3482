// Room: backtest

import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { built } from '../cli/built-command.ts'
import { repository } from '../cli/harness.ts'
import { folderWith } from '../support/temporary-folder.ts'

/*
 * On Node 20 the paths of a tsconfig.json decided what a strategy (a module) imports; newer ones ignore them. In the
 * repository, whose own paths name the sources, each run loaded 546 of them beside the bundle: two seconds for one.
 */

const strategy = `import { defineStrategy } from 'otcsim/backtest'
export default defineStrategy({ name: 'still', onTick() {} })
`
const paths = { 'otcsim/backtest': ['./other.ts'] }

it('loads the package that is installed, whatever a tsconfig.json says', async () => {
  const cwd = folderWith({
    'still.ts': strategy,
    'package.json': '{"type":"module"}',
    'tsconfig.json': JSON.stringify({ compilerOptions: { paths } }),
    'other.ts': "throw new Error('this is another package')",
  })
  mkdirSync(join(cwd, 'node_modules'))
  symlinkSync(repository, join(cwd, 'node_modules', 'otcsim'), 'junction')
  const ended = await built(['backtest', 'still.ts', '--to', '1m'], cwd)
  expect(ended).toMatchObject({ code: 0, err: '' })
})
