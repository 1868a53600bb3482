import { describe, expect, it } from 'vitest'
import { foreignObjectRule } from './foreign-objects.ts'
import { deadExports, folderCycles, importCycles } from './import-graph.ts'
import { importRule } from './import-rule.ts'
import { lockFileRule, machineNameRule } from './machine-names.ts'
import { exactMathRule, pureRoomRule } from './pure-rooms.ts'
import {
  barrelRule,
  castRule,
  commentRule,
  defaultExportRule,
  fileLengthRule,
  functionLengthRule,
  maximumFileLines,
  maximumFunctionLines,
  plainSyntaxRule,
} from './shape.ts'
import { parseSource, type Rule } from './source.ts'
import { programRule, regressionRule, testFileRule } from './test-files.ts'

/* Each rule on small samples: what it must refuse, and similar code that must pass. */

function lines(count: number): string {
  return 'let x\n'.repeat(count)
}

describe.each<[string, Rule, string, readonly string[], readonly string[]]>([
  [
    'objects of others',
    foreignObjectRule,
    'src/server/sample.ts',
    [
      "import { setFlagsFromString } from 'node:v8'",
      "import Module from 'node:module'; Module._load = load",
      "import { register } from 'node:module'",
      "require.extensions['.ts'] = load",
      'const { length } = socket._writableState',
      "response.emit('finish')",
      'socket.write = (bytes) => true',
      'request.push = function push() {}',
      'ctx.respond = false',
      'app.handleRequest(ctx, answer)',
      "Object.defineProperty(request, 'socket', { value: null })",
      'Object.getOwnPropertySymbols(socket)',
      "Reflect.get(socket, 'parser')",
      'IncomingMessage.prototype.read',
      "server.removeAllListeners('upgrade')",
      "socket.write('HTTP/1.1 204 No Content')",
    ],
    [
      "import { createRequire } from 'node:module'",
      'this._held = 1',
      'state.sink.emit(eventType.trade, 1)',
      'if (prototype === Object.prototype) {}',
      "server.on('clientError', answer)",
      'ctx.body = text',
      'button.onclick = () => undefined',
      "const name = 'HTTP/1.1'",
    ],
  ],
  [
    'imports',
    importRule,
    'src/engine/sample.ts',
    [
      "import { x } from '../api/x.ts'",
      "import type { X } from '../world/x.ts'",
      "export { x } from '../server/x.ts'",
      "const x = await import('../cli/x.ts')",
      "type X = import('../scenario/x.ts').X",
      "const x = require('../world/x.ts')",
      "import { readFileSync } from 'node:fs'",
      "import Koa from 'koa'",
      "import seedrandom from 'seedrandom'",
      "import { x } from '../../test/x.ts'",
    ],
    [
      "import { x } from './x.ts'",
      "import { x } from '../engine/x.ts'",
      "import { x } from '../market/x.ts'",
      "import type { X } from '../numeric/x.ts'",
      "const text = 'node:fs'",
    ],
  ],
  [
    'imports of the lowest room',
    importRule,
    'src/numeric/sample.ts',
    ["import alea from 'seedrandom/lib/alea.js'", "import { x } from '../market/x.ts'"],
    ["import { x } from './x.ts'"],
  ],
  [
    'imports of the server',
    importRule,
    'src/server/x.ts',
    ["import 'commander'", "import '../cli/x.ts'"],
    ["import 'koa'", "import 'node:net'", "import '../world/x.ts'"],
  ],
  ['rooms', importRule, 'src/attic/sample.ts', ['let x'], []],
  [
    'pure rooms',
    pureRoomRule,
    'src/engine/sample.ts',
    [
      'const now = Date.now()',
      'const now = new Date()',
      'const make = Date',
      'setTimeout(run, 1)',
      'console.log(1)',
      'const { env } = process',
      'new Intl.NumberFormat()',
      'async function run() {}',
      'const run = async () => 1',
      'for (const key in row) use(key)',
      'names.sort((a, b) => a.localeCompare(b))',
      'price.toLocaleString()',
      "name.normalize('NFC')",
      'const bytes = Buffer.from(text)',
      'const clock = { now: performance }',
    ],
    [
      'interface Row { Date: number }',
      'const row = { process: 1 }',
      'row.process',
      'const text = "Date.now()" // not Date.now()',
      'for (const key of keys) use(key)',
      'function console2() {}',
      'function step(process: Walk) { return process.next() }',
    ],
  ],
  ['impure rooms', pureRoomRule, 'src/world/sample.ts', [], ['const now = Date.now()']],
  [
    'portable maths',
    exactMathRule,
    'src/market/sample.ts',
    [
      'Math.exp(1)',
      'const { log } = Math',
      "Math['pow'](2, 3)",
      'x ** 2',
      'x **= 2',
      'Math.hypot(1, 2)',
      'Math.random()',
    ],
    [
      'Math.floor(1)',
      'Math.sqrt(2)',
      'Math.imul(3, 4)',
      'row.Math',
      'x * x',
      '10n ** y',
      'y ** BigInt(x)',
      'const text = "x ** 2"',
    ],
  ],
  ['maths of other rooms', exactMathRule, 'src/cli/sample.ts', ['Math.pow(2, 3)'], ['Math.random()']],
  [
    'file length',
    fileLengthRule,
    'src/cli/sample.ts',
    [lines(maximumFileLines + 1)],
    [lines(maximumFileLines)],
  ],
  [
    'function length',
    functionLengthRule,
    'src/cli/sample.ts',
    [
      `function run() {\n${lines(maximumFunctionLines - 1)}}`,
      `const run = () => {\n${lines(maximumFunctionLines - 1)}}`,
      `class Run {\n  go() {\n${lines(maximumFunctionLines - 1)}}\n}`,
    ],
    [`function run() {\n${lines(maximumFunctionLines - 2)}}`, lines(maximumFunctionLines * 2)],
  ],
  [
    'default exports',
    defaultExportRule,
    'src/cli/sample.ts',
    ['export default 1', 'export default function run() {}', 'export default class Run {}'],
    ['export const x = 1', 'switch (x) { default: }', "import Koa from 'koa'"],
  ],
  [
    'casts',
    castRule,
    'src/cli/sample.ts',
    ['const x = y as number', 'const x = <number>y', 'const x = y!', 'const x = y as unknown as string'],
    [
      'const x = [1] as const',
      "import { x as y } from './x.ts'",
      'const x = y satisfies number',
      'const x = !y',
    ],
  ],
  ['casts where they are allowed', castRule, 'src/numeric/units.ts', [], ['const x = y as number']],
  [
    'barrels',
    barrelRule,
    'src/engine/index.ts',
    ["export { x } from './x.ts'", "export * from './x.ts'", "export type { X } from './x.ts'"],
    ['export { x }', 'export const x = 1'],
  ],
  ['the public entry', barrelRule, 'src/index.ts', [], ["export { x } from './x.ts'"]],
  [
    'comments',
    commentRule,
    'src/cli/sample.ts',
    [
      '// @ts-ignore',
      '// @ts-expect-error wrong',
      '// biome-ignore lint: no',
      '// TODO: later',
      '/* FIXME */',
    ],
    ['// what is due', 'const todos = 1'],
  ],
  [
    'plain syntax',
    plainSyntaxRule,
    'src/cli/sample.ts',
    ['enum Side { buy }', 'let x: any'],
    ['const any = 1', "type Side = 'buy'"],
  ],
  [
    'test files',
    testFileRule,
    'test/cli/sample.test.ts',
    [
      "it.skip('runs', run)",
      "describe.only('runs', run)",
      "test.todo('runs')",
      "it.skipIf(x)('runs', run)",
      "it.each([1]).only('runs', run)",
      "it('runs', (context) => context.skip('no pandas'))",
      "it('runs', ({ skip }) => skip(!isBuilt))",
      "vi.mock('../x.ts')",
      'expect(x).toBeDefined()',
      'expect(x).not.toBeTruthy()',
    ],
    ["it('runs', run)", "it.each([1])('runs', run)", 'world.skip(1)', 'expect(x).toBe(1)'],
  ],
  [
    'programs',
    programRule,
    'test/cli/sample.test.ts',
    ["spawnSync('rm', [path])", "await promisify(execFile)('curl', [url])", 'execSync(`git status`)'],
    [
      'spawn(process.execPath, [])',
      "execFileSync(programPath('git'), [])",
      "execFileSync('npm', [])",
      "run('a')",
    ],
  ],
  [
    'regressions',
    regressionRule,
    'test/regressions/sample.test.ts',
    ['', "import { it } from 'vitest'", '// Room: attic\n'],
    ['// Room: engine\n'],
  ],
])('the rule on %s', (_title, rule, path, refused, passed) => {
  it.each(refused.map((text) => [text]))('refuses %j', (text) => {
    expect(rule(parseSource(path, text)).length).toBeGreaterThan(0)
  })

  it.each(passed.map((text) => [text]))('passes %j', (text) => {
    expect(rule(parseSource(path, text))).toEqual([])
  })
})

describe('the rule on machine names', () => {
  it.each(['see /home/alice/notes', 'cd /workspace/otcsim', 'C:\\Users\\alice'])('refuses %j', (text) => {
    expect(machineNameRule({ path: 'README.md', text: `first\n${text}` })).toMatchObject([{ line: 2 }])
  })

  it.each(['GET /api/home', 'http://127.0.0.1:4010', 'src/work/x.ts'])('passes %j', (text) => {
    expect(machineNameRule({ path: 'README.md', text })).toEqual([])
  })
})

describe('the rule on the lock file', () => {
  it('refuses download addresses', () => {
    const text = '"resolved": "https://mirror.example/koa.tgz"'
    expect(lockFileRule({ path: 'package-lock.json', text })).toHaveLength(1)
  })

  it('passes packages without one', () => {
    const text = '"node_modules/koa": { "version": "3.3.0" }'
    expect(lockFileRule({ path: 'package-lock.json', text })).toEqual([])
  })
})

describe('the import graph', () => {
  const files = (texts: Readonly<Record<string, string>>) =>
    Object.entries(texts).map(([name, text]) => parseSource(`src/engine/${name}.ts`, text))

  it('refuses files that import each other', () => {
    const circle = files({
      a: "import { b } from './b.ts'",
      b: "export * from './c.ts'",
      c: "import { a } from './a.ts'",
    })
    expect(importCycles(circle)).toHaveLength(1)
  })

  it('refuses types of each other', () => {
    const circle = files({
      a: "import { b } from './b.ts'",
      b: "import type { A } from './a.ts'",
    })
    expect(importCycles(circle)).toHaveLength(1)
  })

  it('refuses a circle that is closed by loading on demand', () => {
    const circle = files({
      a: "import { b } from './b.ts'",
      b: "const load = () => import('./a.ts')",
    })
    expect(importCycles(circle)).toHaveLength(1)
  })

  it('passes two paths to one file', () => {
    const fine = files({
      a: "import { b } from './b.ts'\nimport { c } from './c.ts'",
      b: "const load = () => import('./c.ts')",
      c: 'export const c = 1',
    })
    expect(importCycles(fine)).toEqual([])
  })

  it('refuses folders of a room that import each other', () => {
    const both = files({
      'book/a': "import { b } from '../tables/b.ts'",
      'tables/b': 'export const b = 1',
      'tables/c': "import type { D } from '../book/deep/d.ts'",
      'book/deep/d': 'export type D = 1',
    })
    expect(folderCycles(both)).toHaveLength(1)
  })

  it('refuses folders within a folder that import each other', () => {
    const both = files({
      'book/old/a': "import { b } from '../new/b.ts'",
      'book/new/b': 'export const b = 1',
      'book/new/c': "import { d } from '../old/d.ts'",
      'book/old/d': 'export const d = 1',
    })
    expect(folderCycles(both)).toHaveLength(1)
  })

  it('refuses a folder and a file beside it that import each other', () => {
    const both = files({
      'book/a': "import { codes } from '../codes.ts'",
      'book/b': 'export const b = 1',
      codes: "import type { B } from './book/b.ts'",
    })
    expect(folderCycles(both)).toHaveLength(1)
  })

  it('passes folders that import each other in one direction, and the files beside them', () => {
    const fine = files({
      'book/a': "import { b } from '../tables/b.ts'\nimport { codes } from '../codes.ts'",
      'tables/b': "import { codes } from '../codes.ts'\nimport { own } from './own.ts'",
      codes: "import type { X } from '../market/x.ts'",
    })
    expect(folderCycles(fine)).toEqual([])
  })

  it('refuses values that nobody imports', () => {
    const sources = files({
      a: 'export const x = 1\nexport function y() {}',
      b: "import { x } from './a.ts'",
    })
    expect(deadExports(sources, [], [])).toMatchObject([{ path: 'src/engine/a.ts', line: 2 }])
  })

  it('passes values that a file, an entry or a dynamic import uses, and types', () => {
    const sources = files({
      a: 'export const x = 1\nexport class Y {}\nexport interface Z {}',
      b: "import { x as y } from './a.ts'",
      c: 'export const late = 1',
      d: "const load = () => import('./c.ts')",
    })
    const program = parseSource('test/bench/a.ts', "import { Y } from '../../src/engine/a.ts'")
    expect(deadExports(sources, [program], [])).toEqual([])
  })

  it('refuses exports only for tests, and passes those that the sources use, too', () => {
    const sources = files({ a: 'export const x = 1\nexport const y = 2\nuse(y)' })
    const test = parseSource('test/engine/a.test.ts', "import { x, y } from '../../src/engine/a.ts'")
    expect(deadExports(sources, [], [test])).toMatchObject([{ path: 'src/engine/a.ts', line: 1 }])
  })
})
