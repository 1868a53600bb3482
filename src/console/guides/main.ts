import { defaultOrigin } from '../model/copy-as.ts'

/*
 * Search of the guides: sections that do not contain all the words are hidden, in the text and in the list
 * alike. On the front page: the address, where a command needs it because it differs from the default.
 */

const address = document.querySelector('#address')
if (address !== null && location.origin !== defaultOrigin) address.textContent = ` --url ${location.origin}`

const field = document.querySelector<HTMLInputElement>('#words')
const foundLine = document.querySelector('#found')
const sections = [...document.querySelectorAll<HTMLElement>('main section')].map((section) => ({
  section,
  text: (section.textContent ?? '').toLowerCase(),
  line: document.querySelector<HTMLElement>(`nav a[href="#${section.id}"]`)?.closest('li') ?? null,
}))
const articles = [...document.querySelectorAll<HTMLElement>('main article')]

function search(): void {
  const words = (field?.value ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  let found = 0
  for (const { section, text, line } of sections) {
    const isFound = words.every((word) => text.includes(word))
    if (isFound) found += 1
    section.hidden = !isFound
    if (line !== null && line.querySelector('ul') === null) line.hidden = !isFound
  }
  for (const article of articles) article.hidden = article.querySelector('section:not([hidden])') === null
  if (foundLine !== null)
    foundLine.textContent = words.length === 0 ? '' : `${found} of ${sections.length} sections`
}

field?.addEventListener('input', search)
addEventListener('keydown', (event) => {
  if (event.key !== '/' || document.activeElement === field) return
  event.preventDefault()
  field?.focus()
})
// A link to a section that the search has hidden shows all sections again.
addEventListener('hashchange', () => {
  if (field === null || document.querySelector(`${location.hash || 'main'}:not([hidden])`) !== null) return
  field.value = ''
  search()
  document.querySelector(location.hash)?.scrollIntoView()
})
