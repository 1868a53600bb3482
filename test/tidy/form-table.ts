import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { followOrder, mostOrderFiles, orderRemedy } from './follow-order.ts'
import { countedFiles, type Figure, formFigures, linesIn } from './form.ts'
import { glossaryPath } from './glossary.ts'
import { parseSource, readTexts, repositoryRoot, roomOf, type TextFile } from './source.ts'

/*
 * Prints the form of the sources as a Markdown table beside the limits that `repository.test.ts` holds. With a part of a
 * figure's name, prints the places that this figure counts; with `--since COMMIT`, the figures, the rooms and the
 * longest files beside those of that commit.
 */
const texts = readTexts('src', countedFiles)
const now = countFigures(texts, readFileSync(join(repositoryRoot, 'package.json'), 'utf8'))
const [word, commit] = process.argv.slice(2)

if (word === '--since' && commit !== undefined) print(compareWith(commit))
else if (word === undefined) print(table([...now, countOrderFiles()]))
else
  print(
    [...now, countOrderFiles()]
      .filter(({ name }) => name.includes(word))
      .flatMap(({ name, places }) => [`${name}:`, ...places]),
  )

function countFigures(files: readonly TextFile[], manifest: string): readonly Figure[] {
  const sources = files.filter(({ path }) => /\.tsx?$/.test(path))
  return formFigures(
    sources.map(({ path, text }) => parseSource(path, text)),
    {
      styles: files.filter(({ path }) => path.endsWith('.css')),
      glossary: files.find(({ path }) => path === glossaryPath)?.text ?? '',
      scripts: Object.keys(JSON.parse(manifest).scripts),
    },
  )
}

function countOrderFiles(): Figure {
  const { files } = followOrder()
  return {
    ...{ name: 'files that an order passes', count: files.length, places: files },
    ...{ limit: mostOrderFiles, remedy: orderRemedy },
  }
}

function table(rows: readonly Figure[]): readonly string[] {
  const lines = rows.map(({ name, count, limit }) => `| ${name} | ${count} | ${limit ?? '-'} |`)
  return ['| figure | count | limit |', '|---|---:|---:|', ...lines]
}

function compareWith(since: string): readonly string[] {
  const before = textsAt(since)
  const manifest = execFileSync('git', ['show', `${since}:package.json`], {
    cwd: repositoryRoot,
    encoding: 'utf8',
  })
  const head = (what: string) => ['', `| ${what} | ${since} | now |`, '|---|---:|---:|']
  const then = new Map(countFigures(before, manifest).map(({ name, count }) => [name, count]))
  const figures = now.map(({ name, count }) => `| ${name} | ${then.get(name) ?? '-'} | ${count} |`)
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

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n').trimStart()}\n`)
}
