import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import type { RecordingInfo } from '../../market/recordings/interpretation.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import { formatMistake, type Mistake } from '../../scenario/file/mistake.ts'
import type { Variant } from '../../scenario/file/params.ts'
import { maximumTextLength } from '../../scenario/file/parse-document.ts'
import { loadScenarios } from '../../scenario/load.ts'
import { createIncludeReader } from '../../world/shipped/read-includes.ts'
import { findScenarioFolder, listScenarioNames } from '../../world/shipped/scenario-folder.ts'
import { CliFailure, exitCode, formatSuggestion, usageFailure } from '../failure.ts'
import { readTextFile } from '../files.ts'
import { readScenarioBook } from '../recordings/books/scenario-books.ts'
import { createPreparedStore } from '../recordings/prepared-store.ts'
import { readRecordingFile } from '../recordings/read-recording.ts'
import type { Terminal } from '../terminal.ts'

export interface ScenarioRequest {
  /** A file, or the name of a shipped scenario such as `calm` or `events/covid-2020-03`. */
  readonly scenario: string
  readonly cwd: string
  readonly params: ReadonlyMap<string, string>
  /** The seed that replaces the scenario's; null keeps that one. */
  readonly seed: string | null
  /** Whether recordings are kept in the store of the working directory, and taken from it; false by default. */
  readonly cache?: boolean
}

/** A scenario file with all its runs. */
export type MatrixFile = ReturnType<typeof openMatrix>

/** Loads a scenario (of a matrix, the first run). Ends the command with every mistake, each on its own line. */
export function openScenario(request: ScenarioRequest): CompiledScenario {
  const { file, variants, compile } = openMatrix(request)
  const [first] = variants
  if (first === undefined) throw usageFailure(`${file} has no runs`)
  return compile(first)
}

/** Loads a scenario with all its runs. Ends the command with every mistake, each on its own line. */
export function openMatrix(request: ScenarioRequest) {
  const { path, shown } = locateFile(request)
  const text = readTextFile(request.cwd, shown, maximumTextLength * 4)
  const sources = new Map([[shown, text]])
  let hasBadData = false
  const loaded = loadScenarios(text, shown, {
    params: request.params,
    ...(request.seed === null ? {} : { seed: request.seed }),
    readCandles: ({ name, isParameter, options }) => {
      const answer = readRecordingFile(
        resolve(isParameter ? request.cwd : dirname(path), name),
        options,
        name,
        request.cache === true ? createPreparedStore(request.cwd) : null,
      )
      if (!answer.ok) hasBadData = true
      return answer
    },
    readBook: (named) => {
      const store = request.cache === false ? null : createPreparedStore(request.cwd)
      const answer = readScenarioBook(named, { cwd: request.cwd, folder: dirname(path), store })
      if (!answer.ok) hasBadData = true
      return answer
    },
    readInclude: createIncludeReader(request.cwd, (name, included) => sources.set(name, included)),
  })
  const end = (problems: readonly Mistake[]): never => {
    const code = hasBadData ? exitCode.unusableData : exitCode.usage
    throw new CliFailure(code, problems.map(formatMistake).join('\n'))
  }
  if (!loaded.ok) return end(loaded.problems)
  const { variants, compile } = loaded.value
  return {
    request,
    file: shown,
    path,
    variants,
    /** Compiles one run. Ends the command when this run has mistakes of its own. */
    compile: (variant: Variant): CompiledScenario => {
      const compiled = compile(variant)
      return compiled.ok ? compiled.value : end(compiled.problems)
    },
    /** The texts that the scenario was read from, included files too, by the file names in places. */
    sources,
  }
}

/** Says on stderr how the files of a scenario's recordings were understood. */
export function reportFilesRead({ filesRead }: CompiledScenario, terminal: Pick<Terminal, 'err'>): void {
  for (const note of filesRead) {
    const { file, line, warnings } = note
    terminal.err(`${file}: read as ${line}\n`)
    for (const warning of warnings) terminal.err(`${file}: ${warning}\n`)
    reportStores([note], terminal)
  }
}

/** Says on stderr which recordings came from the store and since when they are there, and which could not be kept. */
export function reportStores(notes: readonly RecordingInfo[], terminal: Pick<Terminal, 'err'>): void {
  for (const { file, store } of notes)
    if (store !== undefined) terminal.err(`${file}: .otcsim/recordings: ${store}\n`)
}

/** Locates a scenario, and says how messages name it. A shipped name is no path: `./calm` and `calm.yaml` are files. */
function locateFile({ scenario, cwd }: ScenarioRequest) {
  const path = resolve(cwd, scenario)
  const isName = !scenario.startsWith('.') && !/\.(ya?ml|json)$/.test(scenario)
  const root = findScenarioFolder()
  if (isName && root !== null) {
    const shipped = listScenarioNames(root)
    if (shipped.includes(scenario)) return nameFrom(join(root, `${scenario}.yaml`), cwd)
    if (!existsSync(path)) {
      const hint = formatSuggestion(scenario, shipped, 'shipped scenario')
      throw usageFailure(`no file and no shipped scenario is called "${scenario}"${hint}`)
    }
  }
  return { path, shown: scenario }
}

/** Names a file relative to `cwd` if it lies below, so that places in messages can be clicked. */
function nameFrom(path: string, cwd: string) {
  const short = relative(cwd, path)
  return { path, shown: short.startsWith('..') || isAbsolute(short) ? path : short }
}
