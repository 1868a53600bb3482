import type { GridAxis } from './plan.ts'

/** Seeds and grids as given on the command line. What is wrong is answered as a sentence. */

export type Parsed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string }

const maximumSeeds = 1_000_000
const maximumCases = 10_000_000

/** `7`, `1..500`, and lists of both with commas, without repetitions. Only whole numbers can form ranges. */
export function parseSeeds(text: string): Parsed<readonly string[]> {
  const seeds = new Set<string>()
  for (const part of text.split(',').map((word) => word.trim())) {
    if (part === '') return refuse('seeds are texts or ranges such as 1..500, with commas between them')
    const range = /^([0-9]{1,15})\.\.([0-9]{1,15})$/.exec(part)
    if (range === null) {
      if (part.includes('..')) return refuse(`"${part}" is not a range of seeds; write 1..500`)
      seeds.add(part)
      continue
    }
    const [first, last] = [Number(range[1]), Number(range[2])]
    if (last < first) return refuse(`the range ${part} is empty`)
    if (last - first >= maximumSeeds) return refuse(`${part} is more than ${maximumSeeds} seeds`)
    for (let seed = first; seed <= last; seed += 1) seeds.add(String(seed))
  }
  return { ok: true, value: [...seeds] }
}

/** `name=a,b,c`: a parameter and its values. */
export function parseAxis(text: string, of: GridAxis['of']): Parsed<GridAxis> {
  const split = text.indexOf('=')
  if (split < 1) return refuse(`expected NAME=VALUE,VALUE, found "${text}"`)
  const name = text.slice(0, split)
  const values = text.slice(split + 1).split(',')
  if (values.includes('')) return refuse(`${name}: a value is empty`)
  const twice = values.find((value, place) => values.indexOf(value) !== place)
  return twice === undefined
    ? { ok: true, value: { name, of, values } }
    : refuse(`${name}: ${twice} is there twice`)
}

/** A grid in which every name is given once, and whose cases can be counted. */
export function checkGrid(grid: readonly GridAxis[], seeds: number): Parsed<readonly GridAxis[]> {
  const names = grid.map(({ name }) => name)
  const twice = names.find((name, place) => names.indexOf(name) !== place)
  if (twice !== undefined) return refuse(`the parameter ${twice} is given twice`)
  const cases = grid.reduce((product, { values }) => product * values.length, seeds)
  if (cases > maximumCases) return refuse(`the sweep has ${cases} cases; ${maximumCases} is the most`)
  return { ok: true, value: grid }
}

const refuse = (problem: string): { readonly ok: false; readonly problem: string } => ({ ok: false, problem })
