import { drawNamedPanels } from './_named-panels.js'
import type { Axes, Section } from './_panel.js'
import { drawPanelGrid } from './_panel-grid.js'

/** The marks of something and how high they are. */
export interface Drawn {
  readonly marks: string
  readonly height: number
}

/**
 * A few panels stand under each other with a name at the end of each line; more are small, side by side, with a key
 * over them.
 */
export function drawPanels(sections: readonly Section[], axes: Axes): Drawn {
  const panels = sections.flatMap((section) => section.panels)
  return panels.length <= maxNamed ? drawNamedPanels(panels, axes) : drawPanelGrid(sections, axes)
}

const maxNamed = 4
