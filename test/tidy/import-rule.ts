import { posix } from 'node:path'
import ts from 'typescript'
import { type Finding, findNodes, roomOf, type Source } from './source.ts'

/** The rooms and packages that a room of `src` may import, besides itself. */
interface Room {
  readonly rooms: readonly string[]
  readonly packages: readonly string[]
  /** Whether it may import the modules of Node. */
  readonly node: boolean
}

const numeric = ['numeric']
const shape = [...numeric, 'shape']
const market = [...shape, 'market']
const engine = [...market, 'engine']
const api = [...engine, 'api']
const scenario = [...api, 'metrics', 'scenario']
const journal = [...scenario, 'journal']
const world = [...journal, 'client', 'world']
const pipeline = [...world, 'pipeline']
const server = [...pipeline, 'server']
const backtest = [...world, 'client', 'pages', 'backtest']
const every = [...new Set([...server, ...backtest, 'testing', 'cli'])]

/** The parts of hyparquet that read at once: its main entry is for files that come from afar. */
const parquet = [
  'hyparquet',
  ...['column', 'convert', 'plan', 'schema'].map((name) => `hyparquet/src/${name}.js`),
]

/** Imports point down only. */
export const rooms: ReadonlyMap<string, Room> = new Map([
  ['numeric', { rooms: [], packages: [], node: false }],
  ['pages', { rooms: numeric, packages: ['uplot'], node: false }],
  ['shape', { rooms: numeric, packages: ['typebox', 'ajv/dist/2020.js'], node: false }],
  ['market', { rooms: shape, packages: [], node: false }],
  ['engine', { rooms: market, packages: [], node: false }],
  ['api', { rooms: engine, packages: [], node: false }],
  ['metrics', { rooms: engine, packages: [], node: false }],
  ['scenario', { rooms: [...api, 'metrics'], packages: ['yaml'], node: false }],
  ['journal', { rooms: scenario, packages: [], node: true }],
  ['world', { rooms: [...journal, 'client'], packages: [], node: true }],
  ['pipeline', { rooms: world, packages: [], node: true }],
  ['server', { rooms: pipeline, packages: ['koa', '@koa/router', 'httpxy'], node: true }],
  ['client', { rooms: api, packages: ['@noble/hashes'], node: false }],
  [
    'backtest',
    {
      rooms: [...world, 'client', 'pages'],
      packages: ['piscina', 'bullmq', 'ioredis', 'hyparquet-writer', 'uplot'],
      node: true,
    },
  ],
  ['testing', { rooms: [...server, 'client'], packages: ['vitest'], node: true }],
  ['console', { rooms: [...api, 'client', 'pages'], packages: ['preact', 'uplot'], node: false }],
  [
    'cli',
    {
      rooms: every,
      packages: [
        'commander',
        'csv-parse/sync',
        ...parquet,
        'piscina',
        'adm-zip',
        'fast-xml-parser',
        'tap-parser',
      ],
      node: true,
    },
  ],
  ['index.ts', { rooms: every, packages: [], node: false }],
])

/** Refuses imports that point up or sideways, and packages that the room may not use. */
export function importRule(source: Source): readonly Finding[] {
  const name = roomOf(source.path)
  const room = rooms.get(name)
  if (room === undefined) return [{ path: source.path, line: 1, message: `src/${name} is no room` }]
  return findNodes(source, (node) => {
    const specifier = importedModule(node)
    return specifier === null ? null : problemOf(source.path, name, room, specifier)
  })
}

function problemOf(path: string, name: string, room: Room, specifier: string): string | null {
  if (specifier.startsWith('node:')) return room.node ? null : `${name} may not import ${specifier}`
  if (!specifier.startsWith('.')) {
    const isAllowed = room.packages.some(
      (allowed) => allowed === specifier || specifier.startsWith(`${allowed}/`),
    )
    return isAllowed ? null : `${name} may not import the package ${specifier}`
  }
  if (specifier.endsWith('/package.json'))
    return ['cli', 'server', 'testing', 'backtest'].includes(name) ? null : `${name} needs no version`
  const target = posix.join(posix.dirname(path), specifier)
  if (!target.startsWith('src/')) return `${specifier} is outside of src`
  const targetRoom = roomOf(target)
  if (targetRoom === name || room.rooms.includes(targetRoom)) return null
  return `${name} may not import ${targetRoom}: imports point down only`
}

/** What a static or dynamic import, a re-export, or an import type names. */
function importedModule(node: ts.Node): string | null {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return literalText(node.moduleSpecifier)
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    return literalText(node.argument.literal)
  if (ts.isCallExpression(node)) {
    const isImport =
      node.expression.kind === ts.SyntaxKind.ImportKeyword ||
      (ts.isIdentifier(node.expression) && node.expression.text === 'require')
    return isImport ? literalText(node.arguments[0]) : null
  }
  return null
}

function literalText(node: ts.Node | undefined): string | null {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : null
}
