import { existsSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * What a runner knows of a test: the context of `node:test`, or any object with these fields. `filePath` is the file of
 * the test, `fullName` its title after those of the suites around it.
 */
export interface NamedTest {
  readonly name: string
  readonly fullName?: string | undefined
  readonly filePath?: string | undefined
}

/**
 * Names a test by its file, relative to the nearest package.json, and its whole title, so that its name, and with it
 * the seed of its world, does not depend on the folder in which the runner was started.
 */
export function nameTest(file: string | null, title: string): string {
  return file === null ? title : `${shortenPath(file)} > ${title}`
}

function shortenPath(file: string): string {
  const path = file.startsWith('file:') ? fileURLToPath(file) : file
  return relative(findPackage(path), path).split(sep).join('/')
}

/** Finds the nearest folder around a file that has a package.json; the file's own folder when none has. */
function findPackage(path: string): string {
  let folder = dirname(path)
  while (!existsSync(join(folder, 'package.json'))) {
    const outer = dirname(folder)
    if (outer === folder) return dirname(path)
    folder = outer
  }
  return folder
}

/**
 * Finds the file from which a function was called, by the stack; null where the stack does not say. `callee` is the
 * function, which is running.
 */
export function findCallingFile(callee: (...given: never[]) => unknown): string | null {
  const holder = { stack: '' }
  Error.captureStackTrace(holder, callee)
  for (const line of String(holder.stack).split('\n')) {
    const [, file = ''] = /\(?((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^():]*)(?::\d+){1,2}\)?$/.exec(line) ?? []
    if (file !== '') return file
  }
  return null
}
