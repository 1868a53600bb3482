import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type UserConfig } from 'tsdown'
import { extractGuide, guides } from '../src/cli/guides.ts'
import { englishPlots } from './build/english-plots.ts'
import { guidesPage } from './build/guides-page.ts'
import { plainRecords } from './build/plain-records.ts'
import { asciiOnly, preparedModules, withoutPrograms } from './build/prepared-modules.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const shared: UserConfig = {
  cwd: root,
  platform: 'node',
  target: 'node20.19',
  report: false,
  checks: { pluginTimings: false },
}

export default defineConfig([
  {
    ...shared,
    entry: {
      index: 'src/index.ts',
      client: 'src/client/entry.ts',
      backtest: 'src/backtest/entry.ts',
      testing: 'src/testing/entry.ts',
      vitest: 'src/testing/vitest.ts',
      jest: 'src/testing/jest.ts',
      playwright: 'src/testing/playwright.ts',
    },
    format: ['esm', 'cjs'],
    fixedExtension: false,
    dts: true,
    // What `await using` goes by, for users whose own settings do not have it.
    banner: { dts: '/// <reference lib="esnext.disposable" />' },
    shims: true,
    plugins: [preparedModules(root)],
    // Not among the plugins, because those are not asked for the declarations of CommonJS.
    inputOptions: (options) => ({ ...options, plugins: [plainRecords(root), options.plugins] }),
  },
  {
    ...shared,
    // All that it needs, in a few files: finding and reading hundreds of modules would be most of the time to start.
    // Each command's own part is read when it is called. Comments and long names go: they would be read, too.
    entry: {
      cli: 'src/cli/launch.ts',
      'cli-main': 'src/cli/main.ts',
      'run-worker': 'src/cli/run/run-worker.ts',
      'sweep-task': 'src/cli/sweep/sweep-task.ts',
      'sweep-thread': 'src/backtest/sweep/sweep-thread.ts',
    },
    minify: true,
    format: 'cjs',
    dts: false,
    clean: false,
    shims: true,
    // Threads, queues and TypeScript are loaded when they are asked for, from where they are installed.
    deps: {
      alwaysBundle: [/.*/],
      neverBundle: [/^(?:piscina|bullmq|ioredis|tsx)(?:\/|$)/],
      onlyBundle: false,
    },
    outputOptions: {
      chunkFileNames: 'cli-[name].cjs',
      comments: false,
      codeSplitting: { groups: startChunks() },
    },
    plugins: [
      preparedModules(root),
      withoutMimeTypes(),
      withoutPrograms(),
      asciiOnly(),
      thirdPartyLicences(),
    ],
  },
  {
    ...shared,
    // The docs page: our script as one classic file, and beside it all else that the page loads.
    entry: { docs: 'src/console/docs/main.ts' },
    outDir: 'dist/docs',
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    dts: false,
    clean: false,
    outputOptions: { entryFileNames: '[name].js', comments: false },
    plugins: [docsPageFiles()],
  },
  {
    ...shared,
    // The page of guides: its search, and the readmes of the rooms as one page and as texts.
    entry: { guides: 'src/console/guides/main.ts' },
    outDir: 'dist/guides',
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    dts: false,
    clean: false,
    minify: true,
    outputOptions: { entryFileNames: '[name].js' },
    plugins: [guidesPageFiles()],
  },
  ...['dist/docs', 'dist/guides'].map(
    (outDir): UserConfig => ({
      ...shared,
      // What every page of the server has in its head; the console's build has its own.
      entry: { theme: 'src/console/theme.ts' },
      outDir,
      platform: 'browser',
      format: 'iife',
      target: 'es2022',
      dts: false,
      clean: false,
      minify: true,
      outputOptions: { entryFileNames: '[name].js' },
    }),
  ),
  {
    ...shared,
    // What reports have inlined: our script with uPlot as one classic file, and uPlot's style.
    entry: { report: 'src/backtest/report/page/main.ts' },
    outDir: 'dist/report',
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    dts: false,
    clean: false,
    minify: true,
    outputOptions: { entryFileNames: '[name].js' },
    plugins: [reportFiles(), englishPlots()],
  },
])

/** uPlot goes with its licence. */
function reportFiles() {
  const folder = join(root, 'node_modules/uplot')
  return {
    name: 'report-files',
    generateBundle(this: {
      emitFile(file: { readonly type: 'asset'; readonly fileName: string; readonly source: string }): string
    }) {
      const style = {
        fileName: 'uPlot.min.css',
        source: readFileSync(join(folder, 'dist/uPlot.min.css'), 'utf8'),
      }
      this.emitFile({ type: 'asset', ...style })
      this.emitFile({ type: 'asset', fileName: 'uplot-licence.txt', source: licenceOf(folder) })
    },
  }
}

/** The colours of all pages, and the head of those that are documents. */
const sharedStyle = ['tokens.css', 'head.css']
  .map((name) => readFileSync(join(root, 'src/console/style', name), 'utf8'))
  .join('')

function guidesPageFiles() {
  return {
    name: 'guides-page-files',
    generateBundle(this: {
      emitFile(file: { readonly type: 'asset'; readonly fileName: string; readonly source: string }): string
    }) {
      const emit = (fileName: string, source: string) => this.emitFile({ type: 'asset', fileName, source })
      emit('index.html', guidesPage(root))
      emit('front.html', readFileSync(join(root, 'src/console/guides/front.html'), 'utf8'))
      emit('guides.css', sharedStyle + readFileSync(join(root, 'src/console/guides/guides.css'), 'utf8'))
      emit('icon.svg', readFileSync(join(root, 'src/console/docs/icon.svg'), 'utf8'))
      for (const { topic, file } of guides)
        emit(`${topic}.md`, extractGuide(readFileSync(join(root, file), 'utf8'), topic))
    },
  }
}

/** Swagger UI goes with its licence, and with those of what is inside it. */
function docsPageFiles() {
  const ours = ['index.html', 'docs.css', 'icon.svg'].map((name) => join('src/console/docs', name))
  const theirs = ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt']
  const files = [...ours, ...theirs.map((name) => join('node_modules/swagger-ui-dist', name))]
  return {
    name: 'docs-page-files',
    generateBundle(this: {
      emitFile(file: { readonly type: 'asset'; readonly fileName: string; readonly source: string }): string
    }) {
      const emit = (fileName: string, source: string) => this.emitFile({ type: 'asset', fileName, source })
      for (const file of files) {
        // What maps the code back to its sources is not shipped, so nothing may ask for it.
        const text = readFileSync(join(root, file), 'utf8').replace(
          /\n?\/[/*]# sourceMappingURL=\S+(?: \*\/)?\s*$/,
          '\n',
        )
        emit(basename(file), basename(file) === 'docs.css' ? sharedStyle + text : text)
      }
      const swagger = join(root, 'node_modules/swagger-ui-dist')
      emit('swagger-ui-licence.txt', licenceOf(swagger) + readFileSync(join(swagger, 'NOTICE'), 'utf8'))
    },
  }
}

/**
 * All that `serve` needs in two files, and all that every command needs in another: as many small ones as commands share
 * took a third of the time from start to the first answer, only to be found and read. What a backtest needs, too, is a
 * file of its own: a run would compile Koa and the admin API otherwise, and never call them.
 */
function startChunks() {
  const group = (name: string, paths: readonly string[], priority: number) => {
    let needed: readonly ReadonlySet<string>[] | null = null
    return {
      priority,
      name: (id: string, graph: ModuleGraph) => {
        needed ??= paths.map((path) => closureOf(path, graph))
        return needed.every((closure) => closure.has(id)) ? name : null
      },
    }
  }
  // It calls `eval`, and in a file with that no name can be made shorter. And it asks at once for the line that each of
  // the others calls it from, which takes V8 long in a large file.
  const depd = {
    name: 'depd',
    test: /[\\/]node_modules[\\/](?:depd|http-errors|cookies)[\\/]/,
    priority: 4,
  }
  const serve = 'src/cli/serve/serve.ts'
  return [
    depd,
    group('start', ['src/cli/main.ts'], 3),
    group('world', [serve, 'src/cli/backtest/backtest.ts'], 2),
    group('venue', [serve], 1),
  ]
}

interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/** A module of ours with all that it imports at once, and not only when it is called. */
function closureOf(path: string, graph: ModuleGraph): ReadonlySet<string> {
  const found = new Set([join(root, path)])
  for (const id of found)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}

/** Koa brings two tables of all media types, a fifth of the file. We name our few ourselves and never ask them. */
function withoutMimeTypes() {
  return {
    name: 'without-mime-types',
    load: (id: string) => (/[\\/]mime-db[\\/]db\.json$/.test(id) ? { code: '{}' } : null),
  }
}

/** What writes validators, and what it takes along: their code is within a module that the build makes. */
const copiedPackages: readonly string[] = ['ajv', 'fast-deep-equal']

/** The licences of all that is bundled go with the bundle, as they ask. */
function thirdPartyLicences() {
  return {
    name: 'third-party-licences',
    generateBundle(this: {
      getModuleIds(): Iterable<string>
      emitFile(file: { readonly type: 'asset'; readonly fileName: string; readonly source: string }): string
    }) {
      const packages = new Set<string>(copiedPackages.map((name) => join(root, 'node_modules', name)))
      for (const id of this.getModuleIds()) {
        const folder = packageFolder(id)
        if (folder !== null) packages.add(folder)
      }
      const source = [...packages].sort().map(licenceOf).join('\n')
      this.emitFile({ type: 'asset', fileName: 'third-party-licences.txt', source })
    },
  }
}

/** The folder of the installed package that a module belongs to; null for our own modules. */
function packageFolder(id: string): string | null {
  const at = id.lastIndexOf('node_modules')
  if (at < 0 || !id.startsWith(root)) return null
  let folder = dirname(id)
  while (!existsSync(join(folder, 'package.json')) || !isNamed(folder)) folder = dirname(folder)
  return folder
}

/** Some packages have nameless package.json files inside, to say which kind of module is in a folder. */
function isNamed(folder: string): boolean {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return name !== undefined && version !== undefined
}

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim()
  return `${name} ${version} (${license})\n\n${text}\n\n${'-'.repeat(80)}\n`
}
