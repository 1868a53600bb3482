import { defaultOrigin } from '../model/copy-as.ts'

/*
 * Search of the guides: sections that do not contain all the words are hidden, in the text and in the list alike; the words
 * are marked in what is left, and where nothing is, the page says so. On the front page: the address, where a command needs
 * it because it differs from the default.
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
const nothing = document.querySelector<HTMLElement>('#nothing')

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
  markHits(words)
  if (foundLine !== null)
    foundLine.textContent = words.length === 0 ? '' : `${found} of ${sections.length} sections`
  if (nothing === null) return
  nothing.hidden = found > 0
  nothing.querySelector('span')?.replaceChildren(words.join(' and '))
}

/** The most places that are marked: a single letter is in all of them. */
const maximumMarks = 2000

/** Marks the words wherever they stand in the sections that are shown, in browsers that can mark text without changing it. */
function markHits(words: readonly string[]): void {
  if (!('highlights' in CSS)) return
  const ranges: Range[] = []
  const shown = words.length === 0 ? [] : sections.filter(({ section }) => !section.hidden)
  for (const { section } of shown) {
    const walker = document.createTreeWalker(section, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = (node.textContent ?? '').toLowerCase()
      for (const word of words) {
        for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
          if (ranges.length >= maximumMarks) break
          const range = new Range()
          range.setStart(node, at)
          range.setEnd(node, at + word.length)
          ranges.push(range)
        }
      }
    }
  }
  CSS.highlights.set('hit', new Highlight(...ranges))
}

nothing?.querySelector('button')?.addEventListener('click', () => {
  if (field === null) return
  field.value = ''
  search()
  field.focus()
})

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
