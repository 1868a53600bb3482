/*
 * A run's settings have one name in scenarios and another in code; a user of flags should read about flags.
 * Problems in a scenario's own file are reported with their place there, and are left as they are.
 */
const flagOfField: readonly (readonly [field: RegExp, flag: string])[] = [
  [/^market\.assets\.[^:]*\.model\.data(?=: )/, '--data'],
  [/^market\.assets\.[^:]*\.model(?:\.kind)?(?=: )/, '--model'],
  [/^market\.assets\.[^:]*\.model\.([\w.[\]]+)(?=: )/, '--model, $1'],
  [/^market\.assets\.[^:]*\.price(?=: )/, '--price'],
  [/^market\.assets\.[^:]*(?=: )/, '--asset'],
  [/^accounts\[0\]\.balances\.USD(?=: )/, '--cash'],
  [/^fees\.makerBps(?=: )/, '--maker-bps'],
  [/^fees\.takerBps(?=: )/, '--taker-bps'],
  [/^clock\.grid(?=: )/, '--grid'],
  [/^candles(?=: )/, '--data'],
  [/^equityGrid(?=: )/, '--equity-grid'],
  [/^warmUp(?=: )/, '--warm-up'],
  [/^riskFreeRate(?=: )/, '--risk-free-rate'],
  [/^captureAt(?=: )/, '--capture-at'],
  [/^walkForward(?=: )/, '--walk-forward'],
  [/^(from|to|tick|account|latency)(?=[.:])/, '--$1'],
]

/** A message about a run's settings, each line with the flag that it is about instead of a field. */
export function inFlags(message: string): string {
  return message
    .split('\n')
    .map((line) => {
      const known = flagOfField.find(([field]) => field.test(line))
      const named = known === undefined ? line : line.replace(known[0], known[1])
      return named.replace(/\bvolumeIn: usd\b/, '--volume-in usd')
    })
    .join('\n')
}
