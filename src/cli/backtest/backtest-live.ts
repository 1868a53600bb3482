import { onlyGiven } from '../../api/only-given.ts'
import { parseLatency } from '../../backtest/latency.ts'
import { type LiveOptions, runLive } from '../../backtest/live/run-live.ts'
import type { BacktestResult } from '../../backtest/result.ts'
import type { Strategy } from '../../backtest/strategy.ts'
import { ConnectionError } from '../../client/connection-error.ts'
import { CliFailure, exitCode, systemReason } from '../failure.ts'
import { pairsOf } from '../option-parsers.ts'
import type { Terminal } from '../terminal.ts'
import type { BacktestFlags } from './backtest-flags.ts'
import { numberOf } from './number-of.ts'

/** Runs a strategy over HTTP. Errors: no time to run (2), nothing answers there (4). */
export async function runLiveBy(
  strategy: Strategy,
  flags: BacktestFlags,
  url: string,
  terminal: Terminal,
  progress: (done: number, nowMillis: number) => void,
): Promise<BacktestResult> {
  if (flags.to === undefined) throw new CliFailure(exitCode.usage, '--live needs --to, such as 10m')
  let isEnded = false
  const stopListening = terminal.onStop(() => {
    isEnded = true
  })
  try {
    return await runLive(strategy, { ...optionsOf(flags, url, flags.to), progress, isEnded: () => isEnded })
  } catch (error) {
    if (error instanceof ConnectionError || isFetchFailure(error)) {
      throw new CliFailure(exitCode.unreachable, `${url} does not answer: ${reasonOf(error)}`)
    }
    throw error
  } finally {
    stopListening()
  }
}

function optionsOf(flags: BacktestFlags, baseUrl: string, span: string): LiveOptions {
  const { account, adminToken, apiKey, apiSecret, clock = 'manual', equityGrid, scenario, seed, tick } = flags
  const warmUp = numberOf('--warm-up', flags.warmUp)
  const riskFreeRate = numberOf('--risk-free-rate', flags.riskFreeRate)
  return {
    baseUrl,
    clock,
    span,
    parameters: Object.fromEntries(pairsOf(flags.set)),
    ...onlyGiven({
      account,
      adminToken,
      apiKey,
      apiSecret,
      equityGrid,
      scenario,
      seed,
      tick,
      warmUp,
      riskFreeRate,
    }),
    ...(flags.latency === undefined ? {} : { latency: parseLatency(flags.latency) }),
  }
}

/** Whether the platform's fetch threw because nobody answers. */
function isFetchFailure(error: unknown): boolean {
  return error instanceof TypeError && error.cause instanceof Error
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return systemReason(cause ?? error)
}
