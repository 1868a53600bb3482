import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

/**
 * Holds a text against its golden file in `test/golden/texts`. `npm run golden -- --update` writes these files again: read the
 * difference before you commit it, and say in the commit why it is meant. Outside of CI a file that is missing is made.
 */
export async function expectGolden(file: string, text: string): Promise<void> {
  const whole = text.endsWith('\n') ? text : `${text}\n`
  await expect(whole).toMatchFileSnapshot(fileURLToPath(new URL(`../golden/texts/${file}`, import.meta.url)))
}
