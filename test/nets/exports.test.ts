import { it } from 'vitest'
import { exportedNames } from './exported-names.ts'
import { expectGolden } from './golden-text.ts'

it('the exports of every entry of the package', async () => {
  await expectGolden('exports.txt', exportedNames().join('\n'))
})
