import { useState } from 'preact/hooks'
import { faultTypes, isFaultType, phasesOf } from '../../api/faults/fault-types.ts'
import type { Fault } from '../model/documents.ts'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/panel.tsx'
import { useConsole } from '../parts/use-console.ts'

/** What goes wrong on purpose: the present rules, and a form for another one. */
export function FaultsPanel() {
  const { session, state } = useConsole()
  const { view, place, account, asset } = state
  const faults = view?.faults ?? []
  return (
    <div class="faults">
      {faults.length === 0 ? (
        <Empty>No faults yet. Add a rule, and it strikes the requests that match it.</Empty>
      ) : (
        <ul class="rules">
          {faults.map((fault) => (
            <li key={fault.id}>
              <span>
                <strong>{fault.type}</strong> <span class="muted">{wordsOf(fault)}</span>
              </span>
              <span>
                struck {fault.fired} of {fault.matched}
              </span>
              {place === null ? (
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
      {place === null ? <FaultForm key={`${account} ${asset}`} /> : null}
    </div>
  )
}

function wordsOf({ match, phase, count, toxicity, attributes }: Fault): string {
  const named = (values: object) => Object.entries(values).map(([name, value]) => `${name} ${value}`)
  const often = count === null ? [] : [count === 1 ? 'once' : `${count} times`]
  const rarely = toxicity < 1 ? [`${toxicity * 100} % of them`] : []
  const words = [...named(match), ...named(attributes), ...often, ...rarely]
  return [phase === 'after' ? 'after the operation' : '', ...words].filter((word) => word !== '').join(', ')
}

function FaultForm() {
  const { session } = useConsole()
  const [type, setType] = useState('http_error')
  const kind = isFaultType(type) ? faultTypes[type] : null
  const hasChoice = isFaultType(type) && phasesOf(type).length > 1
  const add = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget
    if (!(form instanceof HTMLFormElement)) return
    const values = new FormData(form)
    const text = (name: string) => String(values.get(name) ?? '').trim()
    const match = Object.fromEntries(
      ['method', 'path', 'account'].map((name) => [name, text(name)]).filter(([, value]) => value !== ''),
    )
    const attributes = Object.fromEntries(
      (kind?.takes ?? [])
        .map((name) => [name, text(name)] as const)
        .filter(([, value]) => value !== '')
        .map(typed),
    )
    const body = {
      type,
      match,
      ...(hasChoice ? { phase: text('phase') } : {}),
      attributes,
      ...(text('count') === '' ? {} : { count: Number(text('count')) }),
    }
    if (await session.act('POST', '/faults', body, `${type}: from now on`)) form.reset()
  }
  return (
    <form class="form" onSubmit={add}>
      <label>
        Fault
        <select value={type} onChange={(event) => setType(event.currentTarget.value)}>
          {Object.keys(faultTypes).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <MatchFields hasChoice={hasChoice} />
      {(kind?.takes ?? []).map((name) => (
        <label key={name}>
          {name}
          <input name={name} required={kind?.needs.some((needed) => needed === name) ?? false} size={8} />
        </label>
      ))}
      <button type="submit">Add fault</button>
    </form>
  )
}

/** Which requests a rule matches, and when it strikes if there is a choice. */
function MatchFields({ hasChoice }: { readonly hasChoice: boolean }) {
  return (
    <>
      <label>
        Method
        <select name="method">
          <option value="">any</option>
          {['GET', 'POST', 'PATCH', 'DELETE'].map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label>
        Path
        <input name="path" placeholder="/api/sdk/orders*" />
      </label>
      <label>
        Account
        <input name="account" placeholder="any" />
      </label>
      <label>
        How often
        <input name="count" inputMode="numeric" placeholder="always" size={6} />
      </label>
      {hasChoice ? (
        <label>
          When
          <select name="phase">
            <option value="before">before it is done</option>
            <option value="after">after it is done</option>
          </select>
        </label>
      ) : null}
    </>
  )
}

/** Numbers as numbers. */
function typed([name, value]: readonly [string, string]): [string, string | number] {
  return [name, /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value]
}
