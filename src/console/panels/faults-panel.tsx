import type { Fault } from '../model/documents.ts'
import { formatName } from '../model/format.ts'
import { Button } from '../parts/form.tsx'
import { Empty } from '../parts/panel.tsx'
import { useShown } from '../parts/use-console.ts'
import { Later } from './later.tsx'

export function FaultsPanel() {
  const { session, view, moment, account, asset, isRecording } = useShown()
  const { faults } = view
  const mayChange = moment === null && !isRecording
  return (
    <div class="faults">
      {faults.length === 0 ? (
        <Empty>
          No faults yet.{mayChange ? ' Add a rule, and it strikes the requests that match it.' : ''}
        </Empty>
      ) : (
        <ul class="rules">
          {faults.map((fault) => (
            <li key={fault.id}>
              <span>
                <strong>{fault.type}</strong> <span class="muted">{formatRule(fault)}</span>
              </span>
              <span>
                struck {fault.fired} of {fault.matched}
              </span>
              {mayChange ? (
                <Button
                  class="quiet"
                  aria-label={`Delete ${fault.id}`}
                  onClick={() => session.act('DELETE', `/faults/${encodeURIComponent(fault.id)}`)}
                >
                  Delete
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {mayChange ? (
        <>
          <p class="row">
            {presets.map(([name, body]) => (
              <Button key={name} onClick={() => session.act('POST', '/faults', body, `${name}: from now on`)}>
                {name}
              </Button>
            ))}
          </p>
          <Later key={`${account} ${asset}`} name="FaultForm" />
        </>
      ) : null}
    </div>
  )
}

const orders = { method: 'POST', path: '/api/sdk/orders' }
const presets = [
  ['Slow answers', { type: 'latency', attributes: { latencyMs: 500 } }],
  ['Next order 503', { type: 'http_error', match: orders, count: 1, attributes: { status: 503 } }],
  ['Next order’s answer lost', { type: 'reset_peer', match: orders, phase: 'after', count: 1 }],
  ['Rate limited', { type: 'rate_limit', attributes: { retryAfter: 1 } }],
  ['Old prices', { type: 'stale_market_data', attributes: { delayMs: 5000 } }],
] as const

function formatRule({ match, phase, count, toxicity, attributes }: Fault): string {
  const formatValues = (values: object) =>
    Object.entries(values).map(([name, value]) => `${formatName(name)} ${value}`)
  const often = count === null ? [] : [count === 1 ? 'once' : `${count} times`]
  const rarely = toxicity < 1 ? [`${toxicity * 100} % of them`] : []
  const words = [...formatValues(match), ...formatValues(attributes), ...often, ...rarely]
  return [phase === 'after' ? 'after the operation' : '', ...words].filter((word) => word !== '').join(', ')
}
