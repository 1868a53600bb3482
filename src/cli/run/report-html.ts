import { formatDuration } from '../../numeric/time-text.ts'
import { chartStyle } from '../../pages/style.ts'
import { failureLines } from './failure-lines.ts'
import { figureText } from './report-pretty.ts'
import { drawRun } from './run-pictures.ts'
import { failuresOf, isOverall, type RunReport } from './run-report.ts'

/** One file that opens from anywhere: no scripts, no fonts, no address. Equal runs give equal bytes. */
export function htmlReport(reports: readonly RunReport[], sources: ReadonlyMap<string, string>): string {
  const failed = reports.filter(({ ok }) => !ok).length
  const verdict =
    failed === 0 ? `All ${reports.length} runs passed` : `${failed} of ${reports.length} runs failed`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>otcsim: ${escapeHtml(verdict)}</title>
<style>${chartStyle}${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(verdict)}</h1>
${overview(reports)}
${reports.map((report, place) => section(report, place, sources)).join('\n')}
</main>
</body>
</html>
`
}

function overview(reports: readonly RunReport[]): string {
  const rows = reports.map((report, place) => {
    const held = report.checks.length - failuresOf(report).length
    return `<tr><td>${verdictOf(report)}</td><td><a href="#run-${place}">${escapeHtml(report.name)}</a></td><td>${isOverall(report) ? 'all' : escapeHtml(report.seed)}</td><td>${held} of ${report.checks.length}</td><td><code>${report.digest}</code></td></tr>`
  })
  return `<table><thead><tr><th>Result</th><th>Scenario</th><th>Seed</th><th>Expectations held</th><th>Digest</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`
}

const verdictOf = ({ ok }: RunReport): string =>
  ok ? '<span class="ok">✓ passed</span>' : '<span class="bad">✗ failed</span>'

function section(report: RunReport, place: number, sources: ReadonlyMap<string, string>): string {
  const parts = [
    `<section id="run-${place}">`,
    `<h2>${escapeHtml(report.name)}</h2>`,
    `<p>${[verdictOf(report), escapeHtml(report.file), ...courseOf(report)].join(' · ')}</p>`,
    ...failuresOf(report).map((failed) => {
      const { place: at, message } = failed
      const lines = failureLines(failed, report, sources)
      return `<article class="failure"><h3>${escapeHtml(message ?? 'An expectation failed')}</h3><p><code>${escapeHtml(`${at.file}:${at.line}:${at.column}`)}</code></p><pre>${escapeHtml(lines.join('\n'))}</pre></article>`
    }),
    expectations(report),
    figures(report),
    ...(report.series === null ? [] : drawRun(report.series, place).map((svg) => `<figure>${svg}</figure>`)),
    details('Fills', report.fills, report.fillCount),
    details('Refused actions', report.refusals, report.refusals.length),
    details('Balances that moved', report.balances, report.balances.length),
    '</section>',
  ]
  return parts.filter((part) => part !== '').join('\n')
}

function courseOf(report: RunReport): readonly string[] {
  if (isOverall(report)) return []
  return [
    `seed “${escapeHtml(report.seed)}”`,
    `${formatDuration(report.spanMillis)} of virtual time`,
    counted(report.sequence, 'command'),
    counted(report.fillCount, 'fill'),
  ]
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

function expectations({ checks }: RunReport): string {
  if (checks.length === 0) return ''
  const rows = checks.map(
    ({ text, message, place, failure }) =>
      `<tr><td>${failure === null ? '<span class="ok">✓ held</span>' : '<span class="bad">✗ failed</span>'}</td><td><code>${escapeHtml(text)}</code>${message === null ? '' : `<br>${escapeHtml(message)}`}</td><td><code>${escapeHtml(`${place.file}:${place.line}`)}</code></td></tr>`,
  )
  return `<h3>Expectations</h3><table><thead><tr><th>Result</th><th>Expectation</th><th>Place</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`
}

function figures({ figures: rows }: RunReport): string {
  if (rows.length === 0) return ''
  const cells = rows.map(
    ({ account, name, value }) =>
      `<tr><td>${escapeHtml(account)}</td><td>${escapeHtml(name)}</td><td class="number">${value === null ? 'n/a' : figureText(value)}</td></tr>`,
  )
  return `<h3>Figures</h3><table><thead><tr><th>Account</th><th>Figure</th><th>Value</th></tr></thead><tbody>${cells.join('\n')}</tbody></table>`
}

function details(title: string, lines: readonly string[], count: number): string {
  if (lines.length === 0) return ''
  const rest = count > lines.length ? `\nand ${count - lines.length} more` : ''
  return `<details><summary>${title} (${count})</summary><pre>${escapeHtml(lines.join('\n') + rest)}</pre></details>`
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const style = `
:root { color-scheme: light dark; --ok: #00694d; --bad: #a8321f; --line: #8886; }
@media (prefers-color-scheme: dark) { :root { --ok: #4fd1a5; --bad: #ff9d8a; } }
body { background: var(--chart-ground); color: var(--chart-ink); font: 16px/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
th, td { text-align: left; vertical-align: top; padding: .25rem .5rem; border-bottom: 1px solid var(--line); }
td:last-child { min-width: 9rem; }
@media (max-width: 40rem) { table { display: block; overflow-x: auto; } td code { overflow-wrap: normal; } }
.number { text-align: right; font-variant-numeric: tabular-nums; }
pre { overflow-x: auto; padding: .5rem; border: 1px solid var(--line); }
code { overflow-wrap: anywhere; }
figure { margin: 1rem 0; }
figure svg { max-width: 100%; height: auto; }
.ok { color: var(--ok); } .bad { color: var(--bad); }
.failure { border-left: .25rem solid var(--bad); padding-left: 1rem; }
`
