/*
 * Light or dark theme of every page of the server: the system's, until the user chooses one. This is a script
 * of its own in the head, and not a module, so that it has run before anything is painted. It changes the
 * root's class, which Swagger UI knows as well. `<theme-switch>` is the control.
 */

const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const storageKey = 'otcsim-theme'
const systemIsDark = matchMedia('(prefers-color-scheme: dark)')
let chosen = readStoredTheme()

/**
 * Returns the theme that was chosen here or on another page. Storage may be refused: in private windows, and to
 * pages from files.
 */
function readStoredTheme(): Theme {
  try {
    const kept = localStorage.getItem(storageKey)
    return themes.find((theme) => theme === kept) ?? 'system'
  } catch {
    return 'system'
  }
}

function choose(theme: Theme): void {
  chosen = theme
  try {
    if (theme === 'system') localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, theme)
  } catch {
    // Without storage the choice lasts for as long as the page is open.
  }
  applyTheme()
}

/** Applies the theme. Parts that draw on a canvas listen for `themechange`. */
function applyTheme(): void {
  const isDark = chosen === 'system' ? systemIsDark.matches : chosen === 'dark'
  document.documentElement.classList.toggle('dark-mode', isDark)
  // Until the style is loaded, the browser uses this.
  const scheme = document.querySelector('meta[name="color-scheme"]')
  scheme?.setAttribute('content', isDark ? 'dark' : 'light')
  for (const select of document.querySelectorAll<HTMLSelectElement>('theme-switch select'))
    select.value = chosen
  dispatchEvent(new Event('themechange'))
}

class ThemeSwitch extends HTMLElement {
  connectedCallback(): void {
    const label = document.createElement('label')
    const select = document.createElement('select')
    for (const theme of themes) select.add(new Option(theme, theme, false, theme === chosen))
    select.addEventListener('change', () =>
      choose(themes.find((theme) => theme === select.value) ?? 'system'),
    )
    label.append('Theme', select)
    this.replaceChildren(label)
  }
}

customElements.define('theme-switch', ThemeSwitch)
systemIsDark.addEventListener('change', applyTheme)
// The theme was chosen in another window.
addEventListener('storage', ({ key }) => {
  if (key !== storageKey && key !== null) return
  chosen = readStoredTheme()
  applyTheme()
})
applyTheme()
