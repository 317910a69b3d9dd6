import { canonicalJson } from '../core/episode.js'
import { settingsOf, usedIn } from '../core/perturbation.js'
import type { Plan, PlannedCondition, PlannedEnvironment, PlannedModel, PlannedPerturbation } from './plan.js'
import { conditionsIn } from './plan.js'
import { isObject } from '../files/json.js'
import { count } from '../tables/words.js'
import { countCells } from './cells.js'
import type { EnvironmentChoice, Experiment } from './experiment.js'
import { roleOf, withoutAbsent } from './model-choice.js'

interface PlanDifference {
  /** `stepLimit`, `environments.household.settings.split`. */
  readonly path: string
  readonly was: unknown
  readonly is: unknown
}

/** The joined plan, or the differences that would change episodes of both plans. */
type JoinedPlans =
  | { readonly plan: Plan; readonly refused?: never }
  | { readonly refused: readonly PlanDifference[]; readonly plan?: never }

/**
 * The smallest plan with the cells of two plans, their keys unchanged: each list has the entries of `was` in their
 * order, then those that `is` adds. Refused if an entry of both has another identity, which is part of the keys of its
 * episodes (see `identityOf`). Of what is no part of a key, such as goals and roles, the newer stands; the primary
 * endpoint is that of `is`, also where it has none.
 *
 * A plan is a product, so the joined plan may have cells that neither plan had: those of a new seed with an older
 * model, for example. A condition is planned only in the environments in which one of the plans has it. The settings of
 * a model that was not probed yet are not final, and neither are the keys of its cells.
 */
export function joinPlans(was: Plan, is: Plan): JoinedPlans {
  const now = decidingOf(is)
  const refused = [...decidingOf(was)].flatMap(([path, value]) =>
    now.has(path) ? differencesOf(value, now.get(path), path) : [],
  )
  if (refused.length > 0) return { refused }
  const joinTasks = (one: PlannedEnvironment, other: PlannedEnvironment): PlannedEnvironment => ({
    ...{ ...one, ...other },
    tasks: join(one.tasks, other.tasks, idOf),
  })
  const axes: Axes = {
    environments: join(was.environments, is.environments, nameOf, joinTasks),
    agents: join(was.agents, is.agents, nameOf),
    temperatures: unite(was.temperatures, is.temperatures),
    seeds: unite(was.seeds, is.seeds),
  }
  const conditions = unite(was.conditions.map(labelOf), is.conditions.map(labelOf))
  const models = unite(was.models.map(nameOf), is.models.map(nameOf))
  const joined = {
    conditions: conditions.map((label) => joinConditions(label, was, is, axes)),
    models: models.map((name) => joinModels(name, was, is, axes)),
  }
  return { plan: withoutAbsent({ ...was, ...axes, ...joined, primary: is.primary }) }
}

/**
 * The experiment of a joined plan: the lists of both, and the other settings of the newer.
 * @param plan the joined plan
 */
export function joinExperiments(was: unknown, is: unknown, plan: Plan): unknown {
  if (!isExperiment(was)) return is
  if (!isExperiment(is)) return was
  const joinTasks = (choice: EnvironmentChoice, { options, tasks }: EnvironmentChoice): EnvironmentChoice => {
    const { name } = choice
    if (choice.tasks === undefined || tasks === undefined) return { name, options }
    if (typeof choice.tasks === 'number' && typeof tasks === 'number')
      return { name, options, tasks: Math.max(choice.tasks, tasks) }
    return { name, options, tasks: plan.environments.find((each) => each.name === name)?.tasks.map(idOf) ?? [] }
  }
  const perturbations = unite(was.perturbations, is.perturbations)
  const optional = perturbations.filter((text) =>
    [was, is].every((experiment) => !experiment.perturbations.includes(text) || experiment.optional?.includes(text)),
  )
  const joined = {
    environments: join(was.environments, is.environments, nameOf, joinTasks),
    perturbations,
    optional: optional.length > 0 ? optional : undefined,
    models: join(was.models, is.models, nameOf, (_, newer) => newer),
    agents: unite(was.agents, is.agents),
    temperatures: plan.temperatures,
    seeds: plan.seeds,
    seedsAtZero: Math.max(was.seedsAtZero, is.seedsAtZero),
    plugins: unite(was.plugins, is.plugins),
  }
  return withoutAbsent({ baseUrl: was.baseUrl, ...is, ...joined }) satisfies Experiment
}

function isExperiment(value: unknown): value is Experiment {
  return isObject(value) && Array.isArray(value['environments'])
}

/** What a plan has that another had not, in words: `3 seeds; model b; 20 tasks of household`. Empty for nothing. */
export function describeGrowth(was: Plan, is: Plan): string {
  const added = (noun: string, namesIn: (plan: Plan) => readonly (string | number)[]): readonly string[] => {
    const known = new Set(namesIn(was))
    const names = namesIn(is).filter((name) => !known.has(name))
    if (names.length === 0) return []
    const isCounted = names.length > 3 || noun === 'seed'
    return [isCounted ? count(names.length, noun) : `${noun}${names.length === 1 ? '' : 's'} ${names.join(', ')}`]
  }
  const words = [
    ...added('seed', ({ seeds }) => seeds),
    ...added('temperature', ({ temperatures }) => temperatures),
    ...added('model', ({ models }) => models.map(nameOf)),
    ...added('environment', ({ environments }) => environments.map(nameOf)),
    ...is.environments.flatMap(({ name, tasks }) => {
      const known = was.environments.find((environment) => environment.name === name)?.tasks.map(idOf)
      const more = known && tasks.filter(({ id }) => !known.includes(id)).length
      return more ? [`${count(more, 'task')} of ${name}`] : []
    }),
    ...added('condition', ({ conditions }) => conditions.map(labelOf)),
    ...added('agent', ({ agents }) => agents.map(nameOf)),
    ...is.models
      .filter(({ name, unprobed }) => !unprobed && was.models.some((model) => model.name === name && model.unprobed))
      .map(({ name }) => `the settings of ${name}`),
  ]
  const episodes = countCells(is) - countCells(was)
  return words.length > 0 || episodes <= 0 ? words.join('; ') : count(episodes, 'episode')
}

/** Values shared by all conditions and models of a joined plan. */
type Axes = Pick<Plan, 'environments' | 'agents' | 'temperatures' | 'seeds'>

const nameOf = ({ name }: { readonly name: string }): string => name
const labelOf = ({ label }: PlannedCondition): string => label
const idOf = ({ id }: { readonly id: string }): string => id

/** The values of one list, then those that the other adds. */
const unite = <Value>(was: readonly Value[], is: readonly Value[]): Value[] => [...new Set([...was, ...is])]

/** The same for entries with names. */
function join<Entry>(
  was: readonly Entry[],
  is: readonly Entry[],
  keyOf: (entry: Entry) => string,
  both: (was: Entry, is: Entry) => Entry = (one, other) => ({ ...one, ...other }),
): Entry[] {
  const entries = new Map(was.map((entry) => [keyOf(entry), entry]))
  for (const entry of is) {
    const before = entries.get(keyOf(entry))
    entries.set(keyOf(entry), before === undefined ? entry : both(before, entry))
  }
  return [...entries.values()]
}

/** A perturbation of a condition, and the names of the environments of its plan in which it is used. */
interface Placed {
  readonly one: PlannedPerturbation
  readonly places: readonly string[]
}

function placedIn({ conditions, environments }: Plan, label: string): readonly Placed[] | undefined {
  const names = environments.map(nameOf)
  const condition = conditions.find((plannedCondition) => plannedCondition.label === label)
  return condition?.perturbations.map((perturbation) => ({
    one: perturbation,
    places: perturbation.environments?.filter((name) => names.includes(name)) ?? names,
  }))
}

/** A condition with its perturbations in each environment as in the first plan that plays it there. */
function joinConditions(label: string, was: Plan, is: Plan, { environments: all }: Axes): PlannedCondition {
  const [before, after] = [placedIn(was, label), placedIn(is, label)]
  const played = new Set(before?.flatMap(({ places }) => places))
  const more = (after ?? []).map(({ one, places }) => ({ one, places: places.filter((name) => !played.has(name)) }))
  const isAlike =
    before?.length === more.length &&
    before.every(({ one }, place) => canonicalJson(identityOf(one)) === canonicalJson(identityOf(more[place]!.one)))
  const entries = isAlike
    ? before.map(({ one, places }, place): Placed => {
        const { one: newer, places: added } = more[place]!
        return { one: { ...one, source: newer.source, summary: newer.summary }, places: [...places, ...added] }
      })
    : [...(before ?? []), ...more.filter(({ places }) => places.length > 0)]
  return {
    label,
    perturbations: entries.map(({ one: { environments, ...one }, places }) =>
      environments === undefined && places.length === all.length ? one : { ...one, environments: places },
    ),
  }
}

function identityOf(perturbation: PlannedPerturbation) {
  return { name: perturbation.name, version: perturbation.version, ...settingsOf(perturbation) }
}

function joinModels(name: string, was: Plan, is: Plan, axes: Axes): PlannedModel {
  const plans = [was, is].flatMap((plan) => {
    const model = plan.models.find((plannedModel) => plannedModel.name === name)
    return model === undefined ? [] : [{ plan, model }]
  })
  const [first, last] = [plans[0]!.model, plans.at(-1)!.model]
  const { settings, unprobed } = first.unprobed ? last : first
  const played = new Set(
    plans.flatMap(({ plan, model }) => (plan.temperatures.includes(0) ? plan.seeds.slice(0, model.seedsAtZero) : [])),
  )
  const seedsAtZero = Math.max(1, axes.seeds.findLastIndex((seed) => played.has(seed)) + 1)
  const agents = new Set(plans.flatMap(({ plan, model }) => model.agents ?? plan.agents.map(nameOf)))
  return {
    name,
    settings,
    ...roleOf({ ...first, ...last }),
    ...(axes.temperatures.includes(0) && seedsAtZero < axes.seeds.length && { seedsAtZero }),
    ...(agents.size < axes.agents.length && { agents: [...agents] }),
    ...(unprobed && { unprobed }),
  }
}

/** What decides the episodes of a plan, by its place; plans are joined if they agree in the places of both. */
function decidingOf({ stepLimit, maxTokens, environments, conditions, models, agents }: Plan): Map<string, unknown> {
  return new Map<string, unknown>([
    ['stepLimit', stepLimit],
    ['maxTokens', maxTokens],
    ...environments.flatMap(({ name, version, settings, data, tasks }): (readonly [string, unknown])[] => [
      [`environments.${name}`, { version, settings }],
      // Tasks of two splits or origins would stand under the name of one.
      ...(data
        ? [[`environments.${name}.data`, { kind: data.kind, from: data.from, split: data.split }] as const]
        : []),
      ...tasks.map(({ id, hash }) => [`environments.${name}.tasks.${id}.hash`, hash] as const),
      ...conditionsIn(conditions, name).map(({ label, perturbations }): [string, unknown] => {
        const used = usedIn(perturbations, name).map(identityOf)
        const named = Object.fromEntries(used.map((one) => [one.name, one]))
        return [`conditions.${label} in ${name}`, { order: used.map(nameOf), ...named }]
      }),
    ]),
    ...models
      .filter(({ unprobed }) => !unprobed)
      .map(({ name, settings }) => [`models.${name}.settings`, settings] as const),
    ...agents.map(({ name, settings }) => [`agents.${name}.settings`, settings] as const),
  ])
}

function differencesOf(was: unknown, is: unknown, path: string): readonly PlanDifference[] {
  if (isObject(was) && isObject(is)) {
    const [one, other] = [new Map(Object.entries(was)), new Map(Object.entries(is))]
    const keys = new Set([...one.keys(), ...other.keys()])
    return [...keys].flatMap((key) => differencesOf(one.get(key), other.get(key), `${path}.${key}`))
  }
  return JSON.stringify(was) === JSON.stringify(is) ? [] : [{ path, was, is }]
}

/** The first ten differences, one per line. */
export function describeDifferences(differences: readonly PlanDifference[]): string {
  const show = (value: unknown): string => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'absent')
    return text.length > 160 ? `${text.slice(0, 160)}…` : text
  }
  const lines = differences.slice(0, 10).map(({ path, was, is }) => `  ${path}: was ${show(was)}, is ${show(is)}`)
  if (differences.length > 10) lines.push(`  … and ${String(differences.length - 10)} more`)
  return lines.join('\n')
}
