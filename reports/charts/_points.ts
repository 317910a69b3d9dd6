import { pairsOf } from '../../src/define.js'
import type { Aggregate, Group } from '../../src/results/aggregate.js'
import type { Touched } from '../../src/results/schema.js'
import type { ChartPoint } from './chart.js'
import type { Attributes } from './_svg.js'
import { element, escapeText } from './_svg.js'

/** Both rates. */
export const metrics = ['success', 'progress'] as const
/** One of {@link metrics}. */
export type Metric = (typeof metrics)[number]

/** A model with the agent that plays it. */
export interface Subject {
  readonly model: string
  readonly agent: string
  /** The model's name, with the agent's if there are several. */
  readonly name: string
}

/** All pairs of model and agent, in the plan's order. */
export function subjectsOf(aggregate: Aggregate): readonly Subject[] {
  return pairsOf(aggregate).map(({ model, agent }) => ({
    model: model.name,
    agent: agent.name,
    name: subjectName(aggregate, { model: model.name, agent: agent.name }),
  }))
}

/** The name of a model, with that of its agent if there are several. */
export function subjectName({ agents }: Aggregate, { model, agent }: Pick<Subject, 'model' | 'agent'>): string {
  return agents.length > 1 ? `${model} · ${agent}` : model
}

/** A point without figures that names its group. */
export function identityOf({ environment, model, agent, column }: Group): ChartPoint {
  return { environment, model, agent, column, metric: '' }
}

/** A point's rate in percent with one decimal, `–` if there is none, and `†` if measurements are missing. */
export function pointText({ value, valid, planned }: ChartPoint): string {
  const dagger = valid !== undefined && planned !== undefined && valid < planned ? '†' : ''
  return `${value === undefined ? '–' : percent(value)}${dagger}`
}

/** A share in percent, or a difference of shares in points, with one decimal and a true minus. */
export function percent(share: number): string {
  const text = (100 * share).toFixed(1)
  return Number(text) === 0 ? '0.0' : text.replace('-', '−')
}

/** A difference of shares in points with its sign. */
export function signed(share: number): string {
  const text = percent(share)
  return share > 0 && text !== '0.0' ? `+${text}` : text
}

/**
 * The element of a point: `words` are its tooltip, and `fields` of the point become `data-` attributes for programs.
 */
export function mark(
  name: string,
  attributes: Attributes,
  point: ChartPoint,
  words: string,
  fields: readonly PointField[] = allFields,
): string {
  return element(name, { ...attributes, ...dataOf(point, fields) }, element('title', {}, escapeText(words)))
}

/** A group of marks that differ only in figures; the group has the `data-` attributes that they have in common. */
export function groupMarks(attributes: Attributes, points: readonly ChartPoint[], marks: readonly string[]): string {
  return points.length === 0 ? '' : element('g', { ...attributes, ...dataOf(points[0]!, pointFields.names) }, ...marks)
}

/** `reader, agentrefine-1: success rate 48.3 %, 95 % interval 31.0 to 60.2; 178 of 180 episodes measured`. */
export function describeRate(subject: string, point: ChartPoint): string {
  const { column, metric, value, valid, planned } = point
  const coverage = `; ${String(valid)} of ${String(planned)} episodes measured`
  return `${subject}, ${column}: ${metric} rate ${percent(value!)} %${describeInterval(point)}${coverage}${describeTouched(point)}`
}

/** `, 95 % interval 31.0 to 60.2`, where a point has one. */
export function describeInterval({ low, high }: ChartPoint): string {
  return low === undefined || high === undefined ? '' : `, 95 % interval ${percent(low)} to ${percent(high)}`
}

/** The shares of tasks and steps that a condition touched, for a point of its change. */
export function touchedPoint(touched: Touched | undefined): Pick<ChartPoint, 'touchedTasks' | 'touchedSteps'> {
  return {
    ...(touched && touched.of > 0 && { touchedTasks: touched.tasks / touched.of }),
    ...(touched?.steps !== undefined && { touchedSteps: touched.steps }),
  }
}

/** `; touched 60.0 % of tasks, 35.2 % of steps`, where a point tells it. */
export function describeTouched({ touchedTasks, touchedSteps }: ChartPoint): string {
  if (touchedTasks === undefined) return ''
  const steps = touchedSteps === undefined ? '' : `, ${percent(touchedSteps)} % of steps`
  return `; touched ${percent(touchedTasks)} % of tasks${steps}`
}

/** `60, 35`: the shares of tasks and of steps that a condition touched, in whole percent; `–` for what is not known. */
export function touchedText({ touchedTasks, touchedSteps }: ChartPoint): string {
  if (touchedTasks === undefined) return ''
  return [touchedTasks, touchedSteps]
    .map((share) => (share === undefined ? '–' : String(Math.round(100 * share))))
    .join(', ')
}

/** Fields of a point that become `data-` attributes. */
export const pointFields = {
  names: ['environment', 'model', 'agent', 'column', 'metric'],
  figures: ['x', 'value', 'low', 'high'],
} as const
const allFields = [...pointFields.names, ...pointFields.figures]
type PointField = (typeof allFields)[number]

/** Figures with six significant digits; report.json has all of them. */
function dataOf(point: ChartPoint, fields: readonly PointField[]): Attributes {
  return Object.fromEntries(
    fields.map((field) => {
      const value = point[field]
      return [`data-${field}`, typeof value === 'number' ? Number(value.toPrecision(6)) : value]
    }),
  )
}
