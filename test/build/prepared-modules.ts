import { join } from 'node:path'
import { endpoints } from '../../src/client/endpoints.ts'
import { generateScenarios } from './generate-scenarios.ts'
import { checkedSchemas, generateValidators } from './generate-validators.ts'

/** A bundler's plugin: replaces modules that do at run time, from sources, what a build can do in advance. */
export function preparedModules(root: string) {
  const generated: ReadonlyMap<string, () => string> = new Map([
    [join(root, 'src/shape/compiled-schemas.ts'), () => generateValidators(checkedSchemas())],
    [join(root, 'src/client/endpoints.ts'), () => `export const endpoints = ${JSON.stringify(endpoints)}`],
    [
      join(root, 'src/world/shipped/read-shipped.ts'),
      () => generateScenarios(join(root, 'src/scenario/load-tree.ts')),
    ],
  ])
  return {
    name: 'prepared-modules',
    load: (id: string) => {
      const generate = generated.get(id)
      return generate === undefined ? null : { code: generate(), moduleType: 'js' as const }
    },
  }
}

/**
 * A bundler's plugin: escapes all characters beyond ASCII, so that V8 stores a byte per character. It runs after the
 * minifier, which would undo the escapes.
 */
export function asciiOnly() {
  return {
    name: 'ascii-only',
    generateBundle: (_options: unknown, bundle: Readonly<Record<string, { code?: string }>>) => {
      for (const file of Object.values(bundle)) if (file.code !== undefined) file.code = escaped(file.code)
    },
  }
}

function escaped(code: string): string {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** A bundler's plugin: removes the import with which the command-line library could run other programs. */
export function withoutPrograms() {
  const nothing = '\0no-programs'
  return {
    name: 'without-programs',
    resolveId: (source: string, importer: string | undefined) =>
      source === 'node:child_process' && /[\\/]commander[\\/]/.test(importer ?? '') ? nothing : null,
    load: (id: string) =>
      id === nothing ? { code: 'module.exports = {}', moduleType: 'js' as const } : null,
  }
}
