/*
 * The style of all pictures. Colours are custom properties, so a page may set its own. The palette is that of Okabe and
 * Ito, which colour-blind people can tell apart. Its pale colours are darkened for light backgrounds and its dark ones
 * lightened for dark backgrounds, until each has a contrast of at least 3 to 1.
 */

const light =
  '--chart-ground:#fff;--chart-ink:#1b1f24;--chart-soft:#57606a;--chart-grid:#e4e7eb;' +
  '--chart-1:#0072b2;--chart-2:#c65100;--chart-3:#008561;--chart-4:#b4457f;' +
  '--chart-5:#2b87bd;--chart-6:#a87400;--chart-7:#7a5af5;--chart-8:#6b7280'

const dark =
  '--chart-ground:#14171c;--chart-ink:#e8eaed;--chart-soft:#a3abb5;--chart-grid:#2b3037;' +
  '--chart-1:#56b4e9;--chart-2:#f08a3c;--chart-3:#2bbf95;--chart-4:#dc8ebb;' +
  '--chart-5:#7fc4ec;--chart-6:#e6b53c;--chart-7:#a594ff;--chart-8:#9aa3ad'

const series = [1, 2, 3, 4, 5, 6, 7, 8]
  .map(
    (color) => `.chart .s${color}{stroke:var(--chart-${color})}.chart .f${color}{fill:var(--chart-${color})}`,
  )
  .join('')

/** The CSS of pictures, which a page includes once. It is light or dark like the system, and always light on paper. */
export const chartStyle: string = [
  `:root{color-scheme:light dark;${light}}`,
  `@media (prefers-color-scheme:dark){:root{${dark}}}`,
  `@media print{:root{${light}}}`,
  '.chart{background:var(--chart-ground);display:block;font:12px system-ui,sans-serif;height:auto;max-width:100%}',
  '.chart text{fill:var(--chart-soft);font-variant-numeric:tabular-nums}',
  '.chart .head{fill:var(--chart-ink);font-weight:600}.chart .key{fill:var(--chart-ink)}',
  '.chart .x{text-anchor:middle}.chart .y{text-anchor:end}',
  '.chart .grid{stroke:var(--chart-grid)}.chart .frame{fill:none;stroke:var(--chart-soft);stroke-opacity:.5}',
  '.chart .line{fill:none;stroke-linejoin:round;stroke-width:1.4}.chart .dashed,.chart .rule{stroke-dasharray:5 3}',
  '.chart .band{fill-opacity:.25}.chart .inner{fill-opacity:.44}.chart .span{fill-opacity:.12}.chart .bar{fill-opacity:.75}',
  '.chart .mark{stroke:var(--chart-ground);stroke-width:.5}.chart .cross{fill:none;stroke-width:1.6}',
  '.chart .s0{stroke:var(--chart-ink)}.chart .f0{fill:var(--chart-ink)}',
  series,
].join('\n')

/** The average width of a character of a label, in pixels. */
export const characterWidth = 6.7
/** The average width of a bold character, as in a title, in pixels. */
export const boldCharacterWidth = 7.5
