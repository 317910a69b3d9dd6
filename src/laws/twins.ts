import type { MaybePromise } from '../core/after.js'
import type { Turn, World } from '../core/environment.js'
import type { Dose } from '../core/dose.js'
import { canonicalJson } from '../core/episode.js'
import { type Filling, parseTemplate, printForm } from '../core/form.js'
import { createNameFinder } from '../core/names.js'
import { type PerturbedWorld, beginEnlarged, isPerturbed, perturb, perturbWorld } from '../core/perturb.js'
import type { AppliedPerturbation } from '../core/perturbation.js'
import { type Subject, beginningOf, randomOf } from './law.js'

/** The same episode twice: unperturbed and perturbed. */
interface Twins {
  readonly clean: World
  readonly perturbed: PerturbedWorld
}

/** The path to a state. */
export interface Steps {
  /** The actions so far, in the agent's wording. */
  readonly before: readonly string[]
  /** The turns of the last step; absent at the opening. */
  readonly turns?: { readonly clean: Turn; readonly perturbed: Turn }
}

/** A state of both twins. */
export type Place = Twins & Steps

/** No action of any environment. */
export const unknownAction = 'zxqv wvut'
const wanderingSteps = 12
const namesPerForm = 3
const maxRetries = 100

/** Begins an episode twice with equal random streams. */
export async function beginTwins(subject: Subject): Promise<Twins> {
  const { environment, task, applied } = subject
  const begin = async (): Promise<World> => beginEnlarged(environment, applied, task, randomOf(subject))
  return { clean: await begin(), perturbed: perturbWith(await begin(), applied, subject) }
}

/** Applies perturbations to a world that was begun with the subject's random stream. */
export function perturbWith(
  world: World,
  applied: readonly AppliedPerturbation[],
  subject: Pick<Subject, 'seed' | 'task'>,
): PerturbedWorld {
  const [first, ...others] = applied
  if (first === undefined) throw new TypeError('A law needs at least one perturbation.')
  return perturbWorld(world, [first, ...others], randomOf(subject))
}

/** Begins an episode under some of a subject's perturbations, or none. */
export async function beginThrough(subject: Subject, applied: readonly AppliedPerturbation[]): Promise<World> {
  return perturb(subject.environment, applied).begin(subject.task, randomOf(subject))
}

/** Normalises an action as the environment does before any perturbation sees it. */
export function tidy({ environment }: Pick<Subject, 'environment'>, action: string): string {
  return environment.normalise?.(action) ?? action
}

/**
 * The states along the actions without items and a solution, then those along a random walk. Ends early if the twins
 * diverge.
 * @param begin begins new twins; the clean one may itself be perturbed
 */
export async function* places<T extends Pick<Place, 'clean'> & { readonly perturbed: World } = Twins>(
  subject: Subject,
  begin: () => Promise<T>,
): AsyncGenerator<T & Steps> {
  const first = await begin()
  const script = await scriptOf(first.clean)
  yield* follow(subject, first, (steps) => script[steps])
  const random = randomOf(subject).fork('walk')
  const second = await begin()
  yield* follow(subject, second, async (steps) => {
    if (steps >= wanderingSteps) return undefined
    const commands = await commandsIn(second.clean)
    const verbs = [...new Set(commands.map(firstWord))]
    if (verbs.length === 0) return undefined
    const verb = random.pick(verbs)
    return random.pick(commands.filter((command) => firstWord(command) === verb))
  })
}

/**
 * Takes both twins along the commands that `next` gives for the number of steps so far, in the wording of the clean
 * one.
 */
async function* follow<T extends Pick<Place, 'clean'> & { readonly perturbed: World }>(
  subject: Subject,
  twins: T,
  next: (steps: number) => MaybePromise<string | undefined>,
): AsyncGenerator<T & Steps> {
  const { clean, perturbed } = twins
  const before: string[] = []
  yield { ...twins, before: [] }
  for (let steps = 0; ; steps++) {
    const command = await next(steps)
    if (command === undefined) return
    const action = (await commandsIn(perturbed))[(await commandsIn(clean)).indexOf(command)]
    if (action === undefined) return
    const turns = {
      clean: await stepThrough(clean, tidy(subject, command)),
      perturbed: await stepThrough(perturbed, tidy(subject, action)),
    }
    before.push(action)
    yield { ...twins, before: [...before], turns }
    if (turns.perturbed.command !== turns.clean.command || turns.clean.ended !== false) return
  }
}

/** A place with what was read there, and the dose so far; the worlds have gone on since. */
interface RecordedPlace extends Twins, Steps {
  readonly dose: Dose | undefined
}

const walks = new WeakMap<Subject, Promise<readonly RecordedPlace[]>>()

/**
 * The places of a subject for laws that only read, walked once for all of them; then an action that nothing
 * understands.
 */
export function recordedPlaces(subject: Subject): Promise<readonly RecordedPlace[]> {
  const walk = walks.get(subject) ?? recordPlaces(subject)
  walks.set(subject, walk)
  return walk
}

async function recordPlaces(subject: Subject): Promise<readonly RecordedPlace[]> {
  const found: RecordedPlace[] = []
  for await (const place of places(subject, () => beginTwins(subject))) {
    found.push({ ...place, dose: place.perturbed.dose?.() })
  }
  const last = found.at(-1)!
  const { clean, perturbed, before } = last
  if (last.turns?.clean.ended === false) {
    const turns = { clean: await clean.step(unknownAction), perturbed: await stepThrough(perturbed, unknownAction) }
    found.push({ clean, perturbed, before: [...before, unknownAction], turns, dose: perturbed.dose?.() })
  }
  return found
}

/** Plays the same actions in two episodes: the first difference of what they begin with, answer, and allow. */
export async function firstDifference(
  subject: Subject,
  one: World,
  other: World,
  actions: readonly string[],
): Promise<readonly [before: readonly string[], expected: string, got: string, action?: string] | undefined> {
  if (beginningOf(one) !== beginningOf(other)) return [[], beginningOf(one), beginningOf(other)]
  const before: string[] = []
  for (const action of actions) {
    const [expected, got] = [await one.step(tidy(subject, action)), await other.step(tidy(subject, action))]
    const [a, b] = [canonicalJson([expected, await commandsIn(one)]), canonicalJson([got, await commandsIn(other)])]
    if (a !== b) return [before, a, b, action]
    before.push(action)
    if (expected.ended !== false) return undefined
  }
  return undefined
}

/** Repeats an action until it no longer fails before it reaches the environment, as under some perturbations. */
export async function stepThrough(world: World, action: string, hear?: (turn: Turn) => void): Promise<Turn> {
  for (let times = 1; ; times++) {
    const turn = await world.step(action)
    hear?.(turn)
    if (turn.failed !== 'before' || times >= maxRetries) return turn
  }
}

/** The actions to play in an episode: first those without an item, such as asking for help, then a solution. */
export async function scriptOf(world: World): Promise<readonly string[]> {
  const names = createNameFinder(world.names)
  const commands = await commandsIn(world)
  const general = commands.filter((command) => names.replace(command, () => '') === command)
  return [...general, ...((await world.solve?.()) ?? commands)].slice(0, 40)
}

/**
 * The commands that laws are checked with in a state, in the same order in both twins: the admissible ones, else the
 * solution, else the environment's forms filled with names of the episode.
 */
export async function commandsIn(world: World): Promise<readonly string[]> {
  if (isPerturbed(world) && world.firstWording)
    return (await commandsIn(world.original)).map((command) => world.fromEnvironment(command))
  const known = (await (isPerturbed(world) ? world.possible : world.admissible)?.()) ?? (await world.solve?.())
  if (known !== undefined) return known
  const { names, briefing } = world
  return briefing.forms.flatMap(({ template }) => {
    const { slots } = parseTemplate(template)
    if (slots.length > names.length) return []
    const fill = (first: number): Filling =>
      Object.fromEntries(slots.map((slot, index) => [slot, names[(first + index) % names.length]!]))
    const times = slots.length === 0 ? 1 : Math.min(names.length, namesPerForm)
    return Array.from({ length: times }, (_, first) => printForm(template, fill(first)))
  })
}

function firstWord(command: string): string {
  return command.slice(0, `${command} `.indexOf(' '))
}
