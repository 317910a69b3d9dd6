import { findGroup, findProfile } from '../../src/results/find.js'
import { speaksOf } from '../../src/results/statements.js'
import { percent } from '../../src/results/summary/figures.js'
import { labelWithout } from '../../src/define.js'
import { listWords } from '../../src/tables/words.js'
import type { Aggregate, Group } from '../../src/results/aggregate.js'
import type { DoseResponse, TrainingCurve } from '../../src/results/schema.js'
import { cleanLabel } from '../tables/rows.js'
import type { Drawing, PlotOfHeight } from './_plot.js'
import { chartWidth, chunks, gridLines, lineOfText, loadPlot, named, nameRoom, percentTicks } from './_plot.js'
import { subjectName, textSize, tickWords, zeroLine } from './_plot.js'
import { light } from './palette.js'

/** A point of a line: a share over a step, an intensity or a checkpoint, with its 95 % interval. */
interface LinePoint {
  readonly panel: string
  /** The name of its line. */
  readonly name: string
  readonly x: number
  readonly value: number
  readonly low?: number
  readonly high?: number
  /** Whether measurements are missing under it. */
  readonly isShort: boolean
}

/** A chart of lines for each environment. */
interface LineChart {
  readonly what: string
  readonly across: string
  readonly up: string
  readonly notes: readonly string[]
  /** Names of the lines that are in each part of a panel with more lines than there are styles. */
  readonly inEachPart: readonly string[]
  /** The points of each line in ascending order of `x`. */
  pointsOf(environment: string): readonly LinePoint[]
}

function drawingsOf(aggregate: Aggregate, chart: LineChart): Drawing[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const plots = drawPanels(chart.pointsOf(environment), chart)
    return plots.length === 0 ? [] : { environment, what: chart.what, notes: chart.notes, plots }
  })
}

const isShort = ({ valid, planned }: Group['pooled']['coverage']): boolean => valid < planned

/**
 * Mean progress after each step, clean and perturbed (AgentBoard's curve): whether a perturbation slows a model down or
 * stops it.
 */
export function stepsDrawings(aggregate: Aggregate): Drawing[] {
  return drawingsOf(aggregate, {
    ...{ what: 'Progress over steps', across: 'Steps', up: 'Progress rate (%)' },
    notes: ['Mean progress rate after each step; an episode that has ended keeps its last rate.'],
    inEachPart: [cleanLabel(aggregate) ?? []].flat(),
    pointsOf: (environment) =>
      aggregate.groups
        .filter((group) => group.environment === environment)
        .flatMap((group) => {
          const { curve = [], coverage } = group.pooled
          const line = { panel: subjectName(aggregate, group), name: group.condition, isShort: isShort(coverage) }
          return curve.map((value, x) => ({ ...line, x, value }))
        }),
  })
}

/** Success and progress over the intensity of each family that was played at several (dose-response). */
export function intensityDrawings(aggregate: Aggregate): Drawing[] {
  const linesOf = (response: DoseResponse): LinePoint[] =>
    (['success', 'progress'] as const).flatMap((metric) =>
      response[metric].levels.flatMap(({ intensity: x, mean: value, overTasks, coverage }) => {
        const line = { panel: `${response.family}, ${metric}`, name: subjectName(aggregate, response) }
        return value === undefined ? [] : { ...line, x, value, ...overTasks, isShort: isShort(coverage) }
      }),
    )
  return drawingsOf(aggregate, {
    ...{ what: 'Rates over intensity', across: 'Intensity', up: 'Rate (%)', inEachPart: [] },
    notes: [
      `Mean over every seed at every temperature and every draw of a family, on tasks measured at all of its intensities; the clean twin is at intensity 0; whiskers: 95 % interval over tasks, each rate by itself. ${speaksOf.tasks}`,
      sideBySide,
    ],
    pointsOf: (environment) =>
      aggregate.doseResponses.filter((response) => response.environment === environment).flatMap(linesOf),
  })
}

const sideBySide = 'Lines that would hide each other are drawn side by side.'
const [cleanName, allName] = ['no perturbation', 'all conditions']

/** Success over the checkpoints of a training, without perturbation, under each family and over all conditions. */
export function trainingDrawings(aggregate: Aggregate): Drawing[] {
  const trained = (aggregate.trainingCurves ?? []).filter(
    ({ success }) => success.points.filter(({ clean }) => clean !== undefined).length > 1,
  )
  const labels = [...new Set(trained.flatMap(({ conditions }) => conditions))]
  return drawingsOf(aggregate, {
    ...{ what: 'Training curve', across: 'Step of the checkpoint', up: 'Success (%)' },
    notes: [
      'Success over the steps of the checkpoints, mean over every seed at every temperature, without perturbation and under each family at its highest intensity.',
      `The line ${allName}: mean over ${labels.length > 4 ? `${String(labels.length)} conditions` : listWords(labels)}, draws of one perturbation as one. Whiskers, for this line and the one without perturbation: 95 % interval over tasks, each checkpoint by itself; a line of many checkpoints has marks at some of them. ${speaksOf.tasks}`,
      sideBySide,
    ],
    inEachPart: [cleanName, allName],
    pointsOf: (environment) =>
      trained.filter((curve) => curve.environment === environment).flatMap((curve) => trainingPoints(aggregate, curve)),
  })
}

function trainingPoints(aggregate: Aggregate, curve: TrainingCurve): LinePoint[] {
  const { environment, series, agent, checkpoints, success, conditions } = curve
  const panel = subjectName(aggregate, { model: series, agent })
  return checkpoints.flatMap(({ model, step: x }, place) => {
    const pointOf = (name: string, labels: readonly string[], value: number | undefined, interval = {}) => {
      const groups = labels.flatMap((label) => findGroup(aggregate, environment, model, agent, label) ?? [])
      const short = groups.some(({ pooled }) => isShort(pooled.coverage))
      return value === undefined ? [] : { panel, name, x, value, ...interval, isShort: short }
    }
    const { clean, perturbed } = success.points[place]!
    const profile = findProfile(aggregate, environment, { model, agent })
    const families = profile?.families.filter(({ identity, adversarial }) => !identity && !adversarial) ?? []
    return [
      pointOf(cleanName, [cleanLabel(aggregate) ?? ''], clean?.mean, clean?.overTasks),
      pointOf(allName, conditions, perturbed?.mean, perturbed?.overTasks),
      // One family alone is all conditions.
      ...(families.length < 2 ? [] : families).map(({ conditions: draws, success }) =>
        pointOf(draws.length === 1 ? draws[0]! : labelWithout(draws[0]!, 'draw'), draws, success.perturbed),
      ),
    ].flat()
  })
}

/** The styles of a panel's lines, and so its maximum number of lines; colour and dashes each distinguish them alone. */
const styles = [
  { stroke: light.ink },
  { stroke: light.blue, strokeDasharray: '6 2' },
  { stroke: light.vermillion, strokeDasharray: '2.5 1.5' },
  { stroke: light.green, strokeDasharray: '8 2 2 2' },
  { stroke: light.orange, strokeDasharray: '4 1.5' },
  { stroke: light.purple, strokeDasharray: '8 2 2 2 2 2' },
  { stroke: light.sky, strokeDasharray: '1.5 1.5' },
] as const

const [marginLeft, marginTop, marginBottom, plotHeight, gap] = [26, 24, 16, 90, 14]

/**
 * Small panels of lines side by side under a key, all over the same axes; the vertical one is a share from 0 to 100 %.
 * Empty where there is but one `x`.
 */
function drawPanels(points: readonly LinePoint[], { across, up, inEachPart }: LineChart): PlotOfHeight[] {
  const xs = [...new Set(points.map(({ x }) => x))].sort((one, other) => one - other)
  if (xs.length < 2) return []
  const domain = [xs[0]!, xs.at(-1)!] as const
  const others = [...new Set(points.map(({ name }) => name))].filter((name) => !inEachPart.includes(name))
  const parts = others.length === 0 ? [[]] : chunks(others, styles.length - inEachPart.length)
  const plots = parts.flatMap((rest, part) => {
    const names = [...inEachPart, ...rest]
    const shown = points.filter(({ name }) => names.includes(name))
    const panels = [...new Set(shown.map(({ panel }) => panel))].map((panel): Panel => {
      const inside = shown.filter((point) => point.panel === panel)
      const words = parts.length > 1 ? `${panel}, ${String(part + 1)} of ${String(parts.length)}` : panel
      return { title: words + (inside.some((point) => point.isShort) ? '†' : ''), points: inside }
    })
    const perRow = Math.min(panels.length, panels.length === 4 ? 2 : 3)
    return [drawKey(names), ...chunks(panels, perRow).map((row) => drawRow(row, { perRow, names, domain }))]
  })
  const foot = lineOfText(across, 20, { fontSize: textSize, frameAnchor: 'middle', dx: marginLeft / 2 })
  return [lineOfText(up, 14, { fontSize: 10, fill: light.muted }), ...plots, foot]
}

/** A key to lines: a sample and a name of each, side by side in as many rows as needed. */
function drawKey(names: readonly string[]): PlotOfHeight {
  const { dot, ruleY, text } = loadPlot()
  const [sample, rowHeight] = [21, 15]
  const width = nameRoom(names, sample + 14, sample + 164)
  const perRow = Math.floor(chartWidth / width)
  const entries = names.map((name, at) => {
    const [x, y] = [width * (at % perRow), rowHeight * (Math.floor(at / perRow) + 0.5)]
    return { name, x, end: x + 16, middle: x + 8, y, ...styles[at]! }
  })
  const label = named<(typeof entries)[number]>(({ name }) => name, width - sample - 13, textSize)
  return {
    height: rowHeight * Math.ceil(names.length / perRow),
    x: { type: 'identity' },
    y: { type: 'identity' },
    marks: [
      ...entries.map((entry, at) => ruleY([entry], { x1: 'x', x2: 'end', y: 'y', strokeWidth: 1.5, ...styles[at]! })),
      dot(entries, { x: 'middle', y: 'y', r: 2.6, fill: 'stroke' }),
      text(entries, { x: 'x', y: 'y', dx: sample, textAnchor: 'start', ...label }),
    ],
  }
}

/** One panel of a chart. */
interface Panel {
  readonly title: string
  readonly points: readonly LinePoint[]
}

/** What the rows of panels under one key have in common. */
interface Rows {
  readonly perRow: number
  /** Of the lines, in the order of their styles. */
  readonly names: readonly string[]
  readonly domain: readonly [from: number, to: number]
}

function drawRow(row: readonly Panel[], { perRow, names, domain }: Rows): PlotOfHeight {
  const { axisX, axisY, dot, gridY, lineY, ruleX, ruleY, text } = loadPlot()
  const step = (chartWidth - marginLeft + gap) / perRow
  const facets = Array.from({ length: perRow }, (_, place) => `panel ${String(place)}`)
  const panels = row.map((panel, place) => ({ ...panel, fx: facets[place]! }))
  const drawLine = (name: string, index: number) => {
    const line = panels.flatMap(({ fx, points }) => {
      const line = points.filter((point) => point.name === name)
      return line.map((point, at) => ({ ...point, fx, isMarked: isMarked(at, line.length, index, names.length) }))
    })
    const marked = line.filter((point) => point.isMarked)
    const aside = marked.length === line.length ? sideStep * (index - (names.length - 1) / 2) : 0
    const at = { x: 'x', fx: 'fx', dx: aside }
    const { stroke } = styles[index]!
    const whiskers = marked.filter(({ low }) => low !== undefined)
    return [
      lineY(line, { ...at, y: 'value', ...lineStyle, ...styles[index]! }),
      ruleX(whiskers, { ...at, y1: 'low', y2: 'high', stroke }),
      dot(marked, { ...at, y: 'value', r: 2.6, fill: stroke, title: ({ value }) => percent(value) }),
    ]
  }
  const title = named<Panel>((panel) => panel.title, step - gap, textSize)
  return {
    ...{ height: marginTop + plotHeight + marginBottom, marginTop, marginBottom, marginLeft },
    fx: { domain: facets, paddingInner: gap / step },
    x: { type: 'linear', domain, inset: 10 },
    y: { type: 'linear', domain: [0, 1] },
    marks: [
      text(panels, { fx: 'fx', frameAnchor: 'top-left', lineAnchor: 'bottom', dy: -6, fontWeight: 'bold', ...title }),
      gridY([0.25, 0.5, 0.75, 1], gridLines),
      ruleY([0], zeroLine),
      axisY([0, 0.5, 1], percentTicks),
      axisX({ ...tickWords, ticks: 3, tickFormat: String }),
      ...names.map(drawLine),
    ],
  }
}

const lineStyle = { strokeWidth: 1.5, strokeLinecap: 'butt' } as const
const maxMarkers = 7
const sideStep = 2.2

/**
 * Whether a point of a line has a marker. Lines that coincide can be distinguished by their markers, which start at a
 * different point on each; where every point has its marker, the lines are drawn side by side instead.
 */
function isMarked(at: number, length: number, index: number, lines: number): boolean {
  const sparse = Math.max(1, Math.round(length / maxMarkers))
  const stride = length < 2 * lines ? sparse : Math.max(sparse, lines)
  return at % stride === Math.floor((index * stride) / lines)
}
