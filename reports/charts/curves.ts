import { findGroup, findProfile } from '../../src/results/find.js'
import { speaksOf } from '../../src/results/statements.js'
import { labelWithout } from '../../src/define.js'
import { listWords } from '../../src/tables/words.js'
import type { Aggregate, Group } from '../../src/results/aggregate.js'
import type { TrainingCurve } from '../../src/results/schema.js'
import { cleanLabel } from '../tables/rows.js'
import type { Drawing } from './chart.js'
import type { Curve, LinePoint } from './_panels.js'
import { drawPanels } from './_panels.js'

/** The name of a model, with that of its agent if there are several. */
export function subjectName(
  { agents }: Aggregate,
  { model, agent }: { readonly model: string; readonly agent: string },
): string {
  return agents.length > 1 ? `${model} · ${agent}` : model
}

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
      .filter((one) => one.environment === environment)
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
      (one) => one.environment === environment && one.success.trends !== undefined,
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
