import type { Aggregate } from '../../src/results/aggregate.js'
import type { Chart, Drawing } from './chart.js'
import { intensityDrawings, stepsDrawings, trainingDrawings } from './curves.js'
import { dumbbellDrawings } from './dumbbell.js'
import { heatMapDrawings } from './heat-map.js'
import { embed, frame, wordsOf } from './_frame.js'

/** The charts by name, in the order of the page. */
const drawings: Readonly<Record<string, (aggregate: Aggregate) => readonly Drawing[]>> = {
  'training-curve': trainingDrawings,
  'robustness-profile': dumbbellDrawings,
  'heat-map': heatMapDrawings,
  steps: stepsDrawings,
  intensity: intensityDrawings,
}

/** Whether a file has the name of a chart, of all environments or of one. */
export function isChartFile(file: string): boolean {
  return new RegExp(`^charts/(${Object.keys(drawings).join('|')})(-[a-z0-9-]+)?\\.svg$`).test(file)
}

/**
 * Every chart for which a run has figures, in a fixed order. Each is a file of its own; `embedded` ones are for a page
 * that includes `chartStyle` and writes their title and caption itself: they have none of these and no background. No
 * element has a style attribute, and ids of several charts never clash.
 */
export function chartsOf(
  aggregate: Aggregate,
  { embedded = false }: { readonly embedded?: boolean } = {},
): readonly Chart[] {
  const slugs = slugsOf(aggregate.environments.map(({ name }) => name))
  return Object.entries(drawings).flatMap(([name, draw]) =>
    draw(aggregate).map((drawing) => {
      const { environment } = drawing
      const alone = environment === undefined || slugs.size === 1
      const file = alone ? name : `${name}-${slugs.get(environment)!}`
      const words = wordsOf(aggregate, drawing)
      return {
        name,
        ...(environment !== undefined && { environment }),
        file,
        ...words,
        notes: drawing.notes,
        svg: (embedded ? embed : frame)(drawing, words, file),
      }
    }),
  )
}

/** A unique name for each environment that is safe in files and ids. */
function slugsOf(names: readonly string[]): ReadonlyMap<string, string> {
  const slugs = new Map<string, string>()
  const taken = new Set<string>()
  for (const name of names) {
    const plain =
      name
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .slice(0, 40)
        .replace(/^-+|-+$/g, '') || 'environment'
    let slug = plain
    for (let number = 2; taken.has(slug); number++) slug = `${plain}-${String(number)}`
    taken.add(slug)
    slugs.set(name, slug)
  }
  return slugs
}
