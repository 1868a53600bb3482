import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'

/*
 * The console: one page, one script, one style, and the script that all pages have in their heads, into dist/console. `npx vite --config test/console.vite.config.ts` shows it
 * while it is being written, over a venue at its usual port.
 */

const root = fileURLToPath(new URL('..', import.meta.url))

export default defineConfig({
  root: join(root, 'src/console'),
  base: './',
  publicDir: false,
  logLevel: 'warn',
  server: { proxy: { '/__admin': 'http://127.0.0.1:4010' } },
  build: {
    outDir: join(root, 'dist/console'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    reportCompressedSize: false,
    rollupOptions: {
      input: { console: join(root, 'src/console/index.html'), theme: join(root, 'src/console/theme.ts') },
      output: { entryFileNames: '[name].js', assetFileNames: 'console[extname]' },
    },
  },
  plugins: [consoleFiles()],
})

/** What the page needs besides, under names that stay: the icon that the docs have, and the licences of what is inside. */
function consoleFiles(): Plugin {
  return {
    name: 'console-files',
    // Not a module: it has to have run before anything is painted.
    transformIndexHtml: (_html, { server }) => [
      {
        tag: 'script',
        attrs: server === undefined ? { src: './theme.js' } : { type: 'module', src: '/theme.ts' },
        injectTo: 'head' as const,
      },
    ],
    generateBundle(_options, bundle) {
      // Its names are its own, as a module's are.
      const theme = bundle['theme.js']
      if (theme?.type === 'chunk') theme.code = `(()=>{${theme.code.trim()}})()\n`
      const licence = (name: string) =>
        readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8').trim()
      const source = ['preact', 'uplot']
        .map((name) => `${name}\n\n${licence(name)}\n`)
        .join(`\n${'-'.repeat(80)}\n`)
      this.emitFile({ type: 'asset', fileName: 'third-party-licences.txt', source })
      const icon = readFileSync(join(root, 'src/server/pages/docs/icon.svg'), 'utf8')
      this.emitFile({ type: 'asset', fileName: 'icon.svg', source: icon })
    },
  }
}
