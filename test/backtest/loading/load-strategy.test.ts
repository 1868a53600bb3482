import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadStrategy } from '../../../src/backtest/loading/load-strategy.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

it('refuses a file whose import was edited since, because Node would run the old code', async () => {
  const folder = temporaryFolder()
  const write = (name: string) =>
    writeFileSync(join(folder, 'named.mjs'), `export const name = ${JSON.stringify(name)}`)
  write('first')
  writeFileSync(
    join(folder, 's.mjs'),
    "import { name } from './named.mjs'\nexport default { name, onTick() {} }",
  )
  expect((await loadStrategy('s.mjs', folder)).name).toBe('first')
  expect((await loadStrategy('s.mjs', folder)).name).toBe('first')
  write('second')
  await expect(loadStrategy('s.mjs', folder)).rejects.toThrow(/was changed since this process loaded it/)
})
