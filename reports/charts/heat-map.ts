import { pairsOf } from '../../src/define.js'
import type { Aggregate } from '../../src/results/aggregate.js'
import { familiesByHarm } from '../../src/results/families.js'
import { findProfile } from '../../src/results/find.js'
import { speaksOf } from '../../src/results/statements.js'
import { points } from '../../src/results/summary/figures.js'
import type { Drawing, PlotOfHeight } from './_plot.js'
import { chartWidth, chunks, figures, lineOfText, loadPlot, named, nameRoom, rowNames, shorten } from './_plot.js'
import { subjectName, textWidth } from './_plot.js'
import { light } from './palette.js'

const titleSize = 9.5
const perBand = 6
const cellHeight = 20

/**
 * The change of both rates under each family of perturbations, the most harmful first, in every environment, with a
 * block of columns for each model. All environments are in one chart.
 */
export function heatMapDrawings(aggregate: Aggregate): Drawing[] {
  const environments = aggregate.environments.map(({ name }) => name)
  const changes = aggregate.profiles.flatMap(({ families }) => families.flatMap((rates) => rates.success.mean ?? []))
  if (changes.length === 0) return []
  const columns = pairsOf(aggregate).flatMap(({ model, agent }, pair) =>
    environments.map((environment, place) => {
      const subject = { model: model.name, agent: agent.name }
      const { families = [] } = findProfile(aggregate, environment, subject) ?? {}
      return { key: `${String(pair)} ${String(place)}`, environment, name: subjectName(aggregate, subject), families }
    }),
  )
  const rows = familiesByHarm(aggregate.profiles)
  const hasHeads = environments.length > 1
  const nameWidth = nameRoom(rows, 10, hasHeads ? 128 : 150)
  const cellWidth = Math.min(60, Math.floor((chartWidth - nameWidth) / perBand))
  const { cell, text } = loadPlot()
  const drawBand = (metric: 'success' | 'progress', band: typeof columns): PlotOfHeight => {
    const titles = band.map(({ key, name }) => ({ key, name, title: titleLines(name, cellWidth - 3) }))
    const titleHeight = 12 * Math.max(...titles.map(({ title }) => title.split('\n').length))
    const marginTop = titleHeight + (hasHeads ? 20 : 6)
    const cells = band.flatMap(({ key, families }) =>
      families.map(({ family, pairs, planned, tests, [metric]: { mean } }) => ({
        ...{ x: key, y: family, mean, isBold: (tests?.[metric].holm ?? 1) < 0.05 },
        words: mean === undefined ? '–' : points(mean) + (pairs < planned ? '†' : ''),
      })),
    )
    const above = { x: 'key', frameAnchor: 'top', lineAnchor: 'bottom' } as const
    const environment = named<(typeof band)[number]>((column) => column.environment, cellWidth - 3, 9)
    return {
      ...{ marginTop, marginLeft: nameWidth, marginRight: chartWidth - nameWidth - band.length * cellWidth },
      ...{ marginBottom: 14, height: marginTop + rows.length * cellHeight + 14 },
      x: { type: 'band', domain: band.map(({ key }) => key) },
      y: { type: 'band', domain: rows },
      marks: [
        rowNames(rows, nameWidth),
        text(titles, { ...above, fontSize: titleSize, dy: hasHeads ? -18 : -6, text: 'title', title: 'name' }),
        hasHeads ? text(band, { ...above, fill: light.muted, dy: -6, ...environment }) : null,
        cell(cells, { x: 'x', y: 'y', inset: 0.5, fill: colourOf, fillOpacity: opacityOf }),
        ...figures(cells, { x: 'x', y: 'y', text: 'words' }),
      ],
    }
  }
  return [
    {
      ...(!hasHeads && { environment: environments[0]! }),
      what: 'Change under perturbation',
      notes: [
        'Perturbed minus clean in percentage points, paired by task, seed and temperature; every task enters. Families are over their draws at the highest intensity, in the order of their mean change of success, controls last.',
        'Orange: a drop; blue: a gain; stronger colours are larger changes.',
        `Bold: p below 0.05, adjusted after Holm over the families of all models, agents and environments (except for those that by design change nothing). ${speaksOf.tasks}`,
      ],
      plots: (['success', 'progress'] as const).flatMap((metric) => [
        lineOfText(`Change of ${metric} rate (points)`, 20, { fontWeight: 'bold' }),
        ...chunks(columns, perBand).map((band) => drawBand(metric, band)),
      ]),
    },
  ]
}

/** A name in one line, or in two that part at the sign nearest its middle, each shortened to a width. */
function titleLines(name: string, width: number): string {
  const breaks = [...name.matchAll(/[^\p{L}\p{M}\p{N}]/gu)].map(({ index }) => index + 1)
  const middle = breaks.sort((one, other) => Math.abs(one - name.length / 2) - Math.abs(other - name.length / 2))[0]
  const isSplit = textWidth(name, titleSize) > width && middle !== undefined && middle < name.length
  const lines = isSplit ? [name.slice(0, middle), name.slice(middle)] : [name]
  return lines.map((line) => shorten(line, width, titleSize)).join('\n')
}

const colourOf = ({ mean = 0 }: { readonly mean: number | undefined }): string =>
  mean === 0 ? light.cell : mean < 0 ? light.vermillion : light.blue

/**
 * Opacity follows the root of the size, so that small changes are visible and large ones still differ; text in ink is
 * legible on the strongest.
 */
const opacityOf = ({ mean = 0 }: { readonly mean: number | undefined }): number =>
  mean === 0 ? 1 : 0.65 * Math.sqrt(Math.abs(mean))
