import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const linesMaximum = 4
const here = dirname(fileURLToPath(import.meta.url))

/** The lines of a stack that are neither Node's nor the bundle's, the innermost first, as many as help. */
export function ownStackLines(stack: string): readonly string[] {
  const lines = stack.split('\n').filter((line) => /^\s*at /.test(line))
  const own = lines.filter((line) => !line.includes('node:') && !line.includes(here))
  return own.slice(0, linesMaximum).map(withoutSource)
}

/**
 * TypeScript of a CommonJS package is run by tsx from an address that holds its whole text; what helps is the file,
 * and the place is one of the text that was made of it.
 */
function withoutSource(line: string): string {
  return line.replace(
    /data:text\/javascript,\S*[?&]filePath=([^\s):&]*?)(?:%3Fnamespace[^\s)]*|:[^\s)]*)?(?=\)|$)/,
    (_, path: string) => decodeURIComponent(path),
  )
}
