import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { folderOfScenarios, namesIn } from '../../src/world/shipped-scenarios.ts'

/** The shipped scenarios as the JSON values that their YAML stands for. */
export function shippedValues(): ReadonlyMap<string, unknown> {
  const folder = folderOfScenarios()
  if (folder === null) throw new Error('the scenarios are not where they belong')
  const read = (name: string) => parse(readFileSync(join(folder, `${name}.yaml`), 'utf8'), { schema: 'core' })
  return new Map(namesIn(folder).map((name) => [name, read(name)]))
}

/** A module in place of `src/world/read-shipped.ts`. */
export function generateScenarios(loader: string): string {
  const entries = [...shippedValues()].map(
    ([name, value]) => `[${JSON.stringify(name)}, ${JSON.stringify(JSON.stringify(value))}]`,
  )
  return `import { loadScenarioValue } from ${JSON.stringify(loader)}
const texts = new Map([${entries.join(',\n')}])
export function readShipped(_folder, name, options) {
  return loadScenarioValue(JSON.parse(texts.get(name)), options)
}
`
}
