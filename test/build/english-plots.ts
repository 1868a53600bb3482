const own = "new Intl.NumberFormat(domEnv ? nav.language : 'en-US')"

/**
 * uPlot writes numbers as the pages do, in English. While it loads it would make a formatter of the browser's language,
 * which under LANG=C is `en-US@posix`: Intl refuses that, and the page would stay blank. It has no option for it.
 */
export function englishPlots() {
  return {
    name: 'english-plots',
    transform(code: string, id: string) {
      if (!id.endsWith('uPlot.esm.js')) return null
      if (!code.includes(own))
        throw new Error(`uPlot no longer says ${own}: see whether it takes every language`)
      return { code: code.replace(own, "new Intl.NumberFormat('en-US')"), map: null }
    },
  }
}
