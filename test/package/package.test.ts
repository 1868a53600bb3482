import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

/* The package as its users get it: packed with `npm pack`, and installed in a project. Needs `npm run build`. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const consumer = mkdtempSync(join(tmpdir(), 'otcsim-consumer-'))
const installed = join(consumer, 'node_modules', 'otcsim')

function node(...words: readonly string[]): string {
  return execFileSync(process.execPath, words, { cwd: consumer, encoding: 'utf8' })
}

beforeAll(() => {
  mkdirSync(installed, { recursive: true })
  for (const name of ['package.json', ...manifest.files]) {
    cpSync(join(root, name), join(installed, name), { recursive: true })
  }
})
afterAll(() => rmSync(consumer, { recursive: true, force: true }))

it('packs the built files, the scenarios and the licence, and nothing else', () => {
  const answer = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  const [{ files }] = JSON.parse(answer)
  const paths: string[] = files.map(({ path }: { readonly path: string }) => path)
  expect(paths).toContain('LICENSE')
  expect(paths).toContain('scenarios/calm.yaml')
  const entries = ['dist/cli.cjs', 'dist/index.cjs', 'dist/index.d.cts', 'dist/index.d.ts', 'dist/index.js']
  expect(paths.filter((path) => path.startsWith('dist/'))).toEqual(expect.arrayContaining(entries))
  const others = paths.filter(
    (path) => !/^(?:dist|scenarios)\/|^(?:LICENSE|README\.md|package\.json)$/.test(path),
  )
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const pictures = [...readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, path]) => path)
  expect(others.toSorted()).toEqual(pictures.toSorted())
  expect(pictures).toHaveLength(2)
})

it('has no script that npm warns of where the package is installed', () => {
  // `prepare` is one of them where a tarball or a folder is installed.
  const installScripts = ['preinstall', 'install', 'postinstall', 'prepare']
  expect(Object.keys(manifest.scripts).filter((name) => installScripts.includes(name))).toEqual([])
  expect(existsSync(join(root, 'binding.gyp'))).toBe(false)
})

it('brings at most 300 packages', () => {
  const lock: { readonly packages: object } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  )
  // Those of other systems are in the lock file, too.
  const brought = Object.keys(lock.packages).filter((path) => path !== '' && existsSync(join(root, path)))
  expect(brought.length).toBeGreaterThan(100)
  expect(brought.length).toBeLessThanOrEqual(300)
})

it('contains the licences of bundled code', () => {
  const licences = readFileSync(join(root, 'dist/third-party-licences.txt'), 'utf8')
  expect(licences).toMatch(/^ajv \d+\.\d+\.\d+ \(MIT\)$/m)
  expect(licences).toMatch(/^fast-deep-equal \d+\.\d+\.\d+ \(MIT\)$/m)
})

it('declares its entries as tools expect', async () => {
  const { messages, pkg } = await publint({ pkgDir: root, level: 'warning', pack: false })
  expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([])
})

describe('the command', () => {
  it('runs without any other installed package', () => {
    expect(node(join(installed, 'dist', 'cli.cjs'), '--version')).toBe(`${manifest.version}\n`)
    expect(node(join(installed, 'dist', 'cli.cjs'), 'validate', 'calm')).toContain('calm')
  })
})

describe('the library', () => {
  const use = `loadScenario('calm').then((scenario) => {
    const world = createWorld(scenario, { seed: '7' })
    world.advance('1s')
    console.log(world.digest())
  })`

  beforeAll(() => {
    for (const name of Object.keys(manifest.dependencies)) {
      const target = join(consumer, 'node_modules', name)
      mkdirSync(join(target, '..'), { recursive: true })
      symlinkSync(join(root, 'node_modules', name), target, 'junction')
    }
  })

  it('gives the same world with import and with require', () => {
    writeFileSync(join(consumer, 'use.mjs'), `import { createWorld, loadScenario } from 'otcsim'\n${use}`)
    writeFileSync(
      join(consumer, 'use.cjs'),
      `const { createWorld, loadScenario } = require('otcsim')\n${use}`,
    )
    const digest = node('use.mjs')
    expect(digest).toMatch(/^[0-9a-f]{32}\n$/)
    expect(node('use.cjs')).toBe(digest)
  })

  it('runs sweeps on threads, and says which packages a queue needs', () => {
    const order = "{ side: 'buy', asset: 'BTC', quantity: 0.1, orderType: 'market' }"
    const start = `async onStart({ venue }) { await venue.orders.create(${order}) }`
    writeFileSync(join(consumer, 'once.mjs'), `export default { name: 'once', ${start} }`)
    const words = [join(installed, 'dist', 'cli.cjs'), 'sweep', 'once.mjs', '--to', '1m', '--seeds', '1..2']
    expect(node(...words, '--jobs', '1')).toContain('cases 2 of 2')
    const options = { cwd: consumer, encoding: 'utf8' } as const
    const queued = spawnSync(process.execPath, [...words, '--queue', 'redis://127.0.0.1:1'], options)
    expect(queued.stderr).toBe('a queue needs BullMQ and ioredis: npm install bullmq ioredis\n')
    expect(queued.status).toBe(2)
  })

  it('sweeps from code with import and with require, to the rows of the command', () => {
    const source =
      "export default { name: 'buyer', parameters: { size: { type: 'number', default: 1 } }, onTick"
    const body =
      "orders.create({ side: 'buy', asset: 'BTC', quantity: parameters.size, orderType: 'market' })"
    writeFileSync(
      join(consumer, 'buyer.mjs'),
      `${source}({ sync, parameters }, { index }) { if (index === 1) sync.${body} } }`,
    )
    const code = `sweep({ strategy: 'buyer.mjs', scenario: 'calm', to: '2m', seeds: '1..2', grid: { size: [0.1, 0.2] }, jobs: 1 })
      .then(({ digest, rows }) => console.log(digest, rows.length))`
    writeFileSync(join(consumer, 'many.mjs'), `import { sweep } from 'otcsim'\n${code}`)
    writeFileSync(join(consumer, 'many.cjs'), `const { sweep } = require('otcsim/backtest')\n${code}`)
    const words = ['sweep', 'buyer.mjs', '--scenario', 'calm', '--to', '2m', '--seeds', '1..2', '--jobs', '1']
    const command = node(join(installed, 'dist', 'cli.cjs'), ...words, '--set', 'size=0.1,0.2', '--json')
    const wanted = `${JSON.parse(command).digest} 4\n`
    expect(node('many.mjs')).toBe(wanted)
    expect(node('many.cjs')).toBe(wanted)
  })

  it('provides the client for import and require, without the modules of Node', () => {
    writeFileSync(
      join(consumer, 'client.mjs'),
      "import * as client from 'otcsim/client'\nconsole.log(...Object.keys(client).sort())",
    )
    writeFileSync(
      join(consumer, 'client.cjs'),
      "console.log(...Object.keys(require('otcsim/client')).sort())",
    )
    const names = node('client.mjs')
    expect(names.trim().split(' ')).toContain('createVenueClient')
    expect(node('client.cjs')).toBe(names)
    expect(modulesOf('client.js').filter((specifier) => !specifier.startsWith('./'))).toEqual([])
  })

  it('has types for both', () => {
    const typed = (from: string): string =>
      `${from}\nconst load: Promise<{ readonly seed?: string } | object> = loadScenario('calm')\nexport { createWorld, load }\n`
    writeFileSync(join(consumer, 'typed.mts'), typed("import { createWorld, loadScenario } from 'otcsim'"))
    writeFileSync(join(consumer, 'typed.cts'), typed("import { createWorld, loadScenario } from 'otcsim'"))
    writeFileSync(join(consumer, 'wrong.mts'), "import { loadScenario } from 'otcsim'\nloadScenario(7)\n")
    const tsc = join(root, 'node_modules/@typescript/native/bin/tsc')
    const files = ['typed.mts', 'typed.cts', 'wrong.mts']
    const words = [tsc, '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', ...files]
    const { status, stdout } = spawnSync(process.execPath, words, { cwd: consumer, encoding: 'utf8' })
    expect(stdout).toMatch(/^wrong\.mts\(2,14\): error TS2345: .*\n$/)
    expect(status).toBe(1)
  })

  it('has types for projects whose TypeScript looks for files and does not read `exports`', () => {
    const entries = Object.keys(manifest.exports).filter((entry) => entry !== './package.json')
    const imports = entries.map(
      (entry) => `import * as _${entry.replaceAll(/\W/g, '')} from 'otcsim${entry.slice(1)}'`,
    )
    writeFileSync(
      join(consumer, 'old.ts'),
      `${imports.join('\n')}\nexport const missing: string = _.loadScenario\n`,
    )
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const settings = ['--module', 'commonjs', '--moduleResolution', 'node10', '--ignoreDeprecations', '6.0']
    const words = [tsc, '--noEmit', '--skipLibCheck', '--strict', '--target', 'es2023', ...settings, 'old.ts']
    const { stdout } = spawnSync(process.execPath, words, { cwd: consumer, encoding: 'utf8' })
    expect(stdout).toMatch(/^old\.ts\(\d+,14\): error TS2322: .*\n$/)
  })

  it('has types without kinds of typed arrays, which TypeScript below 5.7 does not know', () => {
    const names = readdirSync(join(root, 'dist')).filter((name) => /\.d\.c?ts$/.test(name))
    const newer = names.filter((name) =>
      /Array<ArrayBuffer/.test(readFileSync(join(root, 'dist', name), 'utf8')),
    )
    expect(newer).toEqual([])
  })

  it('loads only what it needs, nothing of tests or tools', () => {
    const built = readdirSync(join(root, 'dist')).filter((name) => /^index\.(js|cjs)$/.test(name))
    for (const name of built) {
      const text = readFileSync(join(root, 'dist', name), 'utf8')
      expect(text).not.toMatch(/['"](?:vitest|fast-check|typescript|commander)['"]/)
    }
  })
})

/** The imports of a built file and of its chunks. */
function modulesOf(file: string): readonly string[] {
  const text = readFileSync(join(installed, 'dist', file), 'utf8')
  const found = [...text.matchAll(/^(?:import|export) (?:[^'"]* from )?["']([^"']+)["']/gm)].map(
    (match) => match[1] ?? '',
  )
  return found.flatMap((specifier) =>
    specifier.startsWith('./') ? [specifier, ...modulesOf(specifier.slice(2))] : [specifier],
  )
}
