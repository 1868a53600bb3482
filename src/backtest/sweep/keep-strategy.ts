import { existsSync, type Stats, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { loadStrategy, StrategyFileError } from '../loading/load-strategy.ts'
import { identifyStrategy, type StrategyDigest } from '../loading/strategy-identity.ts'
import { isInstalled } from '../loading/strategy-inputs.ts'
import type { Strategy } from '../strategy.ts'
import type { SweepSetup } from './plan.ts'

/**
 * The one strategy that a thread runs. Node keeps what a thread has imported, so a thread never runs a second one:
 * `worker-pool.ts` starts threads anew for another identity.
 */
export interface KeptStrategy {
  /**
   * Loads the strategy of a task, or gives the loaded one. Rejects with a StrategyFileError where it is not the one that
   * the sweep was planned with.
   */
  open(wanted: SweepSetup['strategy']): Promise<Strategy>
  /** Throws a StrategyFileError where one of its own files has changed since it was loaded. */
  check(wanted: SweepSetup['strategy']): void
}

export function createKeptStrategy(cwd: string): KeptStrategy {
  let kept: { readonly digest: string; readonly strategy: Promise<Strategy> } | null = null
  let identity: StrategyDigest | null = null
  let stamps = ''
  const load = async ({ digest, file }: SweepSetup['strategy']): Promise<Strategy> => {
    const path = resolve(cwd, file)
    const here = identifyIfThere(path)
    if (here !== null && here.digest !== digest)
      throw new StrategyFileError(describeOther(file, here, digest))
    const strategy = await loadStrategy(file, cwd)
    identity = identifyStrategy(path)
    if (identity.digest !== digest) throw new StrategyFileError(describeChange(file))
    stamps = stampFiles(identity)
    return strategy
  }
  const check = ({ digest, file }: SweepSetup['strategy']): void => {
    if (identity === null || stampFiles(identity) === stamps) return
    const here = identifyIfThere(resolve(cwd, file))
    if (here?.digest !== digest) throw new StrategyFileError(describeChange(file))
    identity = here
    stamps = stampFiles(here)
  }
  const open = async (wanted: SweepSetup['strategy']): Promise<Strategy> => {
    kept ??= { digest: wanted.digest, strategy: load(wanted) }
    if (kept.digest !== wanted.digest)
      throw new StrategyFileError(`this thread runs another ${wanted.file} (${kept.digest})`)
    return kept.strategy
  }
  return { open, check }
}

/** Identifies a strategy; null when its file cannot be read, which loading it will report. */
function identifyIfThere(path: string): StrategyDigest | null {
  return existsSync(path) && statSync(path).isFile() ? identifyStrategy(path) : null
}

const describeOther = (file: string, here: StrategyDigest, digest: string): string =>
  `${file} differs here (${here.digest}) from the sweep's (${digest}); its imports, the files that it reads and the environment variables that it names count, too`

const describeChange = (file: string): string =>
  `${file}, or a file that it imports or reads, was changed while the sweep ran`

/** Sizes and times of own files: what changes when somebody writes one. */
function stampFiles({ files }: StrategyDigest): string {
  const own = files.filter((path) => !isInstalled(path))
  return own.map((path) => formatStamp(statSync(path, { throwIfNoEntry: false }))).join(' ')
}

const formatStamp = (stat: Stats | undefined): string =>
  stat === undefined ? 'gone' : `${stat.size}/${stat.mtimeMs}`
