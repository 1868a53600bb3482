import { expect, test } from 'vitest'
import type { Chart } from '../../src/pages/chart.ts'
import { drawChart } from '../../src/pages/draw-chart.ts'
import { drawHeatMap } from '../../src/pages/heat-map.ts'
import {
  countHistogram,
  makeFanLayers,
  makeHistogramBars,
  makeNormalOverlay,
} from '../../src/pages/histogram.ts'
import { factsMarkup, paragraph, tableMarkup } from '../../src/pages/html.ts'
import { renderPage } from '../../src/pages/page.ts'
import { formatValue } from '../../src/pages/ticks.ts'

/*
 * Pictures with everything that can be drawn, compared with those in the folder beside this file, which were looked
 * at. A difference must be intended: look at the new ones, too (`vitest -u` writes them).
 */

const places = Array.from({ length: 25 }, (_, place) => place)
const hours = places.map((place) => Date.UTC(2026, 0, 5, 18 + place))
const wave = places.map((place) => 100 + ((place * 37) % 23) - (place % 5))

const everyLayer: Chart = {
  id: 'layers',
  title: 'Every layer',
  description: 'Lines, bands, bars and marks over a day',
  x: { kind: 'time' },
  width: 560,
  panels: [
    {
      title: 'Price, USD',
      layers: [
        { kind: 'span', label: 'night', color: 5, from: Number(hours[4]), to: Number(hours[10]) },
        { kind: 'span', color: 5, from: Number(hours[12]), to: Number(hours[12]) },
        {
          kind: 'band',
          label: 'range',
          color: 2,
          xs: hours,
          lows: wave.map((y) => y - 4),
          highs: wave.map((y) => y + 6),
        },
        {
          kind: 'line',
          label: 'price',
          color: 1,
          xs: hours,
          ys: wave.map((y, place) => (place === 7 ? Number.NaN : y)),
        },
        { kind: 'steps', label: 'mark', color: 3, xs: hours, ys: wave.map((y) => y - 10), isDashed: true },
        { kind: 'rule', label: 'limit', color: 0, axis: 'y', at: 118 },
        { kind: 'rule', color: 4, axis: 'x', at: Number(hours[20]) },
        { kind: 'rule', color: 4, axis: 'y', at: 900 },
        {
          kind: 'markers',
          label: 'bought',
          color: 6,
          shape: 'up',
          xs: hours.slice(2, 5),
          ys: wave.slice(2, 5),
          titles: ['2 < 3', '3'],
        },
        {
          kind: 'markers',
          label: 'sold',
          color: 7,
          shape: 'down',
          xs: hours.slice(8, 9),
          ys: wave.slice(8, 9),
        },
        {
          kind: 'markers',
          label: 'quoted',
          color: 8,
          shape: 'dot',
          xs: [hours[9], hours[9]].map(Number),
          ys: [90, 90],
        },
        { kind: 'markers', label: 'refused', color: 1, shape: 'cross', xs: hours.slice(11, 12), ys: [95] },
      ],
      from: 80,
      to: 130,
    },
    {
      title: 'Profit, USD',
      height: 90,
      suffix: ' $',
      layers: [
        { kind: 'area', label: 'profit', color: 2, xs: hours, ys: wave.map((y) => y - 105) },
        {
          kind: 'bars',
          label: 'fees',
          color: 4,
          froms: hours.slice(0, 24),
          tos: hours.slice(1),
          ys: wave.map((y) => -(y % 7)),
          titles: ['first', 'second'],
        },
      ],
    },
    {
      title: '',
      height: 60,
      layers: [
        {
          kind: 'bars',
          color: 3,
          froms: hours.slice(0, 12),
          tos: hours.slice(2, 14),
          ys: wave,
          bases: wave.map((y) => y - 3),
        },
      ],
    },
  ],
}

const powers = [0.1, 1, 10, 100, 1_000]

const logarithmic: Chart = {
  id: 'powers',
  title: 'Powers',
  description: 'A straight line',
  x: { kind: 'log', label: 'steps', suffix: ' s' },
  panels: [
    {
      title: 'Share',
      isLog: true,
      height: 120,
      layers: [{ kind: 'line', color: 1, xs: powers, ys: powers.map((x) => x * x) }],
    },
    {
      title: 'Fan',
      height: 120,
      includeZero: true,
      layers: makeFanLayers(
        powers,
        places.map((place) => powers.map((_, at) => place * (at + 1))),
      ),
    },
  ],
}

const named: Chart = {
  id: 'names',
  title: 'Names',
  description: 'Bars by name',
  x: { kind: 'names', label: '', names: ['short', 'a name that is much too long for its place', 'third'] },
  width: 300,
  panels: [
    {
      title: 'A long title of a panel',
      layers: [
        {
          kind: 'bars',
          label: 'and a label that needs a row',
          color: 1,
          froms: [-0.4, 0.6, 1.6],
          tos: [0.4, 1.4, 2.4],
          ys: [3, -1, 2],
        },
      ],
    },
  ],
}

const counted = countHistogram(wave)
if (counted === null) throw new Error('There are values')
const normal = makeNormalOverlay(counted, 2)

const distribution: Chart = {
  id: 'distribution',
  title: 'Distribution',
  description: 'Counts',
  x: { kind: 'number', label: '' },
  panels: [
    { title: 'Count', layers: [makeHistogramBars(counted, 'values'), ...(normal === null ? [] : [normal])] },
  ],
}

const heat = (columns: number): string =>
  drawHeatMap({
    id: `heat-${columns}`,
    title: 'By hour',
    description: 'Means',
    rowNames: ['Monday', 'Tue'],
    columnNames: Array.from({ length: columns }, (_, hour) => `${hour}:00`),
    values: [wave, wave.map((y) => 100 - y)].map((row) => [...row.slice(0, columns - 1), Number.NaN]),
    show: (value) => formatValue(value, 1),
  })

test.each<[string, string]>([
  ['layers.svg', drawChart(everyLayer)],
  ['powers.svg', drawChart(logarithmic)],
  ['names.svg', drawChart(named)],
  ['distribution.svg', drawChart(distribution)],
  ['heat-narrow.svg', heat(24)],
  ['heat-wide.svg', heat(6)],
  [
    'page.html.txt',
    renderPage(
      {
        title: 'A page & more',
        lead: factsMarkup([
          ['Seed', '7'],
          ['Span', '<1 day'],
        ]),
        sections: [
          {
            id: 'figures',
            title: 'Figures',
            body:
              paragraph('In USD') +
              tableMarkup({
                caption: 'All',
                head: ['Name', 'Value'],
                rows: [
                  ['a', '1'],
                  ['b', { text: '<2', as: 'code', reason: 'few' }],
                ],
              }),
          },
          { id: 'nothing', title: 'Nothing', body: '' },
        ],
        foot: 'Made from figures alone.',
      },
      (text) => `'sha256-${text.length}'`,
    ),
  ],
])('%s', async (name, picture) => {
  await expect(`${picture.replaceAll('><', '>\n<')}\n`).toMatchFileSnapshot(`pictures/${name}`)
})
