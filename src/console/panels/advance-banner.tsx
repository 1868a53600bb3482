import { dateOf, timeOf } from '../model/format.ts'
import { useConsole } from '../parts/use-console.ts'

/**
 * Says that the world is being advanced, and how far it has come; until the end the page shows the world as it was
 * before.
 */
export function AdvanceBanner() {
  const { state } = useConsole()
  const { advancing, live } = state
  if (advancing === null) return null
  const { now, to } = advancing
  const begun = Date.parse(live?.at ?? now)
  return (
    <p class="banner">
      <strong role="status">This world is being advanced</strong>
      {to === null ? null : (
        <>
          {' '}
          to <Instant at={to} />{' '}
          <progress
            aria-label="How far the advance has come"
            value={Math.max(0, Date.parse(now) - begun)}
            max={Math.max(1, Date.parse(to) - begun)}
          />
        </>
      )}{' '}
      and has come to <Instant at={now} />. What you see is how it was before; requests to it wait until then.
    </p>
  )
}

const Instant = ({ at }: { readonly at: string }) => (
  <span class="number">
    {dateOf(at)} {timeOf(at)}
  </span>
)
