import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Button } from './form.tsx'

interface PanelProps {
  readonly title: string
  readonly aside?: ComponentChildren
  readonly area?: string
  readonly children: ComponentChildren
}

export function Panel({ title, aside, area = '', children }: PanelProps) {
  const id = useId()
  return (
    <section class={`panel ${area}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}

/** Where there is nothing yet: how to get something, by a command to paste where there is one. */
export function Empty({ children, line }: { readonly children: ComponentChildren; readonly line?: string }) {
  return (
    <div class="empty">
      <p>{children}</p>
      {line === undefined ? null : (
        <p class="copy-line">
          <code tabIndex={0}>{line}</code>
          <CopyButton text={line} label="Copy" />
        </p>
      )}
    </div>
  )
}

interface CopyButtonProps {
  readonly text: string
  readonly label: string
  /** What the button says to those who cannot see what stands around it. */
  readonly full?: string
}

export function CopyButton({ text, label, full = label }: CopyButtonProps) {
  return (
    <Button class="quiet" aria-label={full} onClick={(event) => copy(text, event.currentTarget)}>
      {label}
    </Button>
  )
}

/** The clipboard is available on this machine and over HTTPS; elsewhere the text is selected instead. */
async function copy(text: string, button: HTMLElement): Promise<void> {
  const was = button.textContent
  try {
    await navigator.clipboard.writeText(text)
    button.textContent = 'Copied'
  } catch {
    window.prompt('Copy this', text)
  }
  setTimeout(() => {
    button.textContent = was
  }, 1200)
}

interface FiguresProps {
  readonly of: readonly (readonly [name: string, value: ComponentChildren])[]
  readonly class?: string
}

/** Names over their values, side by side; as `facts`, one below the other. */
export const Figures = ({ of, class: look = 'figures' }: FiguresProps) => (
  <dl class={look}>
    {of.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
