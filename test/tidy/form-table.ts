import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { countedFiles, type Figure, formFigures, linesIn } from './form.ts'
import { parseSource, readTexts, repositoryRoot, roomOf, type TextFile } from './source.ts'

/*
 * Prints the form of the sources as a Markdown table beside the ratchets that `form.test.ts` holds. With a part of a
 * figure's name, prints the places that this figure counts; with `--since COMMIT`, the figures, the rooms and the
 * longest files beside those of that commit; with `--tighten`, lowers every ratchet to what is counted.
 */
const file = new URL('ratchets.json', import.meta.url)
const ratchets: Record<string, number> = JSON.parse(readFileSync(file, 'utf8'))
const texts = readTexts('src', countedFiles)
const [word, commit] = process.argv.slice(2)

if (word === '--tighten') tighten(figuresOf(texts))
else if (word === '--since' && commit !== undefined) print(sinceTables(textsAt(commit), commit))
else if (word === undefined) print(table(figuresOf(texts)))
else
  print(
    figuresOf(texts)
      .filter(({ name }) => name.includes(word))
      .flatMap(({ name, places }) => [`${name}:`, ...places]),
  )

function figuresOf(files: readonly TextFile[]): readonly Figure[] {
  const isCode = ({ path }: TextFile): boolean => /\.tsx?$/.test(path)
  const sources = files.filter(isCode).map(({ path, text }) => parseSource(path, text))
  return formFigures(
    sources,
    files.filter((one) => !isCode(one)),
  )
}

function table(rows: readonly Figure[]): readonly string[] {
  const lines = rows.map(({ name, count }) => `| ${name} | ${count} | ${ratchets[name] ?? '-'} |`)
  return ['| figure | count | ratchet |', '|---|---:|---:|', ...lines]
}

function sinceTables(before: readonly TextFile[], since: string): readonly string[] {
  const head = (what: string) => ['', `| ${what} | ${since} | now |`, '|---|---:|---:|']
  const then = new Map(figuresOf(before).map(({ name, count }) => [name, count]))
  const figures = figuresOf(texts).map(
    ({ name, count }) => `| ${name} | ${then.get(name) ?? '-'} | ${count} |`,
  )
  const [roomsThen, roomsNow] = [linesBy(before), linesBy(texts)]
  const rooms = [...new Set([...roomsNow.keys(), ...roomsThen.keys()])].map(
    (room) => `| ${room} | ${roomsThen.get(room) ?? '-'} | ${roomsNow.get(room) ?? '-'} |`,
  )
  const [longestThen, longestNow] = [longest(before), longest(texts)]
  const longFiles = longestNow.map(
    (text, place) => `| ${place + 1} | ${longestThen[place] ?? '-'} | ${text} |`,
  )
  return [
    ...head('figure'),
    ...figures,
    ...head('lines of room'),
    ...rooms,
    ...head('longest files'),
    ...longFiles,
  ]
}

function linesBy(files: readonly TextFile[]): ReadonlyMap<string, number> {
  const lines = new Map<string, number>()
  for (const { path, text } of files)
    if (!path.endsWith('.md')) lines.set(roomOf(path), (lines.get(roomOf(path)) ?? 0) + linesIn(text))
  return lines
}

function longest(files: readonly TextFile[]): readonly string[] {
  const counted = files.map(({ path, text }) => ({ path, lines: linesIn(text) }))
  const sorted = counted.toSorted((left, right) => right.lines - left.lines)
  return sorted.slice(0, 10).map(({ path, lines }) => `${path} ${lines}`)
}

/** The files of `src` as a commit has them, from git's own store. */
function textsAt(since: string): readonly TextFile[] {
  const git = (words: readonly string[], input = ''): Buffer =>
    execFileSync('git', words, { cwd: repositoryRoot, input, maxBuffer: 1e9 })
  const listed = String(git(['ls-tree', '-r', '-z', '--name-only', since, 'src'])).split('\0')
  const paths = listed.filter((path) => countedFiles.test(path))
  const bytes = git(['cat-file', '--batch'], paths.map((path) => `${since}:${path}\n`).join(''))
  let offset = 0
  return paths.map((path) => {
    // Each file comes after a line that ends in its size, and before an empty one.
    const start = bytes.indexOf('\n', offset) + 1
    const size = Number(String(bytes.subarray(offset, start)).trim().split(' ').at(-1))
    offset = start + size + 1
    return { path, text: bytes.toString('utf8', start, start + size) }
  })
}

function tighten(rows: readonly Figure[]): void {
  for (const { name, count } of rows)
    if (Object.hasOwn(ratchets, name)) ratchets[name] = Math.min(count, ratchets[name] ?? count)
  writeFileSync(file, `${JSON.stringify(ratchets, null, 2)}\n`)
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n').trimStart()}\n`)
}
