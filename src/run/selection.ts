import { unknownName, usageError } from '../core/errors.js'
import type { Experiment } from './experiment.js'
import type { Plan, StoredRun } from './plan.js'
import { cellsByKey, countCells } from './cells.js'

const axes = ['model', 'env', 'task', 'perturb', 'agent', 'temperature', 'seed'] as const

type Axis = (typeof axes)[number]

/** The wanted values of each axis, as written; an axis that is absent is not restricted. */
export type Selection = ReadonlyMap<Axis, readonly string[]>

/**
 * Reads `--only model=tuned,seed=0|1`: values of axes, several with `|` between them, or given again.
 * @throws ShaketableError `usage` for anything else, with the near miss of an unknown axis
 */
export function readSelection(texts: readonly string[]): Selection {
  const selection = new Map<Axis, readonly string[]>()
  for (const part of texts.flatMap((text) => text.split(','))) {
    const [, key, text = ''] = /^\s*([^=]*?)\s*=(.*)$/s.exec(part) ?? []
    const values = text.split('|').map((value) => value.trim())
    if (key === undefined || values.includes(''))
      throw refuse(`expected AXIS=VALUE, or AXIS=A|B, as in model=tuned,seed=0|1, got '${part.slice(0, 100)}'.`)
    const axis = axes.find((candidate) => candidate === key)
    if (axis === undefined) throw refuse(unknownName('axis', key, axes))
    selection.set(axis, [...(selection.get(axis) ?? []), ...values])
  }
  return selection
}

function refuse(what: string) {
  return usageError(`--only: ${what}`)
}

const maxListed = 40

/**
 * The values of an axis that a selection names; undefined for all.
 * @param labelOf the label of a condition that is written in another way
 * @throws ShaketableError `usage` for a value that is not known, with the near miss
 */
function wantedOf(
  selection: Selection,
  axis: Axis,
  known: readonly (string | number)[],
  labelOf: (text: string) => string,
): readonly (string | number)[] | undefined {
  return selection.get(axis)?.map((text) => {
    const match = known.find((value) => (typeof value === 'number' ? value === Number(text) : value === text))
    if (match !== undefined) return match
    const label = axis === 'perturb' ? labelOf(text) : text
    if (known.includes(label)) return label
    const names = known.slice(0, maxListed).map(String)
    throw refuse(unknownName(axis, text, known.length > maxListed ? [...names, '…'] : names))
  })
}

const nameOf = ({ name }: { readonly name: string }): string => name

/**
 * The models that a selection plays; undefined for all. Values of other axes are checked too, before anything is
 * opened, and any server is asked.
 * @param labelOf the label of a condition that is written in another way
 * @throws ShaketableError `usage` for a value that the experiment does not have, with the near miss
 */
export function selectedModels(
  selection: Selection,
  given: Pick<Experiment, 'models' | 'environments' | 'temperatures' | 'seeds' | 'perturbations'>,
  labelOf: (text: string) => string,
): readonly string[] | undefined {
  wantedOf(selection, 'env', given.environments.map(nameOf), labelOf)
  wantedOf(selection, 'temperature', given.temperatures, labelOf)
  wantedOf(selection, 'seed', given.seeds, labelOf)
  if (selection.has('perturb')) wantedOf(selection, 'perturb', given.perturbations.map(labelOf), labelOf)
  return wantedOf(selection, 'model', given.models.map(nameOf), labelOf)?.map(String)
}

/**
 * The part of a plan that a selection plays, as a plan: its cells have the keys that they have in the whole plan.
 * @param labelOf the label of a condition that is written in another way
 * @throws ShaketableError `usage` for a value that the plan does not have, or if no episode has all of them
 */
export function limitPlan(plan: Plan, selection: Selection, labelOf: (text: string) => string = String): Plan {
  const limit = <T>(axis: Axis, entries: readonly T[], valueOf: (entry: T) => string | number, all = entries): T[] => {
    const wanted = wantedOf(selection, axis, all.map(valueOf), labelOf)
    return entries.filter((entry) => wanted?.includes(valueOf(entry)) ?? true)
  }
  const idOf = ({ id }: { readonly id: string }): string => id
  const allTasks = plan.environments.flatMap(({ tasks }) => tasks)
  const seeds = limit('seed', plan.seeds, Number)
  const limited: Plan = {
    ...plan,
    environments: limit('env', plan.environments, nameOf)
      .map((environment) => ({ ...environment, tasks: limit('task', environment.tasks, idOf, allTasks) }))
      .filter(({ tasks }) => tasks.length > 0),
    conditions: limit('perturb', plan.conditions, ({ label }) => label),
    models: limit('model', plan.models, nameOf).map((model) => {
      const first = plan.seeds.slice(0, model.seedsAtZero)
      const seedsAtZero = seeds.filter((seed) => first.includes(seed)).length
      return model.seedsAtZero === undefined ? model : { ...model, seedsAtZero }
    }),
    agents: limit('agent', plan.agents, nameOf),
    temperatures: limit('temperature', plan.temperatures, Number),
    seeds,
  }
  if (countCells(limited) > 0) return limited
  const words = [...selection].map(([axis, values]) => `${axis}=${values.join('|')}`).join(',')
  throw refuse(`expected episodes with all of ${words.slice(0, 300)}, but the experiment has none.`)
}

/**
 * A run at some of its temperatures; all of it where none are given.
 * @throws ShaketableError `usage` for a temperature that it does not have
 */
export function atTemperatures<Run extends StoredRun>(run: Run, texts: readonly string[] | undefined): Run {
  if (texts === undefined) return run
  const { plan, rows } = run
  const has = (text: string) => (temperature: number) => text.trim() !== '' && temperature === Number(text)
  const stray = texts.find((text) => !plan.temperatures.some(has(text)))
  if (stray !== undefined) {
    const known = plan.temperatures.slice(0, maxListed).join(', ')
    const got = `got '${stray.slice(0, 100)}'`
    throw usageError(`--temperatures: expected some of those that the run has (${known}), ${got}.`)
  }
  const temperatures = plan.temperatures.filter((temperature) => texts.some((text) => has(text)(temperature)))
  const chosen = {
    *[Symbol.iterator]() {
      for (const row of rows) if (temperatures.includes(row.temperature)) yield row
    },
  }
  return Object.defineProperties(run, { plan: { value: { ...plan, temperatures } }, rows: { value: chosen } })
}

/**
 * Indices of the cells of a plan, ascending, that a part of it has.
 * @param part see {@link limitPlan}
 */
export function indicesOf(plan: Plan, part: Plan): readonly number[] {
  const all = cellsByKey(plan)
  return [...cellsByKey(part).keys()].map((key) => all.get(key)!.index).sort((one, other) => one - other)
}
