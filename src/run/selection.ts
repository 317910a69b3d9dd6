import type { EpisodeRow } from '../results/episode-row.js'
import { unknownName, usageError } from '../core/errors.js'
import type { Experiment } from './experiment.js'
import type { Plan, StoredRun } from './plan.js'
import { countCells, placesOf } from './cells.js'

/** The axes of a plan by which its cells can be selected. */
const axes = ['model', 'env', 'task', 'perturb', 'agent', 'temperature', 'seed'] as const

type Axis = (typeof axes)[number]

/** The wanted values of each axis, as written; an axis that is absent is not restricted. */
export type Selection = ReadonlyMap<Axis, readonly string[]>

/**
 * Reads `--only model=tuned,seed=0..4`: values of axes, several with `|` between them, or given again.
 * @throws ShaketableError `usage` for anything else, with the near miss of an unknown axis
 */
export function readSelection(given: readonly string[]): Selection {
  const selection = new Map<Axis, readonly string[]>()
  for (const part of given.flatMap((text) => text.split(','))) {
    const [, key, text = ''] = /^\s*([^=]*?)\s*=(.*)$/s.exec(part) ?? []
    const values = text.split('|').map((value) => value.trim())
    if (key === undefined || values.includes('')) {
      const last = [...selection.keys()].at(-1) ?? 'seed'
      throw refuse(
        `expected AXIS=VALUE, as in model=tuned,seed=0..4, got '${part.slice(0, 100)}'. Several values of an axis are written '${last}=A|B', or as one --only for each.`,
      )
    }
    const axis = axes.find((one) => one === key)
    if (axis === undefined) throw refuse(unknownName('axis', key, axes))
    selection.set(axis, [...(selection.get(axis) ?? []), ...values])
  }
  return selection
}

function refuse(what: string) {
  return usageError(`--only: ${what}`)
}

/** The values of axes that a selection may name. */
type Known = Readonly<Partial<Record<Axis, readonly (string | number)[]>>>

/** The axes that a plan has in common with its experiment. */
function sharedAxes({ models, environments, temperatures, seeds }: Shared) {
  const nameOf = ({ name }: { readonly name: string }): string => name
  return { model: models.map(nameOf), env: environments.map(nameOf), temperature: temperatures, seed: seeds }
}

type Shared = Pick<Plan | Experiment, 'models' | 'environments' | 'temperatures' | 'seeds'>

/**
 * The models that a selection plays; undefined for all.
 * @param experiment whose values are known before anything is opened, and any server is asked
 * @param labelOf the label of a condition that is written in another way
 * @throws ShaketableError `usage` for a value that it does not have, with the near miss
 */
export function selectedModels(
  selection: Selection,
  experiment: Shared & Pick<Experiment, 'perturbations'>,
  labelOf: (text: string) => string,
): readonly string[] | undefined {
  const known = {
    ...sharedAxes(experiment),
    ...(selection.has('perturb') && { perturb: experiment.perturbations.map(labelOf) }),
  }
  const wanted = resolve(selection, known, labelOf)
  return wanted.has('model') ? ([...wanted.get('model')!] as string[]) : undefined
}

/** The wanted values of each axis that is known. */
function resolve(
  selection: Selection,
  known: Known,
  labelOf: (text: string) => string,
): ReadonlyMap<Axis, ReadonlySet<string | number>> {
  return new Map(
    [...selection].flatMap(([axis, texts]): [Axis, ReadonlySet<string | number>][] => {
      const values = known[axis]
      return values === undefined ? [] : [[axis, new Set(texts.flatMap((text) => find(axis, text, values, labelOf)))]]
    }),
  )
}

/** The most values that a message lists. */
const maxListed = 40

/** The value of an axis that a text names, or all numbers in a range whose ends it has. */
function find(
  axis: Axis,
  text: string,
  values: readonly (string | number)[],
  labelOf: (text: string) => string,
): readonly (string | number)[] {
  const isNumber = axis === 'temperature' || axis === 'seed'
  const one = (name: string): string | number => {
    const value = isNumber ? (/^-?\d/.test(name) ? Number(name) : NaN) : name
    if (values.includes(value)) return value
    const label = axis === 'perturb' ? labelOf(name) : name
    if (values.includes(label)) return label
    const known = values.slice(0, maxListed).map(String)
    throw refuse(unknownName(axis, name, values.length > maxListed ? [...known, '…'] : known))
  }
  const [from, to, ...more] = (isNumber ? text.split('..') : [text]).map(one)
  if (to === undefined) return [from!]
  if (more.length === 0 && from! <= to) return values.filter((value) => value >= from! && value <= to)
  throw refuse(
    `expected a range from the smaller to the larger ${axis}, as in ${axis}=0..4, got '${text.slice(0, 100)}'.`,
  )
}

/**
 * The part of a plan that a selection plays, as a plan: its cells have the keys that they have in the whole plan.
 * @param labelOf the label of a condition that is written in another way
 * @throws ShaketableError `usage` for a value that the plan does not have, or if no episode has all of them
 */
export function limitPlan(plan: Plan, selection: Selection, labelOf: (text: string) => string = String): Plan {
  const known = {
    ...sharedAxes(plan),
    task: plan.environments.flatMap(({ tasks }) => tasks.map(({ id }) => id)),
    perturb: plan.conditions.map(({ label }) => label),
    agent: plan.agents.map(({ name }) => name),
  } satisfies Record<Axis, readonly (string | number)[]>
  const wanted = resolve(selection, known, labelOf)
  const isWanted = (axis: Axis, value: string | number): boolean => wanted.get(axis)?.has(value) ?? true
  const seeds = plan.seeds.filter((seed) => isWanted('seed', seed))
  const agents = plan.agents.filter(({ name }) => isWanted('agent', name))
  const limited: Plan = {
    ...plan,
    environments: plan.environments
      .filter(({ name }) => isWanted('env', name))
      .map((environment) => ({ ...environment, tasks: environment.tasks.filter(({ id }) => isWanted('task', id)) }))
      .filter(({ tasks }) => tasks.length > 0),
    conditions: plan.conditions.filter(({ label }) => isWanted('perturb', label)),
    models: plan.models
      .filter(({ name }) => isWanted('model', name))
      .map((model) => {
        const { seedsAtZero } = model
        if (seedsAtZero === undefined) return model
        const first = plan.seeds.slice(0, seedsAtZero)
        return { ...model, seedsAtZero: seeds.filter((seed) => first.includes(seed)).length }
      }),
    agents,
    temperatures: plan.temperatures.filter((temperature) => isWanted('temperature', temperature)),
    seeds,
  }
  if (countCells(limited) > 0) return limited
  const given = [...selection].map(([axis, values]) => `${axis}=${values.join('|')}`).join(',')
  throw refuse(`expected episodes with all of ${given.slice(0, 300)}, but the experiment has none.`)
}

/**
 * A run at some of its temperatures; all of it where none are given.
 * @throws ShaketableError `usage` for a temperature that it does not have
 */
export function atTemperatures<Run extends StoredRun>(run: Run, given: readonly string[] | undefined): Run {
  if (given === undefined) return run
  const known = run.plan.temperatures
  const wanted = given.map((text) => {
    const temperature = known.find((one) => text.trim() !== '' && one === Number(text))
    if (temperature !== undefined) return temperature
    throw usageError(
      `--temperatures: expected some of those that the run has (${known.slice(0, maxListed).join(', ')}), got '${text.slice(0, 100)}'.`,
    )
  })
  const only = (rows: Iterable<EpisodeRow>): Iterable<EpisodeRow> => ({
    *[Symbol.iterator]() {
      for (const row of rows) if (wanted.includes(row.temperature)) yield row
    },
  })
  return Object.defineProperties(run, {
    plan: { value: { ...run.plan, temperatures: known.filter((one) => wanted.includes(one)) } },
    rows: { value: only(run.rows) },
  })
}

/**
 * Indices of the cells of a plan, ascending, that a part of it has.
 * @param part see {@link limitPlan}
 */
export function indicesOf(plan: Plan, part: Plan): readonly number[] {
  const places = placesOf(plan)
  return [...placesOf(part).keys()].map((key) => places.get(key)!).sort((one, other) => one - other)
}

/** Creates a function that tells whether a row is of a plan, or of some of its cells. */
export function createSelected(plan: Plan, only: readonly number[] | undefined): (row: EpisodeRow) => boolean {
  const [places, selected] = [placesOf(plan), only && new Set<number | undefined>(only)]
  return ({ key }) => selected?.has(places.get(key)) ?? places.has(key)
}
