import { useEffect, useState } from 'preact/hooks'
import type { livePanels } from './live-panels.ts'

export type LivePanels = typeof livePanels

/** Returns the panels that act on the world, which are loaded when they are first wanted; null until then. */
export function useLivePanels(isWanted: boolean): LivePanels | null {
  const [panels, setPanels] = useState<LivePanels | null>(null)
  useEffect(() => {
    let isHere = true
    if (isWanted) import('./live-panels.ts').then((loaded) => isHere && setPanels(loaded.livePanels))
    return () => {
      isHere = false
    }
  }, [isWanted])
  return isWanted ? panels : null
}

interface LaterProps {
  readonly name: Exclude<keyof LivePanels, 'OrderLines' | 'openJournal'>
}

/** Panel that acts on the world, which is loaded when it is first shown. */
export function Later({ name }: LaterProps) {
  const panels = useLivePanels(true)
  if (panels === null) return null
  const Shown = panels[name]
  return <Shown />
}
