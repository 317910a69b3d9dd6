import { findGroup, findProfile } from '../../src/results/find.js'
import { speaksOf } from '../../src/results/statements.js'
import { labelWithout } from '../../src/define.js'
import { listWords } from '../../src/tables/words.js'
import type { Aggregate } from '../../src/results/aggregate.js'
import type { TrainingCurve } from '../../src/results/schema.js'
import { cleanLabel } from '../tables/rows.js'
import type { ChartPoint, Drawing } from './chart.js'
import { drawPanels } from './_panels.js'
import { describeRate, identityOf, metrics, percent, subjectName, touchedPoint } from './_points.js'
import { styleParts } from './_styles.js'

/**
 * Mean progress after each step, clean and perturbed (AgentBoard's curve): whether a perturbation slows a model down or
 * stops it.
 */
export function stepsDrawings(aggregate: Aggregate): Drawing[] {
  const clean = cleanLabel(aggregate)
  return aggregate.environments.flatMap(({ name: environment }) =>
    drawCurves({
      environment,
      what: 'Progress over steps',
      notes: [
        'Mean progress rate after each step; an episode that has ended keeps its last rate. A figure beside a name is the rate at the end.',
      ],
      curves: aggregate.groups.flatMap((group): Curve[] => {
        const { curve = [], coverage } = group.pooled
        if (group.environment !== environment) return []
        const metric = 'progress-after'
        const points = curve.map((value, x) => ({ ...identityOf(group), metric, x, value, ...coverage }))
        return [{ panel: subjectName(aggregate, group), name: group.column, points }]
      }),
      inEachPart: clean === undefined ? [] : [clean],
      describe: (point) =>
        `${subjectName(aggregate, point)}, ${point.column}: progress ${percent(point.value!)} % after step ${String(point.x)}`,
      across: 'Steps',
      up: 'Progress rate (%)',
    }),
  )
}

/** Success and progress over the intensity of each family that was played at several (dose-response). */
export function intensityDrawings(aggregate: Aggregate): Drawing[] {
  return aggregate.environments.flatMap(({ name: environment }) =>
    drawCurves({
      environment,
      what: 'Rates over intensity',
      notes: [
        `Mean over every seed at every temperature and every draw of a family, on tasks measured at all of its intensities; the clean twin is at intensity 0; whiskers: 95 % interval over tasks, each rate by itself. ${speaksOf.tasks}`,
        `${drawnApart} at the highest intensity.`,
      ],
      curves: aggregate.doseResponses
        .filter((one) => one.environment === environment)
        .flatMap((response) =>
          metrics.map((metric): Curve => {
            const { model, agent, family } = response
            const points = response[metric].levels.flatMap(
              ({ intensity: x, columns, mean: value, overTasks, coverage, touched }) => {
                if (value === undefined) return []
                const column = columns.length === 1 ? columns[0]! : `${family}:intensity=${String(x)}`
                const rest = { ...overTasks, ...coverage, ...touchedPoint(touched) }
                return [{ environment, model, agent, column, metric, x, value, ...rest }]
              },
            )
            return { panel: `${family}, ${metric}`, name: subjectName(aggregate, response), points }
          }),
        ),
      inEachPart: [],
      describe: (point) => describeRate(subjectName(aggregate, point), point),
      across: 'Intensity',
      up: 'Rate (%)',
    }),
  )
}

/** Success over the checkpoints of a training, without perturbation, under each family and over all conditions. */
export function trainingDrawings(aggregate: Aggregate): Drawing[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const trained = (aggregate.trainingCurves ?? []).filter(
      (one) => one.environment === environment && one.success.trends !== undefined,
    )
    const labels = [...new Set(trained.flatMap(({ columns }) => columns))]
    return drawCurves({
      environment,
      what: 'Training curve',
      notes: [
        'Success over the steps of the checkpoints, mean over every seed at every temperature, without perturbation and under each family at its highest intensity.',
        `The line ${allName}: mean over ${labels.length > 4 ? `${String(labels.length)} conditions` : listWords(labels)}, draws of one perturbation as one. Whiskers, for this line and the one without perturbation: 95 % interval over tasks, each checkpoint by itself; a line of many checkpoints has marks at some of them. ${speaksOf.tasks}`,
        `${drawnApart} of the last checkpoint. The table curve has the changes with their tests.`,
      ],
      curves: trained.flatMap((one) => curvesOf(aggregate, one)),
      inEachPart: [cleanName, allName],
      describe: (point) => describeRate(subjectName(aggregate, point), point),
      across: 'Step of the checkpoint',
      up: 'Success (%)',
    })
  })
}

const drawnApart = 'Lines that would hide each other are drawn side by side; a figure beside a name is the rate'
const [cleanName, allName] = ['no perturbation', 'all conditions']

function curvesOf(aggregate: Aggregate, { environment, series, agent, ...trained }: TrainingCurve): Curve[] {
  const { checkpoints, success, columns } = trained
  const clean = cleanLabel(aggregate) ?? ''
  const panel = aggregate.agents.length > 1 ? `${series} · ${agent}` : series
  const points = new Map<string, ChartPoint[]>([
    [cleanName, []],
    [allName, []],
  ])
  checkpoints.forEach(({ model, step }, place) => {
    const add = (name: string, column: string, labels: readonly string[], value: number | undefined, rest = {}) => {
      if (value === undefined) return
      const covered = labels.map((label) => findGroup(aggregate, environment, model, agent, label)?.pooled.coverage)
      const [valid, planned] = (['valid', 'planned'] as const).map((count) =>
        covered.reduce((sum, coverage) => sum + (coverage?.[count] ?? 0), 0),
      ) as [number, number]
      const point = { environment, model, agent, column, metric: 'success', x: step, value, valid, planned, ...rest }
      points.set(name, [...(points.get(name) ?? []), point])
    }
    const { clean: rate, perturbed } = success.points[place]!
    add(cleanName, clean, [clean], rate?.mean, rate?.overTasks)
    add(allName, allName, columns, perturbed?.mean, perturbed?.overTasks)
    const profile = findProfile(aggregate, environment, { model, agent })
    const families = profile?.families.filter(({ identity, adversarial }) => !identity && !adversarial) ?? []
    // One family alone is all conditions.
    if (families.length < 2) return
    for (const { family, columns: draws, success } of families)
      add(family, draws.length === 1 ? draws[0]! : labelWithout(draws[0]!, 'draw'), draws, success.perturbed)
  })
  return [...points].map(([name, ofName]) => ({ panel, name, points: ofName }))
}

/** A line, and the panel that it is drawn in. */
interface Curve {
  readonly panel: string
  readonly name: string
  /** In ascending order of `x`, each with a value. */
  readonly points: readonly ChartPoint[]
}

interface CurveChart extends Pick<Drawing, 'what' | 'notes'> {
  readonly environment: string
  readonly curves: readonly Curve[]
  /** Names of the lines that are in each part of a panel with more lines than there are styles. */
  readonly inEachPart: readonly string[]
  /** The tooltip of a point. */
  readonly describe: (point: ChartPoint) => string
  readonly across: string
  readonly up: string
}

/** Curves over one numeric axis; no drawing where no curve has two points. */
function drawCurves({ curves, inEachPart, describe, across, up, ...chart }: CurveChart): Drawing[] {
  const drawn = curves.filter(({ points }) => points.length > 0)
  if (!drawn.some(({ points }) => points.length > 1)) return []
  const panels = new Map<string, Map<string, Curve>>()
  for (const curve of drawn) panels.set(curve.panel, (panels.get(curve.panel) ?? new Map()).set(curve.name, curve))
  const parts = styleParts([...new Set(drawn.map(({ name }) => name))], inEachPart)
  const sections = parts.map((key, part) => ({
    key,
    panels: [...panels].flatMap(([panel, ofPanel]) => {
      const lines = key.flatMap((named) => {
        const curve = ofPanel.get(named.name)
        return curve === undefined ? [] : [{ ...named, points: curve.points, describe }]
      })
      const title = parts.length > 1 ? `${panel}, ${String(part + 1)} of ${String(parts.length)}` : panel
      return lines.length === 0 ? [] : [{ title, lines }]
    }),
  }))
  const isWhole = drawn.every(({ points }) => points.every(({ x }) => Number.isInteger(x)))
  const from = Math.min(...drawn.map(({ points }) => points[0]!.x!))
  const to = Math.max(...drawn.map(({ points }) => points.at(-1)!.x!))
  return [{ ...chart, ...drawPanels(sections, { from, to, isWhole, across, up }) }]
}
