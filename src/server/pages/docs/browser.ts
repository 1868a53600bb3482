import type { PageRequest } from './sign-request.ts'

/*
 * The few parts of the browser that the docs page uses. The library's own types would bring the whole DOM into all
 * rooms.
 */

/** An element as part of a page. */
export interface BrowserPart {
  querySelectorAll(selector: string): Iterable<BrowserPart>
  closest(selector: string): BrowserPart | null
  matches(selector: string): boolean
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  removeAttribute(name: string): void
}

/** The class MutationObserver. */
export type BrowserWatcher = new (
  changed: () => void,
) => { observe(part: BrowserPart, what: { readonly childList: true; readonly subtree: true }): void }

export interface BrowserElement extends BrowserPart {
  value: string
  hidden: boolean
  disabled: boolean
  textContent: string | null
  readonly classList: { toggle(name: string, isOn: boolean): void }
  replaceChildren(...children: readonly BrowserElement[]): void
  addEventListener(type: 'submit' | 'change', listener: (event: { preventDefault(): void }) => void): void
}

export interface BrowserDocument {
  getElementById(id: string): BrowserElement
  createElement(name: string): BrowserElement
}

export interface BrowserPlace {
  readonly href: string
  readonly origin: string
}

/** The global of swagger-ui-dist. */
export type SwaggerUi = (options: {
  readonly spec: object
  readonly dom_id: string
  readonly deepLinking: boolean
  readonly displayRequestDuration: boolean
  readonly tryItOutEnabled: boolean
  readonly defaultModelsExpandDepth: number
  readonly filter: boolean
  readonly validatorUrl: null
  readonly syntaxHighlight: { readonly theme: string }
  readonly requestInterceptor: (request: PageRequest) => Promise<PageRequest>
}) => void
