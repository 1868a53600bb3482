import { addMistake, childField, type Field, listItems, statedText } from './fields.ts'

/** Lists the files that a field names: a file, a list of files, or either of them as `file` beside its options. */
export function listFiles(data: Field | null): readonly Field[] {
  if (data === null) return []
  const named = data.tree.kind === 'mapping' ? childField(data, 'file') : data
  if (named === null) return []
  return named.tree.kind === 'list' ? listItems(named) : [named]
}

/** Notes that the files of a field are not read here: what comes over HTTP, or as an object, reads none. */
export function refuseFiles(data: Field): void {
  const [first] = listFiles(data)
  const named = first === undefined ? 'a recording' : JSON.stringify(statedText(first))
  addMistake(
    data,
    `${named} is not read here, only for a scenario file: give that to otcsim serve --scenario, or in code to loadScenario`,
  )
}
