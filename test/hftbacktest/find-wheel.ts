import { spawnSync } from 'node:child_process'
import { delimiter, resolve } from 'node:path'
import process from 'node:process'
import { findProgram, lackOf } from '../support/wanted-programs.ts'

/** Where `pip install --target` puts the wheel, beside the other programs of tests; the scripts of npm run in the root. */
const wheelFolder = resolve('.otcsim/programs/python')
const wheel = 'hftbacktest==2.4.4'

/** A Python that has the published wheel of hftbacktest. */
export interface PythonWithWheel {
  readonly python: string
  readonly env: NodeJS.ProcessEnv
}

/** Returns a Python with the wheel, or why there is none. */
export function findWheel(): PythonWithWheel | string {
  const path = [wheelFolder, process.env['PYTHONPATH']].filter((part) => part !== undefined).join(delimiter)
  const env = { ...process.env, PYTHONPATH: path }
  const python = findProgram('python3')
  if (python === null) return lackOf('python3')
  const found = spawnSync(python, ['-c', 'import hftbacktest'], { env, encoding: 'utf8' })
  if (found.error !== undefined) return `python3 cannot be started: ${found.error.message}`
  if (found.status === 0) return { python, env }
  const reason = found.stderr.trim().split('\n').at(-1) ?? ''
  return `python3 has no hftbacktest (${reason}); python3 -m pip install --target .otcsim/programs/python ${wheel}`
}
