import type { Page } from 'playwright-core'

/**
 * The structure of what a screen shows, without a pixel of text: its named parts from left to right and from top to
 * bottom, each with the columns that it takes (of twelve), whether two of them lie on each other, and which of the
 * page's colours each canvas has.
 */
export async function pictureOf(page: Page): Promise<readonly string[]> {
  return JSON.parse(String(await page.evaluate(`JSON.stringify((${structure})())`)))
}

/**
 * How a console lies on a wide screen: the market with the account's orders, the book at full height, and the requests with
 * the ticket fill the screen; what is about money, limits and controls lies below.
 */
export const panelsOfAConsole = [
  'Market: 0 to 7',
  'Orders: 0 to 7',
  'Portfolio: 0 to 4',
  'Timeline: 0 to 12',
  'Risk limits: 4 to 8',
  'Order book: 7 to 9',
  'Controls: 8 to 12',
  'Requests and history: 9 to 12',
  'Ticket: 9 to 12',
]

const structure = `() => {
  const nameOf = (part) => part.ariaLabel ?? document.getElementById(part.getAttribute('aria-labelledby'))?.textContent
  const parts = [...document.querySelectorAll('main section.panel, .banner[aria-label], .timeline')].map((part) => {
    const { left, right, top, bottom } = part.getBoundingClientRect()
    return { name: nameOf(part), left, right, top: part.matches('.timeline') ? Infinity : top, bottom, part }
  })
  const column = (pixels) => Math.round((pixels / innerWidth) * 12)
  parts.sort((one, other) => column(one.left) - column(other.left) || one.top - other.top)
  const panels = parts.filter(({ part }) => part.matches('.panel'))
  const overlaps = panels.flatMap((one, place) => panels.slice(place + 1).flatMap((other) => {
    const isApart = one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top
    return isApart ? [] : [one.name + ' lies on ' + other.name]
  }))
  const colours = (part) => {
    const style = getComputedStyle(part)
    const drawn = [...part.querySelectorAll('canvas')].map((canvas) =>
      canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data)
    const marks = [...part.querySelectorAll('.mark')].map((mark) =>
      [...getComputedStyle(mark).backgroundColor.match(/\\d+/g).map(Number), 255])
    // Edges are of the same colour, but paler; behind what is drawn there is nothing.
    const isSeen = (name) => {
      const wanted = [1, 3, 5].map((at) => parseInt(style.getPropertyValue('--' + name).trim().slice(at, at + 2), 16))
      return [...drawn, ...marks].some((data) => {
        for (let at = 0; at < data.length; at += 4)
          if (data[at + 3] > 90 && wanted.every((part, place) => Math.abs(data[at + place] - part) < 6)) return true
        return false
      })
    }
    return ['accent', 'up', 'down', 'bad', 'past', 'lane-quotes'].filter(isSeen).join(' ')
  }
  return [
    ...parts.map(({ name, left, right }) => name + ': ' + column(left) + ' to ' + column(right)),
    ...overlaps,
    ...['.chart', '.lanes'].map((which) => which + ': ' + colours(document.querySelector(which))),
  ]
}`
