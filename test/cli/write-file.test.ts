import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatSize, writeFile, writeNewFile } from '../../src/cli/files.ts'
import { programPath } from '../support/program-path.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { program, project } from './built-command.ts'
import { otcsim } from './harness.ts'

describe('a file that is written', () => {
  it('replaces the old file, keeps its mode, and leaves no temporary file', () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'a'), 'old')
    chmodSync(join(cwd, 'a'), 0o640)
    writeFile(cwd, 'a', 'new')
    expect(readFileSync(join(cwd, 'a'), 'utf8')).toBe('new')
    expect(statSync(join(cwd, 'a')).mode & 0o777).toBe(0o640)
    expect(readdirSync(cwd)).toEqual(['a'])
  })

  it('has its folders created', () => {
    const cwd = temporaryFolder()
    writeFile(cwd, 'b/c/ö d', 'text')
    expect(writeNewFile(cwd, 'e/f', 'text')).toBe(true)
    expect(readFileSync(join(cwd, 'b/c/ö d'), 'utf8')).toBe('text')
    expect(readdirSync(join(cwd, 'e'))).toEqual(['f'])
  })

  it('stays unchanged when it must be new', () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'a'), 'old')
    expect(writeNewFile(cwd, 'a', 'new')).toBe(false)
    expect(readFileSync(join(cwd, 'a'), 'utf8')).toBe('old')
    expect(readdirSync(cwd)).toEqual(['a'])
  })

  it('is written to the target of a link', () => {
    const cwd = temporaryFolder()
    mkdirSync(join(cwd, 'real'))
    writeFileSync(join(cwd, 'real/a'), 'old')
    for (const target of ['real/a', 'real/new']) {
      symlinkSync(target, join(cwd, 'link'))
      writeFile(cwd, 'link', 'new')
      expect(lstatSync(join(cwd, 'link')).isSymbolicLink()).toBe(true)
      expect(readFileSync(join(cwd, target), 'utf8')).toBe('new')
      rmSync(join(cwd, 'link'))
    }
    expect(readdirSync(cwd)).toEqual(['real'])
  })

  it('may be a device', () => {
    writeFile(temporaryFolder(), '/dev/null', 'text')
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
  })

  it('may not be a folder', () => {
    const cwd = temporaryFolder()
    mkdirSync(join(cwd, 'a'))
    expect(() => writeFile(cwd, 'a', 'text')).toThrow('cannot write a: it is a directory')
    expect(readdirSync(cwd)).toEqual(['a'])
  })
})

// A limit on the size of files stands for a full disk.
const onSmallDisk = (cwd: string, ...words: readonly string[]) =>
  spawnSync(
    programPath('sh'),
    ['-c', 'trap "" XFSZ; ulimit -f 4; exec "$0" "$@"', process.execPath, program, ...words],
    { cwd, encoding: 'utf8' },
  )

describe('a file that does not fit on a full disk leaves nothing behind', { tags: ['sh'] }, () => {
  it('by init', () => {
    const cwd = temporaryFolder()
    const ended = onSmallDisk(cwd, 'init')
    expect(ended).toMatchObject({ status: 2, stderr: expect.stringContaining('the file is too large') })
    expect(readdirSync(cwd, { recursive: true }).toSorted()).toEqual([
      'otcsim.config.yaml',
      'scenarios',
      'scenarios/first.yaml',
    ])
  })

  it('by a report, whose old file stays', async () => {
    const cwd = project()
    writeFileSync(join(cwd, 'r.html'), 'of yesterday')
    const ended = onSmallDisk(cwd, 'run', 'walk.yaml', '--html', 'r.html')
    expect(ended).toMatchObject({ status: 2, stderr: expect.stringContaining('cannot write r.html') })
    expect(readFileSync(join(cwd, 'r.html'), 'utf8')).toBe('of yesterday')
    expect(readdirSync(cwd).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })
})

it.each([
  ['a report', ['run', 'walk.yaml', '--allow-no-expectations', '--html', 'out/of/r.html'], 'out/of/r.html'],
  ['a plan', ['sweep', 'plan', 'holder.mjs', '-o', 'out/plan.json'], 'out/plan.json'],
  ['pictures', ['paths', 'walk.yaml', '--seeds', '1', '--html', 'out/p.html'], 'out/p.html'],
  [
    'a journal',
    ['backtest', 'holder.mjs', '--scenario', 'walk.yaml', '--to', '1m', '--journal', 'out/j'],
    'out/j',
  ],
])('creates the folders of %s', async (_, words, file) => {
  const cwd = project()
  const ended = await otcsim(words, { cwd })
  expect(ended.code).toBe(0)
  const size = formatSize(statSync(join(cwd, file)).size)
  expect(ended.err).toContain(`wrote ${file} (${size})\n`)
})

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1.0 KB'],
  [9_949, '9.9 KB'],
  [9_950, '10 KB'],
  [330_200, '330 KB'],
  [999_499, '999 KB'],
  [999_500, '1.0 MB'],
  [123_456_789, '123 MB'],
])('names the size of a file of %i bytes', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text)
})
