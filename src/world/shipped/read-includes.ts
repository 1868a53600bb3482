import { readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { nearestWord } from '../../api/nearest-word.ts'
import type { ReadInclude } from '../../scenario/file/include.ts'
import { maximumTextLength, parseDocument } from '../../scenario/file/parse-document.ts'
import { decodeText } from '../../shape/decode-text.ts'
import { findScenarioFolder, listScenarioNames } from './scenario-folder.ts'

/**
 * Creates the function that reads the files that scenarios include. Included names are relative to the including file,
 * whose own path is relative to `folder`. A name without an extension is that of a shipped scenario, such as
 * `events/ftx-2022-11`. `onRead` is called with each file and its text.
 */
export function createIncludeReader(
  folder: string,
  onRead: (file: string, text: string) => void = () => {},
): ReadInclude {
  return (name, from) => {
    const shipped = /\.(ya?ml|json)$/.test(name) ? null : findShippedFile(name)
    const file = shipped ?? (isAbsolute(name) ? name : join(dirname(from), name))
    const text = readText(resolve(folder, file))
    if (text === null) return { ok: false, reason: `cannot read ${file}: ${explainUnreadable(name)}` }
    onRead(file, text)
    return { ok: true, file, parsed: parseDocument(text, file) }
  }
}

/**
 * Finds the file of a shipped scenario; null for an unknown name. The name is looked up in a list, never used as a
 * path.
 */
function findShippedFile(name: string): string | null {
  const root = findScenarioFolder()
  return root !== null && listScenarioNames(root).includes(name) ? join(root, `${name}.yaml`) : null
}

/** Explains why a file cannot be read, and suggests the shipped scenario with a similar name, if there is one. */
function explainUnreadable(name: string): string {
  const meant = nearestWord(name.replace(/\.ya?ml$/, ''), listScenarioNames(findScenarioFolder()))
  const reason = 'no such file, or not a text file'
  return meant === null ? reason : `${reason}; a shipped scenario is called ${meant}`
}

/**
 * Reads a text file. Returns null for anything but a regular file of text in UTF-8 or UTF-16, and for one that is far
 * too large.
 */
function readText(path: string): string | null {
  try {
    const stats = statSync(path)
    if (!stats.isFile() || stats.size > maximumTextLength * 4) return null
    return decodeText(readFileSync(path))
  } catch {
    return null
  }
}
