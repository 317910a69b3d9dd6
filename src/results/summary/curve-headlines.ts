import type { Aggregate, Figures, TrainingCurve, Trend } from '../schema.js'
import { count, listWords } from '../../tables/words.js'
import { about, interval as intervalText, points, size } from './figures.js'

/**
 * One sentence for each training curve: how success without and under perturbation, and the drop between them, differ
 * from the first measured checkpoint to the last (Holm over these three).
 */
export function curveHeadlines(figures: Figures): Aggregate['headlines'][number][] {
  const { trainingCurves = [], environments, agents, partial } = figures
  return trainingCurves.flatMap((curve): Aggregate['headlines'][number][] => {
    const { environment, series, agent, checkpoints, success } = curve
    const { trends } = success
    if (trends?.clean === undefined) return []
    const tasks = environments.find(({ name }) => name === environment)!.tasks
    const on = trends.clean.tasks === tasks ? '' : ` (on ${String(trends.clean.tasks)} of ${count(tasks, 'task')})`
    const where = `${agents.length > 1 ? ` with ${agent}` : ''}${environments.length > 1 ? ` on ${environment}` : ''}`
    const said = [
      `success without perturbation ${sayRate(trends.clean)}`,
      ...(trends.perturbed ? [`success under perturbation ${sayRate(trends.perturbed)}`] : []),
      ...(trends.change ? [`${sayChange(trends.change)}${sayShares(curve)}`] : []),
    ]
    const text = `${series}${where} from step ${stepText(trends.first)} to ${stepText(trends.last)}${on}: ${listWords(said)}.`
    return [
      {
        kind: 'curve',
        text: partial ? `So far, ${text}` : text,
        environment,
        agent,
        models: checkpoints.map(({ model }) => model),
        families: [],
      },
    ]
  })
}

const isSignificant = ({ holm }: Trend): boolean => holm < 0.05

/** `rises from 40 to 71`, in percent. */
function sayRate(trend: Trend): string {
  const { from, to, mean, interval } = trend
  if (!isSignificant(trend)) {
    return `shows no significant change (${whole(from)} and ${whole(to)}; 95 % interval of the difference ${intervalText(interval)})`
  }
  return `${mean > 0 ? 'rises' : 'falls'} from ${whole(from)} to ${whole(to)}`
}

/** `the drop under perturbation grows from 9.0 to 26.0 points`. */
function sayChange(trend: Trend): string {
  const { from, to, mean } = trend
  if (!isSignificant(trend))
    return `the change under perturbation does not differ significantly (${points(from)} and ${points(to)} points)`
  if (from > 0 || to > 0) return `the change under perturbation goes from ${points(from)} to ${points(to)} points`
  return `the drop under perturbation ${mean < 0 ? 'grows' : 'shrinks'} from ${size(from)} to ${size(to)} points`
}

/** The drops as shares of success without perturbation, since a model that solves more has more to lose. */
function sayShares({ checkpoints, success: { points: all, trends } }: TrainingCurve): string {
  const rateAt = (step: number): number | undefined =>
    all[checkpoints.findIndex((checkpoint) => checkpoint.step === step)]?.dropRate?.value
  const [first, last] = [rateAt(trends!.first), rateAt(trends!.last)]
  if (!isSignificant(trends!.change!) || last === undefined || last < 0 || (first ?? 0) < 0) return ''
  return first === undefined
    ? ', where the first had nothing to lose'
    : ` (${about(first)} and ${about(last)} of success without perturbation)`
}

function stepText(step: number): string {
  return step.toLocaleString('en', { maximumFractionDigits: 6 })
}

function whole(share: number): string {
  return (100 * share).toFixed(0)
}
