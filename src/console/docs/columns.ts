import { codeSamples, quoteWord } from './code-samples.ts'
import {
  buildExample,
  findAnswer,
  findBodySchema,
  type ListedField,
  type ListedOperation,
  listFields,
} from './document.ts'
import type { PageKey, PageRequest } from './sign-request.ts'

/*
 * What stands beside Swagger UI's blocks: the list of operations on the left, tables of fields below a block, and examples on
 * the right.
 */

/** Creates an element with a class, and with children or a text in it. */
function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  if (className !== '') element.className = className
  element.append(...children)
  return element
}

/**
 * Fills the list of operations, a heading for each tag. `open` is called with the operation that is chosen. Typing in `field`
 * hides what does not contain all the words, and `status` says when nothing is left.
 */
export function fillSidebar(
  list: HTMLElement,
  { field, status }: { readonly field: HTMLInputElement; readonly status: HTMLElement },
  operations: readonly ListedOperation[],
  open: (operation: ListedOperation) => void,
): void {
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  const groups = tags.map((tag) => {
    const lines = operations
      .filter((operation) => operation.tag === tag)
      .map((operation) => createLine(operation, open))
    const items = create('ul', '', ...lines.map(({ line }) => line))
    return { lines, part: create('section', '', create('h2', '', tag), items) }
  })
  list.replaceChildren(...groups.map(({ part }) => part))
  const search = (): void => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
    let found = 0
    for (const { lines, part } of groups) {
      for (const { line, text } of lines) {
        line.hidden = !words.every((word) => text.includes(word))
        if (!line.hidden) found += 1
      }
      part.hidden = lines.every(({ line }) => line.hidden)
    }
    status.textContent = found === 0 ? `Nothing found: no operation has ${words.join(' and ')}` : ''
  }
  field.oninput = search
  search()
}

function createLine(operation: ListedOperation, open: (operation: ListedOperation) => void) {
  const { id, method, path, summary, tag } = operation
  const link = create('a', '', create('span', `method ${method.toLowerCase()}`, method), ` ${summary}`)
  link.href = `#/${tag.replaceAll(' ', '_')}/${id}`
  link.title = `${method} ${path}`
  link.addEventListener('click', (event) => {
    event.preventDefault()
    open(operation)
  })
  return {
    line: create('li', '', link),
    text: `${method} ${path} ${summary} ${id} ${tag}`.toLowerCase(),
  }
}

/** Builds the tables of an operation's fields: those of its body, and those of its answer. */
export function buildFields(
  description: unknown,
  { part, id }: ListedOperation,
  readings: ReadonlyMap<string, string>,
): HTMLElement {
  const answer = findAnswer(part)
  const tables = [
    { title: 'Fields of the body', fields: listFields(description, findBodySchema(part)) },
    {
      title: answer === null ? '' : `Fields of the answer, ${answer.status}`,
      fields: answer === null ? [] : listFields(description, answer.schema),
    },
  ]
  return create(
    'div',
    'fields',
    ...tables
      .filter(({ fields }) => fields.length > 0)
      .map(({ title, fields }) => buildTable(`${title} of ${id}`, title, fields, readings)),
  )
}

function buildTable(
  name: string,
  title: string,
  fields: readonly ListedField[],
  readings: ReadonlyMap<string, string>,
): HTMLElement {
  const heads = ['Field', 'Type', 'What it is'].map((text) => {
    const head = create('th', '', text)
    head.scope = 'col'
    return head
  })
  const rows = fields.map(({ name: field, type, isRequired, about, limits }) => {
    const head = create('th', '', create('code', '', field))
    head.scope = 'row'
    if (isRequired) head.append(create('span', 'required', ' required'))
    const text = create('td', '', ...linkReadings(about, readings))
    if (limits !== '') text.append(create('span', 'limits', limits))
    return create('tr', '', head, create('td', 'type', type), text)
  })
  const table = create(
    'table',
    '',
    create('caption', '', title),
    create('thead', '', create('tr', '', ...heads)),
    create('tbody', '', ...rows),
  )
  const scrolled = create('div', 'table', table)
  scrolled.tabIndex = 0
  scrolled.setAttribute('role', 'region')
  scrolled.setAttribute('aria-label', name)
  return scrolled
}

/** Turns the keys of readings in a text into links to the guide, with the reason of the default as their title. */
function linkReadings(text: string, readings: ReadonlyMap<string, string>): readonly (Node | string)[] {
  return text.split(/([A-Za-z]+(?:\.[A-Za-z]+)+)/).map((word) => {
    const why = readings.get(word)
    if (why === undefined) return word
    const link = create('a', '', create('code', '', word))
    link.href = '../guides/#interface-readings'
    link.title = why
    return link
  })
}

/** What examples ask of the page. */
interface ExampleHost {
  readonly origin: string
  /** Returns the key that is chosen; null for requests that are not signed. */
  readonly currentKey: () => PageKey | null
  /** Signs a request at this moment. */
  readonly sign: (request: PageRequest) => Promise<PageRequest>
}

/**
 * Builds the examples of an operation: its request in each language, and the answer. `Copy` takes curl with a signature of
 * that moment; the other texts sign themselves when they run.
 */
export function buildExamples(
  operation: ListedOperation,
  { origin, currentKey, sign }: ExampleHost,
): HTMLElement {
  const example = buildExample(operation)
  const prepare = (): PageRequest => {
    const key = currentKey()
    const content: Record<string, string> = example.body === '' ? {} : { 'Content-Type': 'application/json' }
    return {
      url: origin + example.target,
      method: example.method,
      ...(example.body === '' ? {} : { body: example.body }),
      headers: key === null ? content : { ...content, 'X-API-Key': key.apiKey },
    }
  }
  const writers = new Map<string, (isCopied: boolean) => Promise<string>>([
    [
      'curl',
      async (isCopied) => {
        const request = prepare()
        if (isCopied) return formatCurl(await sign(request))
        const made = { 'X-API-Timestamp': 'made when copied', 'X-API-Signature': 'made when copied' }
        if (currentKey() !== null) Object.assign(request.headers, made)
        return formatCurl(request)
      },
    ],
    ...Object.values(codeSamples).map(
      ({ title, write }) => [title, async () => write(prepare(), currentKey())] as const,
    ),
  ])
  const languages = create('select', '', ...[...writers.keys()].map((name) => new Option(name)))
  languages.setAttribute('aria-label', `Language of the example of ${operation.id}`)
  const shown = create('code', '')
  const said = create('span', 'said')
  said.setAttribute('role', 'status')
  const show = async (): Promise<void> => {
    shown.textContent = (await writers.get(languages.value)?.(false)) ?? ''
    said.textContent = ''
  }
  const copy = create('button', '', 'Copy')
  copy.type = 'button'
  copy.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText((await writers.get(languages.value)?.(true)) ?? '')
      said.textContent = languages.value === 'curl' ? 'copied, signed for the next 30 seconds' : 'copied'
    } catch {
      said.textContent = 'the browser does not allow copying'
    }
  })
  languages.addEventListener('change', show)
  show()
  const part = create(
    'div',
    'examples',
    create('div', 'bar-of-example', languages, copy, said),
    createText(shown, `Example of ${operation.id}`),
    ...buildAnswer(operation),
  )
  part.setAttribute('role', 'group')
  part.setAttribute('aria-label', `Examples of ${operation.id}`)
  return part
}

/** Builds the example of an operation's answer; nothing where the document has none. */
function buildAnswer({ id, part }: ListedOperation): readonly HTMLElement[] {
  const answer = findAnswer(part)
  if (answer?.example === undefined) return []
  const text = create('code', '', JSON.stringify(answer.example, null, 2))
  return [create('p', 'answer', `Answers ${answer.status}`), createText(text, `Answer of ${id}`)]
}

function createText(code: HTMLElement, name: string): HTMLElement {
  const text = create('pre', '', code)
  text.tabIndex = 0
  text.setAttribute('role', 'region')
  text.setAttribute('aria-label', name)
  return text
}

function formatCurl({ method = 'GET', url, headers, body }: PageRequest): string {
  const lines = [`curl -X ${method} ${quoteWord(url)}`]
  for (const [name, value] of Object.entries(headers)) lines.push(`  -H ${quoteWord(`${name}: ${value}`)}`)
  if (typeof body === 'string') lines.push(`  -d ${quoteWord(body)}`)
  return lines.join(' \\\n')
}
