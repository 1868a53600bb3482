import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './consumer.ts'

const guides = ['src/testing/README.md', 'src/api/README.md'].map((file) =>
  readFileSync(join(root, file), 'utf8'),
)

/** Returns a code block of a guide, by the file name in its first line. */
export function guideRecipe(name: string): string {
  const blocks = guides.flatMap((text) =>
    [...text.matchAll(/^```[a-z]+\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code),
  )
  const found = blocks.find((block) => block.split('\n')[0]?.replace(/^(?:\/\/|#) /, '') === name)
  if (found === undefined) throw new Error(`no guide has ${name}`)
  return found
}
