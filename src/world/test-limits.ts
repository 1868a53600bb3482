import type { CompiledScenario } from '../scenario/compile/compiled.ts'

/**
 * Returns the scenario of a test's world, without rate limits unless somebody asks for them: they are a matter of the
 * wall clock's second, and a test would be refused by chance. `isAsked` is what the test says; left out, a scenario
 * keeps limits that are about it: other ones than the specification's, or ones that its timeline changes.
 */
export function limitForTest(scenario: CompiledScenario, isAsked?: boolean): CompiledScenario {
  const isLimited = isAsked ?? statesLimits(scenario)
  if (scenario.rateLimits.isEnabled === isLimited) return scenario
  const known = others.get(scenario)
  if (known !== undefined) return known
  const other = { ...scenario, rateLimits: { ...scenario.rateLimits, isEnabled: isLimited } }
  others.set(scenario, other)
  return other
}

/** The scenarios with limits switched over, so that all worlds of a scenario share one object. */
const others = new WeakMap<CompiledScenario, CompiledScenario>()

function statesLimits({ rateLimits, timeline }: CompiledScenario): boolean {
  const { isEnabled, marketData, other, windowMillis } = rateLimits
  const isUsual = marketData === 30 && other === 10 && windowMillis === 1000
  return isEnabled && (!isUsual || timeline.some(({ action }) => action.kind === 'rateLimit'))
}

/**
 * Returns readings of a test's world that nobody has stated: with limits, they count in the time of the world, so that
 * the same test is refused at the same request.
 */
export function listTestReadings({ rateLimits, readings }: CompiledScenario): {
  readonly [key: string]: string
} {
  return rateLimits.isEnabled && !readings.has('rate.clock') ? { 'rate.clock': 'world' } : {}
}
