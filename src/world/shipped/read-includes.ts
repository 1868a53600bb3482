import { readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { nearestWord } from '../../api/flaw.ts'
import type { ReadInclude } from '../../scenario/file/include.ts'
import { maximumTextLength, parseDocument } from '../../scenario/file/parse-document.ts'
import { folderOfScenarios, namesIn } from './scenario-folder.ts'

/**
 * Reads the files that scenarios include. Names are relative to the file that includes them; `folder` is what the
 * names of the files themselves are relative to. A name without an ending is that of a shipped scenario, such as
 * `events/ftx-2022-11`. `seen` gets the text of each.
 */
export function includesIn(
  folder: string,
  seen: (file: string, text: string) => void = () => {},
): ReadInclude {
  return (name, from) => {
    const shipped = /\.(ya?ml|json)$/.test(name) ? null : shippedFile(name)
    const file = shipped ?? (isAbsolute(name) ? name : join(dirname(from), name))
    const text = readText(resolve(folder, file))
    if (text === null) return { ok: false, reason: `cannot read ${file}: ${whyNot(name)}` }
    seen(file, text)
    return { ok: true, file, parsed: parseDocument(text, file) }
  }
}

/** Null for a name that does not exist; names are looked up in a list and never made into paths. */
function shippedFile(name: string): string | null {
  const root = folderOfScenarios()
  return root !== null && namesIn(root).includes(name) ? join(root, `${name}.yaml`) : null
}

/** Why a file cannot be read, with the shipped scenario that was perhaps meant: it is easily taken for a file. */
function whyNot(name: string): string {
  const meant = nearestWord(name.replace(/\.ya?ml$/, ''), namesIn(folderOfScenarios()))
  const reason = 'no such file, or none of text'
  return meant === null ? reason : `${reason}; a shipped scenario is called ${meant}`
}

/** Null for anything but a regular file of UTF-8 text, and for one that is far too large. */
function readText(path: string): string | null {
  try {
    const stats = statSync(path)
    if (!stats.isFile() || stats.size > maximumTextLength * 4) return null
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
  } catch {
    return null
  }
}
