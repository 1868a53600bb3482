import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/*
 * The programs that tests want and `npm ci` does not install, told once. A test that wants one has its name as a tag
 * (`@module-tag redis-server` in a comment for a whole file, `{ tags: ['curl'] }` for a test) and asks `program` for its
 * path. Where a program is missing, its tests are left out, and the end of the run says so; under CI they fail.
 *
 * Choice: a Chromium comes with `npm ci`, a Redis server does not.
 * - `@sparticuz/chromium` (MIT, two million downloads a month, nothing runs or is fetched at its installation) contains a
 *   headless Chromium for Linux on x64 and the libraries that slim systems lack: 20 packages and 72 MB beside 430, and 200 MB
 *   in `.otcsim` once it is used. All tests of pages pass with it. 143 is its last version for Node 20; that is
 *   good enough for pages of this machine, and an installed browser is preferred.
 * - jest brings 280 packages, and openapi-typescript 26 for one client; sinon and time-machine are for one recipe each. So only
 *   who asks for them gets them, beside the other programs.
 * - No package contains a Redis server: `redis-memory-server` downloads and compiles one, `redis-server` starts one that is
 *   there, and the others imitate it.
 */

interface WantedProgram {
  /** On the PATH; the first one that is there is taken. */
  readonly names: readonly string[]
  /** Where it may be though no PATH names it. */
  readonly places?: (env: Environment) => readonly string[]
  /** Whether a package has brought it. */
  readonly isPacked?: () => boolean
  /** The package of Debian that has it. */
  readonly debian?: string
  /** The packages of npm that have it, with their versions. */
  readonly npm?: string
  readonly elsewhere?: string
}

/** What `npm install --prefix` puts beside the packages of the project. */
const ownPrograms = fileURLToPath(new URL('../../.otcsim/programs', import.meta.url))

type Environment = { readonly [name: string]: string | undefined }

const table = {
  chromium: {
    names: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'],
    places: (env) => [...applications(env), ...downloadedByPlaywright()],
    isPacked: isChromiumPacked,
    debian: 'chromium',
    elsewhere: 'npx playwright install chromium',
  },
  'redis-server': {
    names: ['redis-server', 'valkey-server'],
    debian: 'redis-server',
    elsewhere: 'brew install redis',
  },
  sh: { names: ['sh'], debian: 'dash' },
  bash: { names: ['bash'], debian: 'bash' },
  curl: { names: ['curl'], debian: 'curl' },
  openssl: { names: ['openssl'], debian: 'openssl' },
  git: { names: ['git'], debian: 'git' },
  prlimit: { names: ['prlimit'], debian: 'util-linux' },
  python3: { names: ['python3'], debian: 'python3' },
  pytest: { names: ['pytest', 'pytest-3'], debian: 'python3-pytest', elsewhere: 'pip install pytest' },
  // A Python that has pandas: Debian's, whichever else comes first on the PATH.
  'python3-pandas': {
    names: [],
    places: () => (existsSync('/usr/lib/python3/dist-packages/pandas') ? ['/usr/bin/python3'] : []),
    debian: 'python3-pandas',
    elsewhere: 'pip install pandas in an environment',
  },
  jest: {
    names: ['jest'],
    places: () => [join(ownPrograms, 'node_modules/jest/bin/jest.js')],
    npm: 'jest@30.5.2',
  },
  'openapi-typescript': {
    names: [],
    places: () => [join(ownPrograms, 'node_modules/openapi-typescript/bin/cli.js')],
    npm: 'openapi-typescript@7.13.0 openapi-fetch@0.17.0',
  },
  sinon: {
    names: [],
    places: () => [join(ownPrograms, 'node_modules/sinon/package.json')],
    npm: 'sinon@22.1.0',
  },
  'time-machine': {
    names: [],
    places: () => [join(ownPrograms, 'python/time_machine/__init__.py')],
    elsewhere: 'pip install --target .otcsim/programs/python time-machine',
  },
  go: { names: ['go'], debian: 'golang-go', elsewhere: 'https://go.dev/dl' },
} as const satisfies { readonly [name: string]: WantedProgram }

export type ProgramName = keyof typeof table

const isProgramName = (name: string): name is ProgramName => Object.hasOwn(table, name)

export const programNames: readonly ProgramName[] = Object.keys(table).filter(isProgramName)

/** The path of a program that is installed: the one that its variable names, and else one of the usual ones. */
export function findProgram(name: ProgramName, env: Environment = process.env): string | null {
  const named = env[variableOf(name)]
  if (named !== undefined) return existsSync(named) ? named : null
  const { names, places }: WantedProgram = table[name]
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const ending = process.platform === 'win32' ? '.exe' : ''
  const onPath = names.flatMap((each) => folders.map((folder) => join(folder, each + ending)))
  return onPath.find(existsSync) ?? places?.(env).find(existsSync) ?? null
}

/** Whether tests must do without a program. */
export function isMissing(name: ProgramName, env: Environment = process.env): boolean {
  if (findProgram(name, env) !== null) return false
  const { isPacked }: WantedProgram = table[name]
  return env[variableOf(name)] !== undefined || isPacked?.() !== true
}

/** One line for whoever lacks a program. */
export function lackOf(name: ProgramName): string {
  const { debian, npm, elsewhere }: WantedProgram = table[name]
  const ways = [
    ...(debian === undefined ? [] : [`apt-get install ${debian}`]),
    ...(npm === undefined ? [] : [`npm install --prefix .otcsim/programs ${npm}`]),
    ...(elsewhere === undefined ? [] : [elsewhere]),
  ]
  return `${name} is missing: ${ways.join(', or ')}, or name one in ${variableOf(name)}`
}

/** The packages that have what is missing. */
export function missingPackages(from: 'debian' | 'npm'): readonly string[] {
  const missing = programNames.filter((name) => isMissing(name)).map((name): WantedProgram => table[name])
  return missing.flatMap(({ [from]: name }) => name ?? [])
}

function variableOf(name: ProgramName): string {
  return name.toUpperCase().replaceAll('-', '_')
}

/** Browsers in the places of macOS and Windows, which are on no PATH. */
function applications(env: Environment): readonly string[] {
  if (process.platform === 'darwin')
    return ['Chromium', 'Google Chrome'].map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`)
  return ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'].flatMap((folder) => {
    const root = env[folder]
    return root === undefined ? [] : [join(root, 'Google', 'Chrome', 'Application', 'chrome.exe')]
  })
}

/** The browser of `npx playwright install`, where no package has one. */
function downloadedByPlaywright(): readonly string[] {
  if (isChromiumPacked()) return []
  try {
    const { chromium } = createRequire(import.meta.url)('playwright-core')
    return [chromium.executablePath()]
  } catch {
    // It throws on systems that it does not know.
    return []
  }
}

/** Its loader is that of glibc, which Alpine lacks. */
function isChromiumPacked(): boolean {
  return process.platform === 'linux' && process.arch === 'x64' && existsSync('/lib64/ld-linux-x86-64.so.2')
}
