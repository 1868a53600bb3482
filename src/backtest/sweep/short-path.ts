import { isAbsolute, relative, resolve } from 'node:path'

/** A file's name in a plan: relative if it lies below, so that a machine with the same files elsewhere finds it. */
export function shortPath(file: string, cwd: string): string {
  const short = relative(cwd, resolve(cwd, file))
  return short.startsWith('..') || isAbsolute(short) ? file : short.replaceAll('\\', '/')
}
