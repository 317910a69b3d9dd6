import { canonicalJson } from '../core/episode.js'
import { settingsOf, usedIn } from '../core/perturbation.js'
import type { Plan, PlannedColumn, PlannedEnvironment, PlannedModel, PlannedPerturbation, PlannedTask } from './plan.js'
import { columnsIn } from './plan.js'
import { count } from '../tables/words.js'
import type { EnvironmentChoice, Experiment } from './experiment.js'
import { roleOf } from './model-choice.js'

/** One place where two plans differ. */
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
  const refused = listClashes(was, is)
  if (refused.length > 0) return { refused }
  const environments = join(was.environments, is.environments, nameOf, joinEnvironments)
  const axes: Axes = {
    environments: environments.map(nameOf),
    agents: join(was.agents, is.agents, nameOf),
    temperatures: [...new Set([...was.temperatures, ...is.temperatures])],
    seeds: [...new Set([...was.seeds, ...is.seeds])],
  }
  const columns = join(was.columns, is.columns, labelOf)
  const models = join(was.models, is.models, nameOf)
  return {
    plan: {
      schema: was.schema,
      version: was.version,
      environments,
      columns: columns.map(({ label }) => joinColumns(label, was, is, axes)),
      models: models.map(({ name }) => joinModels(name, was, is, axes)),
      agents: axes.agents,
      temperatures: axes.temperatures,
      seeds: axes.seeds,
      stepLimit: was.stepLimit,
      maxTokens: was.maxTokens,
      ...(is.primary && { primary: is.primary }),
    },
  }
}

/**
 * The experiment of a joined plan: the lists of both, and the other settings of the newer. An experiment that is not
 * one, as in runs of earlier versions, is left out.
 * @param plan the joined plan
 */
export function joinExperiments(was: unknown, is: unknown, plan: Plan): unknown {
  if (!isExperiment(was)) return is
  if (!isExperiment(is)) return was
  const tasksOf = ({ name }: EnvironmentChoice): Pick<EnvironmentChoice, 'tasks'> => {
    const [one, other] = [was, is].map(({ environments }) => environments.find((each) => each.name === name))
    if (one === undefined || other === undefined) return {}
    const tasks = joinTasks(one.tasks, other.tasks, () => plan.environments.find((each) => each.name === name)?.tasks)
    return { tasks } as Pick<EnvironmentChoice, 'tasks'>
  }
  const perturbations = [...new Set([...was.perturbations, ...is.perturbations])]
  const optional = perturbations.filter((text) =>
    [was, is].every((one) => !one.perturbations.includes(text) || one.optional?.includes(text)),
  )
  return {
    ...(was.baseUrl !== undefined && { baseUrl: was.baseUrl }),
    ...is,
    environments: join(was.environments, is.environments, nameOf).map((one) => ({ ...one, ...tasksOf(one) })),
    perturbations,
    ...((optional.length > 0 || is.optional) && { optional }),
    models: join(was.models, is.models, nameOf, (_, newer) => newer),
    agents: [...new Set([...was.agents, ...is.agents])],
    temperatures: plan.temperatures,
    seeds: plan.seeds,
    seedsAtZero: Math.max(was.seedsAtZero, is.seedsAtZero),
    plugins: [...new Set([...was.plugins, ...is.plugins])],
  } satisfies Experiment
}

/** The tasks of both: a number or a list as they are given, or else the ids of the plan. Absent: all tasks. */
function joinTasks(
  one: EnvironmentChoice['tasks'],
  other: EnvironmentChoice['tasks'],
  planned: () => readonly PlannedTask[] | undefined,
): EnvironmentChoice['tasks'] {
  if (one === undefined || other === undefined) return undefined
  return typeof one === 'number' && typeof other === 'number' ? Math.max(one, other) : planned()?.map(idOf)
}

function isExperiment(value: unknown): value is Experiment {
  const lists = ['environments', 'perturbations', 'models', 'agents', 'seeds', 'temperatures', 'plugins']
  return isObject(value) && lists.every((name) => Array.isArray(valueAt(value, name)))
}

/** What a plan has that another had not, in words: `3 seeds; model b; 20 tasks of household`. Empty for nothing. */
export function describeGrowth(was: Plan, is: Plan): string {
  const added = <Entry>(before: readonly Entry[], now: readonly Entry[], keyOf: (entry: Entry) => unknown): Entry[] => {
    const known = new Set(before.map(keyOf))
    return now.filter((entry) => !known.has(keyOf(entry)))
  }
  const named = (noun: string, names: readonly string[]): readonly string[] => {
    if (names.length === 0) return []
    return [
      names.length > 3 ? count(names.length, noun) : `${noun}${names.length === 1 ? '' : 's'} ${names.join(', ')}`,
    ]
  }
  const seeds = added(was.seeds, is.seeds, Number).length
  const older = shared(was.environments, is.environments, nameOf)
  const pairsIn = ({ columns }: Plan): string[] =>
    older.flatMap(([{ name }]) => columnsIn(columns, name).map(({ label }) => `${label} in ${name}`))
  const columns = added(was.columns, is.columns, labelOf).map(labelOf)
  const models = shared(was.models, is.models, nameOf)
  const agentsOf = (plan: Plan, { agents }: PlannedModel): readonly string[] => agents ?? plan.agents.map(nameOf)
  return [
    ...(seeds === 0 ? [] : [count(seeds, 'seed')]),
    ...named('temperature', added(was.temperatures, is.temperatures, Number).map(String)),
    ...named('model', added(was.models, is.models, nameOf).map(nameOf)),
    ...named('environment', added(was.environments, is.environments, nameOf).map(nameOf)),
    ...older.flatMap(([before, now]) => {
      const tasks = added(before.tasks, now.tasks, idOf).length
      return tasks === 0 ? [] : [`${count(tasks, 'task')} of ${now.name}`]
    }),
    ...named('condition', columns),
    ...named(
      'condition',
      added(pairsIn(was), pairsIn(is), String).filter(
        (pair) => !columns.some((label) => pair.startsWith(`${label} in `)),
      ),
    ),
    ...named('agent', added(was.agents, is.agents, nameOf).map(nameOf)),
    ...models.flatMap(([before, now]) => {
      const agents = agentsOf(is, now).filter((name) => !agentsOf(was, before).includes(name))
      const known = agents.filter((name) => was.agents.some((agent) => agent.name === name))
      const [atZero, nowAtZero] = [before.seedsAtZero ?? was.seeds.length, now.seedsAtZero ?? is.seeds.length]
      const isMore = was.temperatures.includes(0) && nowAtZero > atZero && nowAtZero - atZero !== seeds
      return [
        ...(known.length === 0 ? [] : [`${now.name} with ${known.join(', ')}`]),
        ...(isMore ? [`${count(nowAtZero - atZero, 'seed')} at temperature 0 with ${now.name}`] : []),
        ...(before.unprobed && !now.unprobed ? [`the settings of ${now.name}`] : []),
      ]
    }),
  ].join('; ')
}

/** Values shared by all entries of a joined plan. */
interface Axes extends Pick<Plan, 'agents' | 'temperatures' | 'seeds'> {
  /** Names. */
  readonly environments: readonly string[]
}

const nameOf = ({ name }: { readonly name: string }): string => name
const labelOf = ({ label }: PlannedColumn): string => label
const idOf = ({ id }: PlannedTask): string => id

/** The entries of one list, then those that the other adds. */
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

function joinEnvironments(was: PlannedEnvironment, is: PlannedEnvironment): PlannedEnvironment {
  return { ...was, ...is, tasks: join(was.tasks, is.tasks, idOf) }
}

/** A column with its perturbations in each environment as in the first plan that plays it there. */
function joinColumns(label: string, was: Plan, is: Plan, { environments: all }: Axes): PlannedColumn {
  const [before, after] = [placedOf(was, label), placedOf(is, label)]
  const entries = [...(before ?? after ?? [])]
  if (before !== undefined && after !== undefined) {
    const isPlayed = new Set(before.flatMap(({ places }) => places))
    let next = 0
    const placeOf = (wanted: PlannedPerturbation): number =>
      entries.findIndex(({ one }, index) => index >= next && isSame(one, wanted))
    for (const [index, { one, places }] of after.entries()) {
      const added = places.filter((name) => !isPlayed.has(name))
      const same = placeOf(one)
      const { one: known, places: earlier } = entries[same] ?? { one: undefined, places: [] }
      if (known === undefined && added.length === 0) continue
      const { environments } = known ?? one
      const joined: { -readonly [Key in keyof PlannedPerturbation]: PlannedPerturbation[Key] } = {
        ...known,
        ...one,
        ...(environments && { environments }),
      }
      if (environments === undefined) delete joined.environments
      // A run of an earlier version goes on with its random numbers.
      if (known !== undefined && known.numbers === undefined) delete joined.numbers
      const isLast = after.slice(index + 1).every((later) => placeOf(later.one) === -1)
      const place = same !== -1 ? same : isLast ? entries.length : next
      entries.splice(place, same === -1 ? 0 : 1, { one: joined, places: [...earlier, ...added] })
      next = place + 1
    }
  }
  return {
    label,
    perturbations: entries.map(({ one: { environments, ...one }, places }) =>
      environments === undefined && places.length === all.length ? one : { ...one, environments: places },
    ),
  }
}

/** A perturbation of a column, and the names of the environments of its plan in which it is used. */
interface Placed {
  readonly one: PlannedPerturbation
  readonly places: readonly string[]
}

function placedOf({ columns, environments }: Plan, label: string): readonly Placed[] | undefined {
  const names = environments.map(nameOf)
  return columns
    .find((column) => column.label === label)
    ?.perturbations.map((one) => ({ one, places: one.environments?.filter((name) => names.includes(name)) ?? names }))
}

function isSame(one: PlannedPerturbation, other: PlannedPerturbation): boolean {
  return canonicalJson(identityOf(one)) === canonicalJson(identityOf(other))
}

function identityOf(one: PlannedPerturbation) {
  return { name: one.name, version: one.version, ...settingsOf(one) }
}

function joinModels(name: string, was: Plan, is: Plan, axes: Axes): PlannedModel {
  const plans = [was, is].flatMap((plan) => {
    const model = plan.models.find((one) => one.name === name)
    return model === undefined ? [] : [{ plan, model }]
  })
  const [first, last] = [plans[0]!.model, plans.at(-1)!.model]
  const { settings, unprobed } = first.unprobed ? last : first
  const places = new Map(axes.seeds.map((seed, index) => [seed, index]))
  const played = plans.flatMap(({ plan, model }) =>
    plan.temperatures.includes(0) ? plan.seeds.slice(0, model.seedsAtZero) : [],
  )
  const seedsAtZero = played.reduce((most, seed) => Math.max(most, places.get(seed)! + 1), 1)
  const agents = [...new Set(plans.flatMap(({ plan, model }) => model.agents ?? plan.agents.map(nameOf)))]
  return {
    name,
    settings,
    ...roleOf({ ...first, ...last }),
    ...(axes.temperatures.includes(0) && seedsAtZero < axes.seeds.length && { seedsAtZero }),
    ...(agents.length < axes.agents.length && { agents }),
    ...(unprobed && { unprobed }),
  }
}

/** The places in which entries of both plans differ in what decides an episode, each once. */
function listClashes(was: Plan, is: Plan): PlanDifference[] {
  const found: PlanDifference[] = []
  for (const key of ['stepLimit', 'maxTokens'] as const) compare(was[key], is[key], [key], found)
  for (const [one, other] of shared(was.environments, is.environments, nameOf)) {
    const path = ['environments', one.name]
    for (const key of ['version', 'settings'] as const) compare(one[key], other[key], [...path, key], found)
    // Tasks of two splits or origins would stand under the name of one.
    if (one.data && other.data)
      for (const key of ['kind', 'from', 'split'] as const)
        compare(one.data[key], other.data[key], [...path, 'data', key], found)
    for (const [task, now] of shared(one.tasks, other.tasks, idOf))
      compare(task.hash, now.hash, [...path, 'tasks', task.id, 'hash'], found)
    for (const [before, after] of shared(was.columns, is.columns, labelOf)) {
      const [applied, now] = [before, after].map(({ perturbations }) =>
        usedIn(perturbations, one.name).map(identityOf),
      ) as [PlannedPerturbation[], PlannedPerturbation[]]
      const isPlayed = before.perturbations.length === 0 || applied.length > 0
      const isPlayedNow = after.perturbations.length === 0 || now.length > 0
      if (isPlayed && isPlayedNow) compare(applied, now, ['columns', before.label, 'perturbations'], found)
    }
  }
  for (const key of ['models', 'agents'] as const) {
    for (const [one, other] of shared<PlannedModel>(was[key], is[key], nameOf)) {
      if (one.unprobed || other.unprobed) continue
      compare(one.settings, other.settings, [key, one.name, 'settings'], found)
    }
  }
  return [...new Map(found.map((difference) => [difference.path, difference])).values()]
}

/** The entries of both lists. */
function shared<Entry>(
  was: readonly Entry[],
  is: readonly Entry[],
  keyOf: (entry: Entry) => string,
): (readonly [was: Entry, is: Entry])[] {
  const others = new Map(is.map((entry) => [keyOf(entry), entry]))
  return was.flatMap((entry) => {
    const other = others.get(keyOf(entry))
    return other === undefined ? [] : [[entry, other] as const]
  })
}

/** The first ten differences, one per line. */
export function describeDifferences(differences: readonly PlanDifference[]): string {
  const lines = differences.slice(0, 10).map(({ path, was, is }) => `  ${path}: was ${show(was)}, is ${show(is)}`)
  if (differences.length > 10) lines.push(`  … and ${String(differences.length - 10)} more`)
  return lines.join('\n')
}

function compare(was: unknown, is: unknown, path: readonly string[], found: PlanDifference[]): void {
  if (isObject(was) && isObject(is)) {
    const keys = new Set([...Object.keys(was), ...Object.keys(is)])
    for (const key of keys) compare(valueAt(was, key), valueAt(is, key), [...path, key], found)
    return
  }
  if (Array.isArray(was) && Array.isArray(is)) {
    const [before, after] = [byName(was), byName(is)]
    if (before !== undefined && after !== undefined) {
      const [names, newNames] = [[...before.keys()], [...after.keys()]]
      if (JSON.stringify(names) === JSON.stringify(newNames)) {
        for (const name of names) compare(before.get(name), after.get(name), [...path, name], found)
      } else {
        found.push({ path: path.join('.'), was: names, is: newNames })
      }
      return
    }
  }
  if (JSON.stringify(was) !== JSON.stringify(is)) found.push({ path: path.join('.'), was, is })
}

/** The items of a list by name; undefined unless all have different names. */
function byName(list: readonly unknown[]): Map<string, unknown> | undefined {
  const entries = list.map((item): [string, unknown] | undefined => {
    const name = isObject(item) ? item['name'] : undefined
    return typeof name === 'string' ? [name, item] : undefined
  })
  if (list.length === 0 || entries.some((entry) => entry === undefined)) return undefined
  const named = new Map(entries as [string, unknown][])
  return named.size === list.length ? named : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function valueAt(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

function show(value: unknown): string {
  if (value === undefined) return 'absent'
  if (Array.isArray(value) && value.length > 6) {
    return `${String(value.length)} (${show(value[0])}, …, ${show(value.at(-1))})`
  }
  const text = Array.isArray(value)
    ? `[${value.map(show).join(', ')}]`
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}
