import { openJournal } from '../model/open-journal.ts'
import { ControlsPanel, ReadingsPanel } from './controls-panel.tsx'
import { EquityOverlay } from './equity-overlay.tsx'
import { FaultForm } from './fault-form.tsx'
import { OrderLines } from './order-lines.tsx'
import { TicketPanel } from './ticket-panel.tsx'
import { WorldsPanel } from './worlds-panel.tsx'

/**
 * The panels that act on a live world. A recording has none of them, and a page loads them after the panels that show
 * the world.
 */
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
