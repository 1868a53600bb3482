import { closeSync, openSync } from 'node:fs'
import { millis } from '../../numeric/units.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import { RunJudge } from '../../scenario/run/run-judge.ts'
import { endOf, type Refusal, type ScenarioRun } from '../../scenario/run/run-scenario.ts'
import { linesOfFile } from '../../world/journal/lines/read-lines.ts'
import { type ReplayWatch, replayJournal, toTheEnd } from '../../world/journal/replay/replay.ts'
import { judgedRun } from '../../world/script/judged-run.ts'
import type { World } from '../../world/world.ts'
import { CliFailure, exitCode } from '../failure.ts'
import { damageText, divergenceText } from '../journal-texts.ts'

/**
 * Carries out the journal of a scenario's run with a client, and judges it as a run without one is judged: wherever
 * anything can change, and after each command. It ends where the scenario does; one whose clock has no end ends where
 * it last stood, if that is later. When the journal ends first, the rest of the time passes without the client.
 */
export function judgeLive(scenario: CompiledScenario, path: string, stoodAtMillis: number): ScenarioRun {
  const { endMillis: stated } = scenario.clock
  const endMillis = stated ?? millis(Math.max(endOf(scenario), stoodAtMillis))
  const judge = new RunJudge(scenario, endMillis, 200)
  const refusals: Refusal[] = []
  const look = (world: World): void => judge.look(judgedRun(world.running))
  const passUntil = (world: World, atMillis: number): void => {
    while (world.now < atMillis) {
      world.time.proceedTo(millis(Math.min(atMillis, judge.nextStop(judgedRun(world.running)))))
      look(world)
    }
  }
  const watch: ReplayWatch = {
    scenario,
    acted: (entry, problem, reason) => {
      if (problem !== null) refusals.push({ entry, problem, reason })
    },
    begins: look,
    comes: passUntil,
    done: look,
  }
  const descriptor = openSync(path, 'r')
  try {
    const until = { ...toTheEnd, atMillis: endMillis }
    const replay = replayJournal(linesOfFile(descriptor), until, null, watch)
    if (replay.kind === 'diverged')
      throw new CliFailure(
        exitCode.determinismBroken,
        divergenceText('the journal of the run', replay.header, replay.divergence),
      )
    if (replay.kind !== 'done') {
      const damage =
        replay.kind === 'damaged' ? replay.damage : { line: 1, offset: 0, reason: 'there is no header' }
      throw new CliFailure(exitCode.unusableData, damageText('the journal of the run', damage))
    }
    const { world } = replay
    passUntil(world, endMillis)
    const { failures, aggregates } = judge
    return {
      state: world.venue.state,
      named: world.running.script.named,
      failures,
      aggregates,
      brokenPin: null,
      recorded: [],
      refusals,
      sequence: world.sequence,
      digest: world.digest(),
    }
  } finally {
    closeSync(descriptor)
  }
}
