import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const maximumLines = 4
const here = dirname(fileURLToPath(import.meta.url))

/** The lines of a stack that are neither Node's nor the bundle's, the innermost first, as many as help. */
export function ownStackLines(stack: string): readonly string[] {
  const lines = stack.split('\n').filter((line) => /^\s*at /.test(line))
  const own = lines.filter((line) => !line.includes('node:') && !line.includes(here))
  return own.slice(0, maximumLines).map(withoutSource)
}

/**
 * tsx runs TypeScript of a CommonJS package from an address that contains its whole text. What helps the reader is
 * the file; the line number is that of the generated text.
 */
function withoutSource(line: string): string {
  return line.replace(
    /data:text\/javascript,\S*[?&]filePath=([^\s):&]*?)(?:%3Fnamespace[^\s)]*|:[^\s)]*)?(?=\)|$)/,
    (_, path: string) => decodeURIComponent(path),
  )
}
