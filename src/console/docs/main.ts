import { isObject, jsonField } from '../../api/json.ts'
import { codeSamples } from './code-samples.ts'
import { buildExamples, buildFields, fillSidebar } from './columns.ts'
import { type ListedOperation, listOperations } from './document.ts'
import {
  type KeyChoice,
  keyChoices,
  type PageKey,
  type PageRequest,
  signRequest,
  textField,
} from './sign-request.ts'

/*
 * Script of the docs page: Swagger UI over the OpenAPI document of the venue, or that of the admin API, between a list of the
 * operations and their examples. Every request to the venue is signed with the key that is chosen above it. Everything that
 * the page loads comes from its own server.
 */

/** What a plugin of Swagger UI uses of it. */
interface SwaggerSystem {
  readonly React: {
    readonly createElement: (kind: unknown, props: object | null, ...children: readonly unknown[]) => unknown
  }
  readonly layoutActions: { readonly show: (place: readonly string[], isShown: boolean) => unknown }
}

/** Global function of swagger-ui-dist. */
declare const SwaggerUIBundle: (options: {
  readonly spec: object
  readonly dom_id: string
  readonly deepLinking: boolean
  readonly displayRequestDuration: boolean
  readonly tryItOutEnabled: boolean
  readonly defaultModelsExpandDepth: number
  readonly requestSnippetsEnabled: boolean
  readonly requestSnippets: { readonly generators: object; readonly languages: readonly string[] }
  readonly plugins: readonly object[]
  readonly validatorUrl: null
  readonly syntaxHighlight: { readonly theme: string }
  readonly requestInterceptor: (request: PageRequest) => Promise<PageRequest>
}) => { readonly getSystem: () => SwaggerSystem }

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
const about = findElement('about', HTMLElement)
const sidebar = findElement('operations', HTMLDetailsElement)
const operationList = findElement('operation-list', HTMLElement)
const operationSearch = {
  field: findElement('operation-words', HTMLInputElement),
  status: findElement('operations-found', HTMLElement),
}

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
    const [description, worlds, readings] = await Promise.all([ask(file), ask('worlds'), ask('readings')])
    // Another document has been chosen meanwhile.
    if (file !== interfaceList.value) return
    tokenForm.hidden = true
    choices = keyChoices(worlds)
    showKeys()
    say('', false)
    show(description, readReasons(readings))
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
function show(description: unknown, readings: ReadonlyMap<string, string>): void {
  const url = isVenueInterface() ? location.origin : adminAddress
  const spec = { ...Object(description), servers: [{ url }] }
  const operations = listOperations(description)
  showIntroduction(description)
  const swagger = SwaggerUIBundle({
    spec,
    dom_id: '#docs',
    deepLinking: true,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    defaultModelsExpandDepth: 0,
    // Samples repeat what was sent: programs that sign it again, because a signature is valid for half a minute.
    requestSnippetsEnabled: true,
    requestSnippets: { generators: codeSamples, languages: Object.keys(codeSamples) },
    plugins: [{ fn: sampleWriters }, createColumns(description, operations, url, readings)],
    validatorUrl: null,
    // The default highlighting has numbers that are too dark for their background.
    syntaxHighlight: { theme: 'obsidian' },
    requestInterceptor: sign,
  })
  fillSidebar(operationList, operationSearch, operations, ({ tag, id }) => {
    const { layoutActions } = swagger.getSystem()
    layoutActions.show(['operations-tag', tag], true)
    layoutActions.show(['operations', tag, id], true)
    if (!isWide()) sidebar.open = false
    const block = document.getElementById(`operations-${tag.replaceAll(' ', '_')}-${id}`)
    block?.scrollIntoView({ block: 'start' })
    block?.querySelector<HTMLElement>('.opblock-summary-control')?.focus({ preventScroll: true })
  })
  sidebar.open = isWide()
  watchFieldNames(findElement('docs', HTMLElement))
}

/** The head of the page may have several lines, below which the list sticks. */
const head = document.querySelector('.top')
if (head !== null)
  new ResizeObserver(() => {
    document.documentElement.style.setProperty('--head', `${head.clientHeight + 1}px`)
  }).observe(head)

/** Returns whether the list of operations stands beside them, not above. */
const isWide = (): boolean => matchMedia('(min-width: 900px)').matches

/** Shows what the document says of itself, closed, so that the operations begin on the first screen. */
function showIntroduction(description: unknown): void {
  const info = jsonField(description, 'info')
  const paragraphs = textField(info, 'description')
    .split('\n\n')
    .map((text) => {
      const paragraph = document.createElement('p')
      paragraph.textContent = text.replaceAll('`', '')
      return paragraph
    })
  about.replaceChildren(...paragraphs)
}

/** Returns why each reading has its default, by its key. */
function readReasons(readings: unknown): ReadonlyMap<string, string> {
  const rows = jsonField(readings, 'readings')
  const list: readonly unknown[] = Array.isArray(rows) ? rows : []
  return new Map(
    list
      .filter(isObject)
      .map((row) => [textField(row, 'key'), `${textField(row, 'default')}: ${textField(row, 'why')}`]),
  )
}

/** Creates the plugin that puts an operation's fields below its block, and its examples beside it. */
function createColumns(
  description: unknown,
  operations: readonly ListedOperation[],
  origin: string,
  readings: ReadonlyMap<string, string>,
): object {
  const host = {
    origin,
    currentKey: () => (isVenueInterface() ? (choices[Number(keyList.value)]?.key ?? null) : null),
    sign,
  }
  /**
   * Returns the function that fills an element once Swagger UI has made it. For Swagger UI the element stays empty, so
   * it never changes the content.
   */
  const fillOnce = (build: () => HTMLElement) => (element: HTMLElement | null) => {
    if (element !== null && element.childElementCount === 0) element.append(build())
  }
  const find = (path: unknown, method: unknown): ListedOperation | undefined =>
    operations.find((one) => one.path === path && one.method === String(method).toUpperCase())
  interface BlockProps {
    readonly operation: { readonly get: (name: string) => unknown }
  }
  interface AnswersProps {
    readonly path: string
    readonly method: string
  }
  return {
    wrapComponents: {
      operation:
        (block: unknown, { React: { createElement } }: SwaggerSystem) =>
        (props: BlockProps) => {
          const found = find(props.operation.get('path'), props.operation.get('method'))
          const isShown = props.operation.get('isShown') === true && found !== undefined
          const ref = isShown ? fillOnce(() => buildExamples(found, host)) : null
          const beside = isShown ? [createElement('div', { key: 'examples', className: 'beside', ref })] : []
          const className = isShown ? 'operation-row shown' : 'operation-row'
          return createElement('div', { className }, createElement(block, props), ...beside)
        },
      responses:
        (block: unknown, { React: { createElement } }: SwaggerSystem) =>
        (props: AnswersProps) => {
          const found = find(props.path, props.method)
          const ref = found === undefined ? null : fillOnce(() => buildFields(description, found, readings))
          return createElement('div', {}, createElement('div', { ref }), createElement(block, props))
        },
    },
  }
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
