import { join } from 'node:path'
import { generateScenarios } from './generate-scenarios.ts'
import { generateValidators, schemasOfCallers } from './generate-validators.ts'

/** A bundler's plugin: modules that do at run time, from sources, what a build can do beforehand. */
export function preparedModules(root: string) {
  const generated: ReadonlyMap<string, () => string> = new Map([
    [join(root, 'src/api/input/compiled-schemas.ts'), () => generateValidators(schemasOfCallers())],
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

/** A bundler's plugin: with ASCII alone, a file is read and kept at a byte a character. The minifier takes escapes out again. */
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

/** A bundler's plugin: the command line's library could run other programs, and would load what for. */
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
