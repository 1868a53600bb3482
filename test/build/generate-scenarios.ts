import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { joinIncludes } from '../../src/scenario/file/include.ts'
import { formatMistake, Mistakes } from '../../src/scenario/file/mistake.ts'
import { parseDocument } from '../../src/scenario/file/parse-document.ts'
import { toPlain } from '../../src/scenario/file/tree.ts'
import { loadScenarioValue } from '../../src/scenario/load-tree.ts'
import { createIncludeReader } from '../../src/world/shipped/read-includes.ts'
import { findScenarioFolder, listScenarioNames } from '../../src/world/shipped/scenario-folder.ts'

/** The shipped scenarios as JSON values. */
export function shippedValues(): ReadonlyMap<string, unknown> {
  const folder = findScenarioFolder()
  if (folder === null) throw new Error('the scenarios are not where they belong')
  return new Map(listScenarioNames(folder).map((name) => [name, readWhole(folder, `${name}.yaml`)]))
}

/** Replaces includes by the included files, because the bundle reads no others. */
function readWhole(folder: string, file: string): unknown {
  const problems = new Mistakes()
  const parsed = problems.unwrap(parseDocument(readFileSync(join(folder, file), 'utf8'), file))
  const joined = joinIncludes(parsed, file, createIncludeReader(folder), problems)
  if (problems.count > 0) throw new Error(problems.list(file).map(formatMistake).join('\n'))
  return toPlain(joined)
}

/** The scenario that a server has which was told nothing: its start need not wait for words to become numbers. */
const usual = 'calm'

/** A module that replaces `src/world/shipped/read-shipped.ts`. */
export function generateScenarios(loader: string): string {
  const values = shippedValues()
  const entries = [...values].map(
    ([name, value]) => `[${JSON.stringify(name)}, ${JSON.stringify(JSON.stringify(value))}]`,
  )
  return `import { loadScenarioValue } from ${JSON.stringify(loader)}
const texts = new Map([${entries.join(',\n')}])
export function readShipped(_folder, name, options) {
  const isPlain = Object.values(options).every((option) => option.size === 0)
  if (isPlain && name === '${usual}') return ${literalOf(loadScenarioValue(values.get(usual)))}
  return loadScenarioValue(JSON.parse(texts.get(name)), options)
}
`
}

/** The code of plain data with maps in it. */
export function literalOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literalOf).join(',')}]`
  if (value instanceof Map) return `new Map(${literalOf([...value])})`
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : String(value)
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}:${literalOf(field)}`)
  return `{${fields.join(',')}}`
}
