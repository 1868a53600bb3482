import { openJournal } from '../model/open-journal.ts'
import { ControlsPanel, ReadingsPanel } from './controls-panel.tsx'
import { EquityOverlay } from './equity-overlay.tsx'
import { FaultForm } from './fault-form.tsx'
import { OrderLines } from './order-lines.tsx'
import { TicketPanel } from './ticket-panel.tsx'
import { WorldsPanel } from './worlds-panel.tsx'

/** What acts on a world that goes on. A recording has none of it, and a page loads it behind what shows the world. */
export const livePanels = {
  TicketPanel,
  ControlsPanel,
  ReadingsPanel,
  WorldsPanel,
  FaultForm,
  EquityOverlay,
  OrderLines,
  openJournal,
}
