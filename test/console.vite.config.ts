import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { englishPlots } from './build/english-plots.ts'
import { preparedForms } from './build/prepared-forms.ts'

/*
 * Builds the console into dist/console: a page, its script, its style sheet, and the theme script in the head of every
 * page. `npx vite --config test/console.vite.config.ts` serves it during development, in front of a venue at the default
 * port.
 */

const root = fileURLToPath(new URL('..', import.meta.url))

export default defineConfig({
  root: join(root, 'src/console'),
  base: './',
  publicDir: false,
  logLevel: 'warn',
  // Stated here too, because Vite does not find the tsconfig.json of a path with a `#` in it.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  server: { proxy: { '/__admin': 'http://127.0.0.1:4010' } },
  build: {
    outDir: join(root, 'dist/console'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    reportCompressedSize: false,
    rollupOptions: {
      input: { console: join(root, 'src/console/index.html'), theme: join(root, 'src/console/theme.ts') },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        assetFileNames: 'console[extname]',
      },
    },
  },
  plugins: [consoleFiles(), englishPlots(), preparedForms()],
})

/** The other files of the page, under fixed names: the icon of the docs, and the licences of what is bundled. */
function consoleFiles(): Plugin {
  return {
    name: 'console-files',
    // Not a module script, because it must run before the first paint.
    transformIndexHtml: (_html, { server }) => [
      {
        tag: 'script',
        attrs: server === undefined ? { src: './theme.js' } : { type: 'module', src: '/theme.ts' },
        injectTo: 'head' as const,
      },
    ],
    generateBundle(_options, bundle) {
      // Wrapped in a function, so that its variables are not globals.
      const theme = bundle['theme.js']
      if (theme?.type === 'chunk') theme.code = `(()=>{${theme.code.trim()}})()\n`
      const licence = (name: string) =>
        readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8').trim()
      const source = ['preact', 'uplot', '@noble/hashes']
        .map((name) => `${name}\n\n${licence(name)}\n`)
        .join(`\n${'-'.repeat(80)}\n`)
      this.emitFile({ type: 'asset', fileName: 'third-party-licences.txt', source })
      const icon = readFileSync(join(root, 'src/console/docs/icon.svg'), 'utf8')
      this.emitFile({ type: 'asset', fileName: 'icon.svg', source: icon })
    },
  }
}
