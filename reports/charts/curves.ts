import { findGroup, findProfile } from '../../src/results/find.js'
import { speaksOf } from '../../src/results/statements.js'
import { labelWithout } from '../../src/define.js'
import { listWords } from '../../src/tables/words.js'
import type { Aggregate, Group } from '../../src/results/aggregate.js'
import type { TrainingCurve } from '../../src/results/schema.js'
import { cleanLabel } from '../tables/rows.js'
import type { Colour } from './palette.js'
import type { Drawing, Scale } from './_svg.js'
import { chartWidth, chunks, element, label, linearScale, number, subjectName, textWidth } from './_svg.js'

function isShort({ valid, planned }: Group['pooled']['coverage']): boolean {
  return valid < planned
}

/**
 * Mean progress after each step, clean and perturbed (AgentBoard's curve): whether a perturbation slows a model down or
 * stops it.
 */
export function stepsDrawings(aggregate: Aggregate): Drawing[] {
  const clean = cleanLabel(aggregate)
  return aggregate.environments.flatMap(({ name: environment }) => {
    const curves = aggregate.groups
      .filter((group) => group.environment === environment)
      .map((group): Curve => {
        const { curve = [], coverage } = group.pooled
        const points = curve.map((value, x) => ({ x, value }))
        return { panel: subjectName(aggregate, group), name: group.condition, points, isShort: isShort(coverage) }
      })
    const axes = { across: 'Steps', up: 'Progress rate (%)', inEachPart: clean === undefined ? [] : [clean] }
    const drawn = drawPanels(curves, axes)
    const notes = ['Mean progress rate after each step; an episode that has ended keeps its last rate.']
    return drawn === undefined ? [] : { environment, what: 'Progress over steps', notes, ...drawn }
  })
}

/** Success and progress over the intensity of each family that was played at several (dose-response). */
export function intensityDrawings(aggregate: Aggregate): Drawing[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const curves = aggregate.doseResponses
      .filter((doseResponse) => doseResponse.environment === environment)
      .flatMap((response) =>
        (['success', 'progress'] as const).map((metric): Curve => {
          const { levels } = response[metric]
          const points = levels.flatMap(({ intensity: x, mean: value, overTasks }): LinePoint[] =>
            value === undefined ? [] : [{ x, value, ...overTasks }],
          )
          return {
            ...{ panel: `${response.family}, ${metric}`, name: subjectName(aggregate, response), points },
            isShort: levels.some(({ coverage }) => isShort(coverage)),
          }
        }),
      )
    const drawn = drawPanels(curves, { across: 'Intensity', up: 'Rate (%)' })
    const notes = [
      `Mean over every seed at every temperature and every draw of a family, on tasks measured at all of its intensities; the clean twin is at intensity 0; whiskers: 95 % interval over tasks, each rate by itself. ${speaksOf.tasks}`,
      sideBySide,
    ]
    return drawn === undefined ? [] : { environment, what: 'Rates over intensity', notes, ...drawn }
  })
}

/** Success over the checkpoints of a training, without perturbation, under each family and over all conditions. */
export function trainingDrawings(aggregate: Aggregate): Drawing[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const trained = (aggregate.trainingCurves ?? []).filter(
      ({ success, ...curve }) =>
        curve.environment === environment && success.points.filter(({ clean }) => clean !== undefined).length > 1,
    )
    const labels = [...new Set(trained.flatMap(({ conditions }) => conditions))]
    const curves = trained.flatMap((one) => curvesOf(aggregate, one))
    const axes = { across: 'Step of the checkpoint', up: 'Success (%)', inEachPart: [cleanName, allName] }
    const drawn = drawPanels(curves, axes)
    const notes = [
      'Success over the steps of the checkpoints, mean over every seed at every temperature, without perturbation and under each family at its highest intensity.',
      `The line ${allName}: mean over ${labels.length > 4 ? `${String(labels.length)} conditions` : listWords(labels)}, draws of one perturbation as one. Whiskers, for this line and the one without perturbation: 95 % interval over tasks, each checkpoint by itself; a line of many checkpoints has marks at some of them. ${speaksOf.tasks}`,
      `${sideBySide} The table curve has the changes with their tests.`,
    ]
    return drawn === undefined ? [] : { environment, what: 'Training curve', notes, ...drawn }
  })
}

const sideBySide = 'Lines that would hide each other are drawn side by side.'
const [cleanName, allName] = ['no perturbation', 'all conditions']

function curvesOf(aggregate: Aggregate, { environment, series, agent, ...trained }: TrainingCurve): Curve[] {
  const { checkpoints, success, conditions } = trained
  const clean = cleanLabel(aggregate) ?? ''
  const panel = subjectName(aggregate, { model: series, agent })
  const curves = new Map<string, Curve>()
  checkpoints.forEach(({ model, step: x }, place) => {
    const add = (name: string, labels: readonly string[], value: number | undefined, interval = {}): void => {
      if (value === undefined) return
      const { points, isShort: wasShort = false } = curves.get(name) ?? { points: [] }
      const groups = labels.flatMap((label) => findGroup(aggregate, environment, model, agent, label) ?? [])
      const short = wasShort || groups.some(({ pooled }) => isShort(pooled.coverage))
      curves.set(name, { panel, name, points: [...points, { x, value, ...interval }], isShort: short })
    }
    const { clean: rate, perturbed } = success.points[place]!
    add(cleanName, [clean], rate?.mean, rate?.overTasks)
    add(allName, conditions, perturbed?.mean, perturbed?.overTasks)
    const profile = findProfile(aggregate, environment, { model, agent })
    const families = profile?.families.filter(({ identity, adversarial }) => !identity && !adversarial) ?? []
    // One family alone is all conditions.
    if (families.length < 2) return
    for (const { conditions: draws, success } of families)
      add(draws.length === 1 ? draws[0]! : labelWithout(draws[0]!, 'draw'), draws, success.perturbed)
  })
  return [...curves.values()]
}

/** A point of a line: a share over a step, an intensity or a checkpoint, with its 95 % interval. */
interface LinePoint {
  readonly x: number
  readonly value: number
  readonly low?: number
  readonly high?: number
}

/** A line, and the panel that it is drawn in. */
interface Curve {
  readonly panel: string
  readonly name: string
  /** In ascending order of `x`. */
  readonly points: readonly LinePoint[]
  /** Whether measurements are missing under it. */
  readonly isShort?: boolean
}

/** What the panels of a chart have in common. */
interface Axes {
  readonly across: string
  readonly up: string
  /** Names of the lines that are in each part of a panel with more lines than there are styles. */
  readonly inEachPart?: readonly string[]
}

/** How a line looks: colour and dashes each distinguish lines alone. */
interface LineStyle {
  readonly colour: Colour
  readonly dash?: string
}

/** The styles of a panel's lines, and so its maximum number of lines. */
const styles: readonly LineStyle[] = [
  { colour: 'ink' },
  { colour: 'blue', dash: '6 2' },
  { colour: 'vermillion', dash: '2.5 1.5' },
  { colour: 'green', dash: '8 2 2 2' },
  { colour: 'orange', dash: '4 1.5' },
  { colour: 'purple', dash: '8 2 2 2 2 2' },
  { colour: 'sky', dash: '1.5 1.5' },
]

const size = 10.5
const inset = 10
const [left, titleHeight, plotHeight, gap, footHeight] = [26, 24, 90, 14, 28]

/**
 * Small panels of lines side by side under a key, all over the same axes; the vertical one is a share from 0 to 100 %.
 * Undefined where no line has two points.
 */
function drawPanels(curves: readonly Curve[], { across, up, inEachPart = [] }: Axes) {
  const shown = curves.filter(({ points }) => points.length > 0)
  if (!shown.some(({ points }) => points.length > 1)) return undefined
  const xs = shown.flatMap(({ points }) => points.map(({ x }) => x))
  const [from, to] = [xs.reduce((a, b) => Math.min(a, b)), xs.reduce((a, b) => Math.max(a, b))]
  const marks = [label(up, { x: 0, y: 9, size: 10, fill: 'muted' })]
  let top = 16
  const names = [...new Set(shown.map(({ name }) => name))]
  const others = names.filter((name) => !inEachPart.includes(name))
  const parts = others.length === 0 ? [[]] : chunks(others, styles.length - inEachPart.length)
  for (const [part, rest] of parts.entries()) {
    const styleOf = new Map([...inEachPart, ...rest].map((name, place) => [name, styles[place]!]))
    const here = shown.filter(({ name }) => styleOf.has(name))
    const key = drawKey(styleOf, top)
    marks.push(key.marks)
    top = key.bottom
    const panels = [...new Set(here.map(({ panel }) => panel))]
    const perRow = Math.min(panels.length, panels.length === 4 ? 2 : 3)
    const plotWidth = (chartWidth - left - (perRow - 1) * gap) / perRow
    for (const row of chunks(panels, perRow)) {
      const plotTop = top + titleHeight
      top = plotTop + plotHeight + 14
      row.forEach((panel, index) => {
        const start = left + index * (plotWidth + gap)
        const plot = {
          ...{ start, end: start + plotWidth, up: linearScale(0, 1, plotTop + plotHeight, plotTop) },
          across: linearScale(from, to, start + inset, start + plotWidth - inset),
        }
        const lines = here.filter((line) => line.panel === panel)
        const words = parts.length > 1 ? `${panel}, ${String(part + 1)} of ${String(parts.length)}` : panel
        const title = words + (lines.some(({ isShort }) => isShort) ? '†' : '')
        marks.push(
          label(title, { x: start, y: plotTop - 7, size, width: plotWidth, 'font-weight': 'bold' }),
          drawAxes(plot, ticksOf(from, to), index === 0),
          ...lines.map((line, place) => drawLine(line, styleOf.get(line.name)!, place, lines.length, plot)),
        )
      })
    }
  }
  marks.push(label(across, { x: (left + chartWidth) / 2, y: top + footHeight - 14, size, 'text-anchor': 'middle' }))
  return { marks: marks.join('\n'), height: top + footHeight - 8 }
}

/** A key to lines: a sample and a name of each, side by side in as many rows as needed. */
function drawKey(styleOf: ReadonlyMap<string, LineStyle>, top: number) {
  const [sample, space, max] = [21, 14, 150]
  let [x, y] = [0, top + 6]
  const marks = [...styleOf].map(([name, { colour, dash }]) => {
    const width = Math.min(textWidth(name, size), max)
    if (x > 0 && x + sample + width > chartWidth) [x, y] = [0, y + 15]
    const at = { x1: x, x2: x + 16, y1: y, y2: y, stroke: colour, 'stroke-width': 1.5, 'stroke-dasharray': dash }
    const dot = { cx: x + 8, cy: y, r: 2.6, fill: colour }
    const words = label(name, { x: x + sample, y: y + 3.5, size, width: width + 0.5 })
    x += sample + width + space
    return element('line', at) + element('circle', dot) + words
  })
  return { marks: marks.join(''), bottom: y + 6 }
}

/** The plotting area of a panel, in the drawing's units. */
interface Plot {
  readonly start: number
  readonly end: number
  readonly across: Scale
  readonly up: Scale
}

function drawAxes({ start, end, across, up }: Plot, ticks: readonly number[], hasShares: boolean): string {
  const words = { size: 10, fill: 'muted' } as const
  return [
    ...[0, 0.25, 0.5, 0.75, 1].map((share) => {
      const at = { x1: start, x2: end, y1: up(share), y2: up(share), 'stroke-width': 0.75 }
      return element('line', { ...at, stroke: share === 0 ? 'axis' : 'grid' })
    }),
    ...ticks.map((x) => label(String(x), { ...words, x: across(x), y: up(0) + 12, 'text-anchor': 'middle' })),
    ...(hasShares ? [0, 0.5, 1] : []).map((share) =>
      label(String(100 * share), { ...words, x: start - 4, y: up(share) + 3.5, 'text-anchor': 'end' }),
    ),
  ].join('')
}

/** Round figures from one to another in at most three steps: multiples of 1, 2 or 5 times a power of ten. */
function ticksOf(from: number, to: number): number[] {
  const least = (to - from) / 3
  if (!(least > 0)) return [from]
  const power = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= least * (1 - 1e-9))!
  const [first, last] = [Math.ceil(from / step - 1e-9), Math.floor(to / step + 1e-9)]
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)))
}

const maxMarkers = 7
const sideStep = 2.2

/**
 * Lines that coincide can be distinguished by their markers, which start at a different point on each; where every
 * point has its marker, the lines are shifted sideways instead.
 */
function drawLine({ points }: Curve, { colour, dash }: LineStyle, index: number, lines: number, plot: Plot): string {
  const { across, up } = plot
  const sparse = Math.max(1, Math.round(points.length / maxMarkers))
  const stride = points.length < 2 * lines ? sparse : Math.max(sparse, lines)
  const first = Math.floor((index * stride) / lines)
  const aside = stride === 1 ? sideStep * (index - (lines - 1) / 2) : 0
  const xOf = ({ x }: LinePoint): number => across(x) + aside
  const corners = points.map((point) => `${number(xOf(point))} ${number(up(point.value))}`)
  const stroke = { fill: 'none', stroke: colour } as const
  return [
    element('path', { d: `M${corners.join('L')}`, ...stroke, 'stroke-width': 1.5, 'stroke-dasharray': dash }),
    ...points
      .filter((_, at) => at % stride === first)
      .flatMap((point) => {
        const { value, low, high } = point
        const ends = low === undefined || high === undefined ? [] : [low, high]
        const caps = ends.map((end) => `M${number(xOf(point) - 2)} ${number(up(end))}h4`).join('')
        const whisker = `M${number(xOf(point))} ${number(up(low!))}V${number(up(high!))}${caps}`
        return [
          ...(ends.length === 0 ? [] : [element('path', { d: whisker, ...stroke })]),
          element('circle', { cx: xOf(point), cy: up(value), r: 2.6, fill: colour, 'data-value': value }),
        ]
      }),
  ].join('')
}
