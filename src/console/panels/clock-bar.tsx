import { formatNotesFile, nameNotesFile } from '../../api/noted-moments.ts'
import { parseAdvanceTarget } from '../model/advance-target.ts'
import { formatDate, formatTime } from '../model/format.ts'
import type { Session } from '../model/session.ts'
import { Button, Choice, Field, Form, type FormValues } from '../parts/form.tsx'
import { useConsole } from '../parts/use-console.ts'

const speeds = [0.5, 1, 2, 5, 10, 60, 600] as const

export function ClockBar() {
  const { session, view, moment, isRecording } = useConsole()
  if (view === null) return null
  const { mode, speed } = view.clock
  const isRunning = mode === 'realtime'
  const isPast = moment !== null
  // A recording has a past to go through, and no time that goes on.
  const isStill = isRecording && !isPast
  return (
    <div class={`bar clock ${isPast ? 'past' : ''}`}>
      <p class="time">
        <span class="muted third-rank">{formatDate(view.now)}</span> <strong>{formatTime(view.now)}</strong>{' '}
        <small>UTC</small>
        {isPast ? <span class="badge warn">the past</span> : null}
      </p>
      {isRecording ? null : (
        <>
          <Button
            class="primary"
            disabled={isPast}
            aria-keyshortcuts="Space"
            onClick={() => session.act('PUT', '/clock', { mode: isRunning ? 'manual' : 'realtime' })}
          >
            {isRunning ? '❚❚ Pause' : '▶ Play'}
          </Button>
          <span class="row third-rank">
            <Choice
              label="Speed"
              value={String(speed)}
              disabled={isPast}
              options={[...new Set<number>([...speeds, speed])].map(
                (value) => [String(value), `${value} ×`] as const,
              )}
              choose={(value) => session.act('PUT', '/clock', { speed: Number(value) })}
            />
            <span class="muted">{mode}</span>
          </span>
        </>
      )}
      <span class="row">
        <Button title="Next event ( n )" disabled={isStill} onClick={() => session.goToNextEvent()}>
          Next event
        </Button>
        <Button title="One second on ( . )" disabled={isStill} onClick={() => session.shift(1000)}>
          +1 s
        </Button>
        <Button class="third-rank" disabled={isStill} onClick={() => session.shift(60_000)}>
          +1 m
        </Button>
      </span>
      <span class="third-rank">
        <GoToForm />
      </span>
      <SnapshotTools />
    </div>
  )
}

function SnapshotTools() {
  const { session, snapshots, moment, isRecording } = useConsole()
  return (
    <span class="row last second-rank">
      {isRecording ? null : (
        <>
          <Button
            onClick={() =>
              session.takeSnapshot().then((kept) => kept && session.showMessage(`Kept as ${kept.id}`))
            }
          >
            Snapshot
          </Button>
          <label>
            <span class="hidden">Snapshot to restore</span>
            <select
              value=""
              disabled={snapshots.length === 0 || moment !== null}
              onChange={(event) => session.restore(event.currentTarget.value)}
            >
              <option value="">{snapshots.length === 0 ? 'no snapshots' : 'Restore…'}</option>
              {snapshots.map(({ id, sequence, now }) => (
                <option key={id} value={id}>
                  {id}: #{sequence} {formatTime(now)}
                </option>
              ))}
            </select>
          </label>
        </>
      )}
      <Button onClick={() => download(session)}>Journal</Button>
    </span>
  )
}

/** Form for a time or a span. At the present it advances the clock; in the past it moves the view. */
function GoToForm() {
  const { session, view, moment, isRecording } = useConsole()
  const send = ({ goal: text = '' }: FormValues) => {
    const now = view?.now ?? ''
    const goal = parseAdvanceTarget(text, now)
    if (goal === null)
      session.showError(`"${text}" is neither a span such as +90s nor a time such as 12:30:00`)
    else if ('byMs' in goal && (moment !== null || isRecording)) session.shift(goal.byMs)
    else if ('to' in goal && (moment !== null || isRecording || goal.to < now)) session.goTo(goal.to)
    else session.act('POST', '/clock/advance', goal)
  }
  return (
    <Form class="row" send={send}>
      <Field
        label=""
        aria-label="Advance to a time, or by a span"
        {...{ name: 'goal', size: 12, placeholder: '+90s or 12:30:00' }}
      />
      <button type="submit">{moment === null && !isRecording ? 'Advance' : 'Go there'}</button>
    </Form>
  )
}

/**
 * Downloads the journal as a file for `otcsim replay`, with the notes in a file beside it. A plain link would not do,
 * because the request needs the token.
 */
async function download(session: Session): Promise<void> {
  const text = await session.readJournal()
  if (text === null) return
  const { world, notes } = session.store.get()
  const name = `${world}.ndjson`
  save(name, text, 'application/x-ndjson')
  if (notes.length > 0) save(nameNotesFile(world), formatNotesFile(notes), 'application/json')
  const beside = notes.length > 0 ? `; ${nameNotesFile(world)} beside it has the notes` : ''
  session.showMessage(`npx otcsim replay ${name} does all of it again${beside}`)
}

function save(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
