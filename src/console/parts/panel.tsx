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

/** Placeholder of an empty panel: how to get something, with a command to paste where there is one. */
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
  /** Label for screen readers, which do not show the button's context. */
  readonly full?: string
}

export function CopyButton({ text, label, full = label }: CopyButtonProps) {
  return (
    <Button class="quiet" aria-label={full} onClick={(event) => copy(text, event.currentTarget)}>
      {label}
    </Button>
  )
}

/**
 * Copies a text. The clipboard is available on localhost and over HTTPS; elsewhere a prompt shows the text for
 * copying.
 */
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

/** List of names and values, side by side; with the class `facts`, one below the other. */
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
