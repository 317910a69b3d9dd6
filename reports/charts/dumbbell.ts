import type { Aggregate } from '../../src/results/aggregate.js'
import type { FamilyProfile } from '../../src/results/schema.js'
import { speaksOf } from '../../src/results/statements.js'
import { percent, points } from '../../src/results/summary/figures.js'
import type { Drawing, PlotOfHeight } from './_plot.js'
import { figures, gridLines, lineOfText, loadPlot, nameRoom, percentTicks, rowNames } from './_plot.js'
import { subjectName, textSize, zeroLine } from './_plot.js'
import { light } from './palette.js'

const figureWidth = 52
const rowHeight = 17
const footHeight = 18

/**
 * The robustness profile: for each family a line from the clean to the perturbed success rate with the interval of the
 * change around the latter, the most harmful family first, a block for each model.
 */
export function dumbbellDrawings(aggregate: Aggregate): Drawing[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const here = aggregate.profiles.filter((profile) => profile.environment === environment)
    const shown = here.flatMap((profile) => {
      const families = profile.families.filter(({ success }) => success.mean !== undefined)
      return families.length === 0 ? [] : { title: subjectName(aggregate, profile), families }
    })
    if (shown.length === 0) return []
    const names = shown.flatMap(({ families }) => families.map(({ family }) => family))
    const nameWidth = nameRoom(names, 12, 160)
    const blocks = shown.flatMap(({ title, families }) => [
      lineOfText(title, 22, { fontWeight: 'bold' }),
      drawBlock(families, nameWidth),
    ])
    const notes = [
      'Success of each family of perturbations, the most harmful first, controls last: hollow: clean; filled: perturbed, over the same pairs of task, seed and temperature, and over the draws of the family at its highest intensity. Beside it the change in points.',
      `Bar: 95 % interval of the change, paired, with the task as the cluster, drawn around the perturbed rate. Coloured where it excludes 0: orange a drop, blue a gain; not corrected for the number of families. ${speaksOf.tasks}`,
    ]
    const middle = { frameAnchor: 'middle', dx: (nameWidth - figureWidth) / 2 } as const
    const foot = lineOfText('Success rate (%)', 14, { fontSize: textSize, ...middle })
    return [{ environment, what: 'Robustness profile', notes, plots: [...blocks, foot] }]
  })
}

function drawBlock(all: readonly FamilyProfile[], nameWidth: number): PlotOfHeight {
  const rows = all.map(({ family, success: { clean, perturbed, mean, interval } }) => {
    const { low = mean!, high = mean! } = interval ?? {}
    const colour = interval && high < 0 ? light.vermillion : interval && low > 0 ? light.blue : light.ink
    const within = (change: number): number => Math.min(1, Math.max(0, clean! + change))
    const bar = { low: within(low), high: within(high), words: points(mean!), isBold: colour !== light.ink }
    return { family, clean, perturbed, colour, ...bar }
  })
  const names = all.map(({ family }) => family)
  const controls = all.filter(({ identity }) => identity).map(({ family }) => family)
  const { axisX, dot, gridX, ruleX, ruleY, tickX } = loadPlot()
  const at = { y: 'family', stroke: 'colour' }
  const hollow = { fill: light.paper, fillOpacity: 0.6, stroke: light.ink, strokeWidth: 1.25 }
  return {
    ...{ height: rows.length * rowHeight + footHeight, marginBottom: footHeight },
    ...{ marginLeft: nameWidth, marginRight: figureWidth },
    x: { type: 'linear', domain: [0, 1], insetLeft: 6 },
    y: { type: 'band', domain: names },
    marks: [
      gridX([0.25, 0.5, 0.75, 1], gridLines),
      ruleX([0], zeroLine),
      axisX([0, 0.5, 1], percentTicks),
      rowNames(names, nameWidth, (name) => (controls.includes(name) ? light.muted : light.ink)),
      ruleY(rows, { ...at, x1: 'low', x2: 'high', strokeWidth: 5, strokeOpacity: 0.25 }),
      ...['low', 'high'].map((x) => tickX(rows, { ...at, x, strokeWidth: 0.75, inset: 5 })),
      ruleY(rows, { ...at, x1: 'clean', x2: 'perturbed', strokeWidth: 1.5 }),
      dot(rows, { y: 'family', x: 'perturbed', fill: 'colour', r: 3.4, title: (row) => percent(row.perturbed!) }),
      dot(rows, { y: 'family', x: 'clean', r: 3.4, title: (row) => percent(row.clean!), ...hollow }),
      ...figures(rows, { y: 'family', text: 'words', frameAnchor: 'right', textAnchor: 'end', dx: figureWidth }),
    ],
  }
}
