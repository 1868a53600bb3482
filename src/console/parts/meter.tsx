import { percent } from '../model/format.ts'

interface MeterProps {
  readonly name: string
  readonly used: string
  readonly limit: string
  /** 100 is the whole limit. */
  readonly share: number
}

/** How much of a limit is used. */
export function Meter({ name, used, limit, share }: MeterProps) {
  const width = Math.max(0, Math.min(100, share))
  const level = share >= 100 ? 'full' : share >= 80 ? 'near' : ''
  return (
    <div class={`meter ${level}`}>
      <span class="name">{name}</span>
      <span class="amount">
        {used} <small>of {limit}</small>
      </span>
      <meter
        class="hidden"
        aria-label={name}
        min={0}
        max={100}
        value={width}
        aria-valuetext={`${used} of ${limit}`}
      />
      <div class="track" title={percent(share)} aria-hidden="true">
        <div class="fill" style={{ width: `${width}%` }} />
      </div>
    </div>
  )
}
