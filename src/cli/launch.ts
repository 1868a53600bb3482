#!/usr/bin/env node
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { Script } from 'node:vm'
import type { start } from './main.ts'

/*
 * What `otcsim` runs in the bundle: it loads the command with the code that V8 compiled earlier. Compiling a megabyte
 * took as long as Node itself needs to start. A process that has run for half a second stores its code beside the
 * package, in `.otcsim/code`, unless it is there already. Where nothing can be written, or V8 refuses the stored code,
 * everything works without it.
 */

const load = createRequire(import.meta.url)
const here = dirname(load.resolve('./cli-main.cjs'))
const folder = join(here, '..', '.otcsim', 'code')
/** V8 itself recognises code of another version or other settings, but of our files it only knows the lengths. */
const build = textOf(join(here, 'cli-build-id.txt'))
const usual = load.extensions['.js']
const missing: { readonly script: Script; readonly path: string }[] = []

load.extensions['.cjs'] = (module, filename) => {
  const compiled = build === null || dirname(filename) !== here ? null : compile(filename, build)
  if (compiled === null) return usual?.(module, filename)
  const { exports } = module
  Reflect.apply(compiled, exports, [exports, createRequire(filename), module, filename, here])
}
const command: unknown = load('./cli-main.cjs')
if (isCommand(command)) command.start()
setTimeout(keep, 500).unref()

/** A file's code as the function that Node calls with a module's names; null when something unusual is found. */
function compile(filename: string, build: string): ((...names: unknown[]) => void) | null {
  const path = join(folder, `${build}-${process.versions.v8}-${process.arch}-${basename(filename)}`)
  try {
    const source = readFileSync(filename, 'latin1')
    // Stored code has forgotten how to import.
    if (source.includes('import(')) return null
    const text = `(function (exports, require, module, __filename, __dirname) {${source}\n})`
    const cachedData = bytesOf(path)
    const script = new Script(text, { filename, ...(cachedData === null ? {} : { cachedData }) })
    if (cachedData === null) missing.push({ script, path })
    const made: unknown = script.runInThisContext()
    return isFunction(made) ? made : null
  } catch {
    return null
  }
}

/** By now the compiled code contains what a start needs, and nothing that is only needed later. */
function keep(): void {
  if (missing.length === 0) return
  try {
    mkdirSync(folder, { recursive: true })
    for (const name of readdirSync(folder))
      if (build !== null && !name.startsWith(build)) rmSync(join(folder, name), { force: true })
    for (const { script, path } of missing) {
      const beside = `${path}.${process.pid}`
      try {
        writeFileSync(beside, script.createCachedData())
        renameSync(beside, path)
      } catch (error) {
        // On a full disk, a partly written file would stay until the next build.
        rmSync(beside, { force: true })
        throw error
      }
    }
  } catch {}
}

function bytesOf(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch {
    return null
  }
}

function textOf(path: string): string | null {
  return bytesOf(path)?.toString('latin1') ?? null
}

function isCommand(value: unknown): value is { readonly start: typeof start } {
  return typeof value === 'object' && value !== null && 'start' in value && isFunction(value.start)
}

function isFunction(value: unknown): value is (...names: unknown[]) => void {
  return typeof value === 'function'
}
