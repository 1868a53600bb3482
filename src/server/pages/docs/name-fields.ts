import type { BrowserPart, BrowserWatcher } from './browser.ts'

/*
 * Swagger UI draws fields that have no name for people who cannot see them, and scrolling texts that a keyboard cannot
 * reach, and links in buttons. It redraws with each click.
 */

declare const MutationObserver: BrowserWatcher

/** Completes what is drawn in a part of the page, now and whenever that changes. */
export function keepFieldsNamed(part: BrowserPart): void {
  nameFields(part)
  new MutationObserver(() => nameFields(part)).observe(part, { childList: true, subtree: true })
}

function nameFields(part: BrowserPart): void {
  for (const field of part.querySelectorAll('select:not([aria-label]), textarea:not([aria-label])')) {
    const parameter = field.closest('[data-param-name]')?.getAttribute('data-param-name') ?? null
    const name = field.matches('#servers')
      ? 'Server'
      : field.matches('.body-param__text')
        ? 'Request body'
        : parameter
    if (name !== null) field.setAttribute('aria-label', name)
  }
  for (const text of part.querySelectorAll('pre.microlight:not([tabindex])'))
    text.setAttribute('tabindex', '0')
  // These links stand in buttons that lead there as well: a press opens the operation and puts it into the address.
  for (const link of part.querySelectorAll('.opblock-summary-control a[href]')) link.removeAttribute('href')
}
