import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { type Figure, formFigures } from './form.ts'
import { readSources } from './source.ts'

/*
 * Prints the form of the sources as a Markdown table beside the ratchets that `form.test.ts` holds. With a part of a
 * figure's name, prints the places that this figure counts; with `--tighten`, lowers every ratchet to what is counted.
 */
const file = new URL('ratchets.json', import.meta.url)
const ratchets: Record<string, number> = JSON.parse(readFileSync(file, 'utf8'))
const figures = formFigures(readSources('src'))
const [word] = process.argv.slice(2)

if (word === '--tighten') tighten(figures)
else if (word === undefined) print(table(figures))
else
  print(
    figures.filter(({ name }) => name.includes(word)).flatMap(({ name, places }) => [`${name}:`, ...places]),
  )

function table(rows: readonly Figure[]): readonly string[] {
  const lines = rows.map(({ name, count }) => `| ${name} | ${count} | ${ratchets[name] ?? '-'} |`)
  return ['| figure | count | ratchet |', '|---|---:|---:|', ...lines]
}

function tighten(rows: readonly Figure[]): void {
  for (const { name, count } of rows) ratchets[name] = Math.min(count, ratchets[name] ?? count)
  writeFileSync(file, `${JSON.stringify(ratchets, null, 2)}\n`)
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}
