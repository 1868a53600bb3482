import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { nearestWord } from '../api/nearest-word.ts'
import type { CompiledScenario } from '../scenario/compiled.ts'
import { loadScenario } from '../scenario/load.ts'
import { textLengthMaximum } from '../scenario/parse-document.ts'
import { problemText } from '../scenario/problem.ts'
import { folderOfScenarios, namesIn } from '../world/shipped-scenarios.ts'
import { CliFailure, exitCode } from './failure.ts'
import { readCandleFile } from './read-candles.ts'
import { readRegularFile } from './read-text-file.ts'

export interface ScenarioRequest {
  /** A file, or the name of a shipped scenario such as `calm` or `events/covid-2020-03`. */
  readonly scenario: string
  readonly cwd: string
  readonly params: ReadonlyMap<string, string>
  /** In place of the scenario's. */
  readonly seed: string | null
}

export interface ScenarioFile {
  readonly compiled: CompiledScenario
  readonly file: string
  readonly sourceLines: readonly string[]
}

/** Loads a scenario, or ends the command with every problem, each on a line of its own. */
export function openScenario(request: ScenarioRequest): ScenarioFile {
  const { path, shown } = locate(request)
  const file = readRegularFile(path, textLengthMaximum * 4)
  if (!file.ok) throw new CliFailure(exitCode.usage, `cannot read ${shown}: ${file.reason}`)
  const text = decode(file.bytes)
  if (text === null) throw new CliFailure(exitCode.usage, `cannot read ${shown}: it is no UTF-8 text`)
  let hasBadData = false
  const loaded = loadScenario(text, shown, {
    params: request.params,
    ...(request.seed === null ? {} : { seed: request.seed }),
    readCandles: (name, isParameter) => {
      const answer = readCandleFile(resolve(isParameter ? request.cwd : dirname(path), name))
      if (!answer.ok) hasBadData = true
      return answer
    },
  })
  if (!loaded.ok) {
    const code = hasBadData ? exitCode.unusableData : exitCode.usage
    throw new CliFailure(code, loaded.problems.map(problemText).join('\n'))
  }
  return { compiled: loaded.value, file: shown, sourceLines: text.split(/\r?\n/) }
}

interface Located {
  readonly path: string
  /** As messages name it. */
  readonly shown: string
}

/** A shipped name wins only where it is no path: `./calm` and `calm.yaml` are always files. */
function locate(request: ScenarioRequest): Located {
  const { scenario, cwd } = request
  const path = resolve(cwd, scenario)
  const isName = !scenario.startsWith('.') && !/\.(ya?ml|json)$/.test(scenario)
  const root = folderOfScenarios()
  if (isName && root !== null) {
    const shipped = namesIn(root)
    if (shipped.includes(scenario)) return located(join(root, `${scenario}.yaml`), cwd)
    if (!existsSync(path)) {
      const nearest = nearestWord(scenario, shipped)
      const hint = nearest === null ? `shipped are ${shipped.join(', ')}` : `did you mean "${nearest}"?`
      throw new CliFailure(exitCode.usage, `no file and no shipped scenario is called "${scenario}"; ${hint}`)
    }
  }
  return { path, shown: scenario }
}

/** Short where the file lies below the caller's place, so that messages can be clicked anywhere. */
function located(path: string, cwd: string): Located {
  const short = relative(cwd, path)
  return { path, shown: short.startsWith('..') || isAbsolute(short) ? path : short }
}

function decode(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
