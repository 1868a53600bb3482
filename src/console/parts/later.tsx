import { useEffect, useState } from 'preact/hooks'
import type { livePanels } from '../panels/live-panels.ts'

type LivePanels = typeof livePanels

/** Panel that acts on the world, whose code is loaded when one of them is first shown. */
export function Later({ name }: { readonly name: keyof LivePanels }) {
  const [panels, setPanels] = useState<LivePanels | null>(null)
  useEffect(() => {
    let isHere = true
    import('../panels/live-panels.ts').then((loaded) => isHere && setPanels(loaded.livePanels))
    return () => {
      isHere = false
    }
  }, [])
  if (panels === null) return null
  const Shown = panels[name]
  return <Shown />
}
