import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import { scenarioReference } from '../../scenario/compile/reference.ts'
import { editorSchema } from '../../scenario/compile/schema.ts'
import type { Variant } from '../../scenario/file/params.ts'
import { type CertainRefusal, findCertainRefusals } from '../../scenario/run/certain-refusals.ts'
import { defineCommand } from '../define-command.ts'
import { CliFailure, usageFailure } from '../failure.ts'
import { aSwitch, cacheFlag, configFlag, type FlagsOf, pairsOf, paramFlag } from '../flags.ts'
import { formatCount, jsonText, type Terminal } from '../terminal.ts'
import { type MatrixFile, openMatrix, reportFilesRead } from './scenario-files.ts'

const validateFlags = {
  param: paramFlag,
  cache: cacheFlag,
  config: configFlag,
}

type ValidateOptions = FlagsOf<typeof validateFlags>

export const validateCommand = defineCommand({
  flags: validateFlags,
  takes: { '<files...>': 'scenario files, or names of shipped scenarios' },
  act: validate,
})

/**
 * Says what each file holds and which actions the venue will certainly refuse. Fails with the mistakes of all files.
 */
function validate(options: ValidateOptions, terminal: Terminal, files: readonly string[]): void {
  const { cache } = options
  const params = pairsOf(options.param)
  const failures: CliFailure[] = []
  for (const scenario of files) {
    try {
      checkFile(openMatrix({ scenario, cwd: terminal.cwd, params, seed: null, cache }), terminal)
    } catch (error) {
      if (!(error instanceof CliFailure)) throw error
      failures.push(error)
    }
  }
  const [worst] = failures
  if (worst !== undefined) throw new CliFailure(worst.code, failures.map(({ message }) => message).join('\n'))
}

function checkFile({ file, variants, compile }: MatrixFile, terminal: Terminal): void {
  // Parameters change what is valid, so each run of a matrix is checked; seeds do not.
  const [first, ...others] = selectOnePerParams(variants).map(compile)
  if (first === undefined) return
  reportFilesRead(first, terminal)
  for (const { place, reason } of findWarnings([first, ...others]))
    terminal.err(`${place.file}:${place.line}:${place.column} warning: will be refused: ${reason}\n`)
  const { timeline, expectations, unreached, venue, agents, name } = first
  const parts = [
    formatCount(venue.assets.length - 1, 'asset'),
    formatCount(venue.accounts.length, 'account'),
    ...(agents.length === 0 ? [] : [formatCount(agents.length, 'agent')]),
    formatCount(timeline.length, 'action'),
    formatCount(expectations.length, 'expectation'),
    ...(unreached.length === 0 ? [] : [`${unreached.length} left out after the end`]),
    ...(variants.length === 1 ? [] : [formatCount(variants.length, 'run')]),
    ...(others.length === 0 ? [] : [`${others.length + 1} sets of parameters`]),
  ]
  terminal.out(`${file}: ok, ${name}, ${parts.join(', ')}\n`)
}

/** Finds the certain refusals of all runs, each once: most runs of a matrix share theirs. */
function findWarnings(scenarios: readonly CompiledScenario[]): Iterable<CertainRefusal> {
  const found = scenarios.flatMap(findCertainRefusals).map((one) => [JSON.stringify(one), one] as const)
  return new Map(found).values()
}

/** Selects one run for each set of parameters: runs that differ only in their seed are equally valid. */
function selectOnePerParams(variants: readonly Variant[]): readonly Variant[] {
  const byParams = new Map(variants.map((variant) => [JSON.stringify([...variant.params]), variant]))
  return [...byParams.values()]
}

/** `otcsim schema scenario` prints the JSON Schema (draft 7) of scenario files, or their reference as Markdown. */
export const schemaCommand = defineCommand({
  flags: { markdown: aSwitch('print the reference of the language as Markdown', { default: false }) },
  takes: { '<what>': 'scenario' },
  act: ({ markdown }, terminal, what: string) => {
    if (what !== 'scenario') throw usageFailure(`there is no schema of "${what}"; there is one of scenario`)
    terminal.out(markdown ? scenarioReference() : jsonText(editorSchema()))
  },
})
