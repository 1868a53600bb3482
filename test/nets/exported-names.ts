import { join, relative } from 'node:path'
import ts from 'typescript'
import { repositoryRoot } from '../tidy/source.ts'

/** The entries of the package, by the names under which programs import them. */
const entries = {
  otcsim: 'src/index.ts',
  'otcsim/backtest': 'src/backtest/entry.ts',
  'otcsim/client': 'src/client/entry.ts',
  'otcsim/jest': 'src/testing/jest.ts',
  'otcsim/playwright': 'src/testing/playwright.ts',
  'otcsim/testing': 'src/testing/entry.ts',
  'otcsim/vitest': 'src/testing/vitest.ts',
} as const

/**
 * What each entry of the package exports, a line each: its kind, and the names of its members; `?` marks an optional one.
 * The compiler resolves them, so that it does not matter where or how a type is written.
 */
export function exportedNames(): readonly string[] {
  const paths = Object.values(entries).map((path) => join(repositoryRoot, path))
  const { config } = ts.readConfigFile(join(repositoryRoot, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(
    config,
    { ...ts.sys, readDirectory: () => [] },
    repositoryRoot,
  )
  const program = ts.createProgram(paths, options)
  const checker = program.getTypeChecker()
  return Object.entries(entries).flatMap(([name, path]) => {
    const file = program.getSourceFile(join(repositoryRoot, path))
    const module = file === undefined ? undefined : checker.getSymbolAtLocation(file)
    if (module === undefined) throw new Error(`${path} exports nothing`)
    return checker
      .getExportsOfModule(module)
      .map((symbol) => `${name} ${symbol.name}: ${describe(symbol, checker)}`)
      .toSorted()
  })
}

function describe(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const aim = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const isClass = (aim.flags & ts.SymbolFlags.Class) !== 0
  const isValue = (aim.flags & ts.SymbolFlags.Value) !== 0
  const type = isValue && !isClass ? checker.getTypeOfSymbol(aim) : checker.getDeclaredTypeOfSymbol(aim)
  const kind = isClass
    ? 'class'
    : !isValue
      ? 'type'
      : type.getCallSignatures().length > 0
        ? 'function'
        : 'value'
  const parameters = kind === 'function' ? `(${parameterNames(type)})` : ''
  const members = kind === 'function' ? [] : ownMembers(type, checker)
  const text = members.length === 0 && kind === 'type' ? textOf(type, checker) : members.join(' ')
  return `${kind}${parameters} ${text}`.trimEnd()
}

/** The compiler has the members of a union in the order in which it met them anywhere. */
const textOf = (type: ts.Type, checker: ts.TypeChecker): string =>
  type.isUnion()
    ? type.types
        .map((part) => checker.typeToString(part))
        .toSorted()
        .join(' | ')
    : checker.typeToString(type)

const parameterNames = (type: ts.Type): string =>
  (type.getCallSignatures()[0]?.parameters ?? [])
    .map(({ name }) => (name.startsWith('__') ? '{}' : name))
    .join(', ')

/** Those that our sources declare, and are not private. */
function ownMembers(type: ts.Type, checker: ts.TypeChecker): readonly string[] {
  const members = type.isUnion()
    ? type.types.flatMap((part) => part.getProperties())
    : checker.getPropertiesOfType(type)
  const names = members.flatMap((member) => {
    const declaration = member.declarations?.[0]
    if (declaration === undefined) return []
    const path = relative(repositoryRoot, declaration.getSourceFile().fileName)
    const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected
    if (
      !path.startsWith('src') ||
      member.name.startsWith('__#') ||
      member.name.startsWith('#') ||
      ts.getCombinedModifierFlags(declaration) & hidden
    )
      return []
    const name = member.name.replace(/^__@(\w+)@\d+$/, '[$1]')
    return [member.flags & ts.SymbolFlags.Optional ? `${name}?` : name]
  })
  return [...new Set(names)].toSorted()
}
