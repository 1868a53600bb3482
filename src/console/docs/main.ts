import { codeSamples } from './code-samples.ts'
import {
  type KeyChoice,
  keyChoices,
  type PageKey,
  type PageRequest,
  signRequest,
  textField,
} from './sign-request.ts'

/*
 * Script of the docs page: Swagger UI over the OpenAPI document of the venue, or that of the admin API. Every
 * request to the venue is signed with the key that is chosen above it. Everything that the page loads comes
 * from its own server.
 */

/** Global function of swagger-ui-dist. */
declare const SwaggerUIBundle: (options: {
  readonly spec: object
  readonly dom_id: string
  readonly deepLinking: boolean
  readonly displayRequestDuration: boolean
  readonly tryItOutEnabled: boolean
  readonly defaultModelsExpandDepth: number
  readonly filter: boolean
  readonly requestSnippetsEnabled: boolean
  readonly requestSnippets: { readonly generators: object }
  readonly plugins: readonly { readonly fn: object }[]
  readonly validatorUrl: null
  readonly syntaxHighlight: { readonly theme: string }
  readonly requestInterceptor: (request: PageRequest) => Promise<PageRequest>
}) => void

/** Returns an element of the page, or throws where there is none. */
function findElement<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id)
  if (element instanceof kind) return element
  throw new TypeError(`the page has no ${kind.name} ${id}`)
}

const interfaceList = findElement('interface', HTMLSelectElement)
const keyList = findElement('key', HTMLSelectElement)
const status = findElement('status', HTMLElement)
const tokenForm = findElement('token-form', HTMLFormElement)
const token = findElement('token', HTMLInputElement)

/** Address of the admin API without a trailing slash. */
const adminAddress = new URL('..', location.href).href.slice(0, -1)

let choices: readonly KeyChoice[] = []

tokenForm.addEventListener('submit', (event) => {
  event.preventDefault()
  open()
})
interfaceList.addEventListener('change', open)
open()

async function open(): Promise<void> {
  say('Loading', false)
  const file = interfaceList.value
  try {
    const [description, worlds] = await Promise.all([ask(file), ask('worlds')])
    // Another document has been chosen meanwhile.
    if (file !== interfaceList.value) return
    tokenForm.hidden = true
    choices = keyChoices(worlds)
    showKeys()
    say('', false)
    show(description)
  } catch (failure) {
    say(failure instanceof Error ? failure.message : String(failure), true)
  }
}

/** Sends a GET request to the admin API, and shows the token form where the server asks for a token. */
async function ask(path: string): Promise<unknown> {
  const response = await fetch(`${adminAddress}/${path}`, { headers: authorization() })
  if (response.status === 401) {
    tokenForm.hidden = false
    throw new Error('This server asks for its admin token')
  }
  if (!response.ok) throw new Error(`The server answered ${response.status}`)
  return response.json()
}

function authorization(): Record<string, string> {
  return token.value === '' ? {} : { Authorization: `Bearer ${token.value}` }
}

function isVenueInterface(): boolean {
  return interfaceList.value === 'openapi.json'
}

function showKeys(): void {
  const labels = [...choices.map(({ label }) => label), 'nobody: not signed']
  const options = labels.map((label, index) => {
    const option = document.createElement('option')
    option.value = String(index)
    option.textContent = label
    return option
  })
  keyList.replaceChildren(...options)
  keyList.disabled = !isVenueInterface()
}

/**
 * Shows a document. Its requests go to the page's own server, whatever address the document names, because no
 * other origin is allowed.
 */
function show(description: unknown): void {
  const url = isVenueInterface() ? location.origin : adminAddress
  const spec = { ...Object(description), servers: [{ url }] }
  SwaggerUIBundle({
    spec,
    dom_id: '#docs',
    deepLinking: true,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    defaultModelsExpandDepth: 0,
    filter: true,
    // Samples repeat what was sent: a line for each kind of shell, and programs that sign it again.
    requestSnippetsEnabled: true,
    requestSnippets: { generators: codeSamples },
    plugins: [{ fn: sampleWriters }],
    validatorUrl: null,
    // The default highlighting has numbers that are too dark for their background.
    syntaxHighlight: { theme: 'obsidian' },
    requestInterceptor: sign,
  })
  watchFieldNames(findElement('docs', HTMLElement))
}

/** Writers of the samples. Swagger UI finds them by name and passes them the request as it was sent. */
const sampleWriters = Object.fromEntries(
  Object.entries(codeSamples).map(([language, { write }]) => [
    `requestSnippetGenerator_${language}`,
    (sent: { toJS(): PageRequest }) => {
      const request = sent.toJS()
      const apiKey = request.headers['X-API-Key']
      return write(request, choices.find(({ key }) => key.apiKey === apiKey)?.key ?? null)
    },
  ]),
)

async function sign(request: PageRequest): Promise<PageRequest> {
  if (request.url.startsWith(`${adminAddress}/`)) {
    Object.assign(request.headers, authorization())
    return request
  }
  const choice = choices[Number(keyList.value)]
  if (choice === undefined) return request
  const { text, signature } = signRequest(request, choice.key, location.origin, await readTime(choice.key))
  findElement('signed-text', HTMLElement).textContent = text
  findElement('signed-signature', HTMLElement).textContent = signature
  findElement('signed', HTMLElement).hidden = false
  return request
}

/**
 * Returns the time to sign with: the world's own if it checks timestamps by its clock, else the wall clock's.
 */
async function readTime({ clock, world }: PageKey): Promise<number> {
  if (clock === 'wall') return Date.now()
  return Date.parse(textField(await ask(`worlds/${encodeURIComponent(world)}`), 'now'))
}

function say(text: string, isBad: boolean): void {
  status.textContent = text
  status.classList.toggle('bad', isBad)
}

/*
 * Swagger UI renders fields without accessible names, scrolling texts that a keyboard cannot reach, headings of
 * too deep a level, landmarks that are none, and links in buttons. It renders again with each click.
 */

/** Landmarks beside Swagger UI's `main`: selector, role and label. */
const landmarks = [
  ['.information-container', 'region', 'About this interface'],
  ['.schemes-server-container', 'region', 'Servers'],
  ['.filter-container', 'search', 'Operations'],
] as const

/** Names the fields of a part of the page, now and whenever the part changes. */
function watchFieldNames(part: Element): void {
  nameFields(part)
  new MutationObserver(() => nameFields(part)).observe(part, { childList: true, subtree: true })
}

function nameFields(part: Element): void {
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
  for (const heading of part.querySelectorAll(':is(h3, h4, h5):not([aria-level])'))
    heading.setAttribute('aria-level', heading.matches('h3') ? '2' : heading.matches('h4') ? '3' : '4')
  for (const [selector, role, label] of landmarks)
    for (const found of part.querySelectorAll(`${selector}:not([role])`)) {
      found.setAttribute('role', role)
      found.setAttribute('aria-label', label)
    }
  for (const table of part.querySelectorAll('table[role=region]')) table.setAttribute('role', 'table')
  // These links are in buttons that lead to the same target: pressing one opens the operation and puts it into
  // the address.
  for (const link of part.querySelectorAll('.opblock-summary-control a[href]')) link.removeAttribute('href')
}
