import type { ComponentChildren } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'

export interface Tab {
  readonly name: string
  readonly count?: number | undefined
  readonly show: () => ComponentChildren
}

interface TabsProps {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly area?: string
  /** Name of the tab that is to be shown; each new name shows its tab, and users may then choose another. */
  readonly wanted?: string
}

/** Several panels in one area, with tabs; arrow keys go from one tab to the next. */
export function Tabs({ label, tabs, area = '', wanted = '' }: TabsProps) {
  const id = useId()
  const [chosen, setChosen] = useState(0)
  useEffect(() => {
    const place = tabs.findIndex(({ name }) => name === wanted)
    if (place >= 0) setChosen(place)
  }, [wanted])
  const current = tabs[chosen]
  const move = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    const next = (chosen + by + tabs.length) % tabs.length
    setChosen(next)
    document.getElementById(`${id}-${next}`)?.focus()
  }
  return (
    <section class={`panel ${area}`} aria-label={label}>
      <header>
        <div class="tab-list" role="tablist" aria-label={label} onKeyDown={move}>
          {tabs.map(({ name, count }, index) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`${id}-${index}`}
              aria-selected={index === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={index === chosen ? 0 : -1}
              onClick={() => setChosen(index)}
            >
              {name}
              {count === undefined || count === 0 ? null : <span class="count">{count}</span>}
            </button>
          ))}
        </div>
      </header>
      <div class="tab-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {current?.show()}
      </div>
    </section>
  )
}
