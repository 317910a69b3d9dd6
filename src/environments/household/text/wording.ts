import { ShaketableError } from '../../../core/errors.js'
import { printForm, slotNames } from '../../../core/form.js'
import { quote } from '../../pddl/expression.js'
import { Facts } from '../../pddl/tables.js'
import type { GroundAction, Task } from '../../pddl/task.js'
import { FactReader } from '../engine/facts.js'
import type { Generation } from './domain.js'

/** The texts of a game: its opening, and the command and the answer of each ground action. */
export interface Wording {
  opening(goal: string): string
  command(ground: GroundAction): string
  /**
   * The answer to an action that has just changed the facts. `removed` holds every fact that an action took away.
   * TextWorld applies effects to the facts of its texts whatever their conditions; none that a text reads has any.
   */
  answer(ground: GroundAction, facts: Facts, removed: Facts): string
}

/** Describes an object of the state. */
type Description = (state: State, object: number) => string

/** How an action is worded, with parameters in slots; what is described behind the answer, and of which parameter. */
type ActionWording = readonly [command: string, answer: string, parameter?: string, description?: Description]

/** The texts of ALFWorld's grammar `alfred.twl2`, by the names of the domain's actions. They match it to the byte. */
function actionsOf(generation: Generation): Readonly<Record<string, ActionWording>> {
  const isNew = generation === 'new'
  return {
    look: ['look', '', 'l', (state, l) => viewFrom(state, [l])],
    inventory: ['inventory', '', 'a', carriedBy],
    examinereceptacle: ['examine {r}', '', 'r', contentsOf],
    examineobject: ['examine {o}', '', 'o', closeUpOf],
    gotolocation: ['go to {r}', `You arrive at ${isNew ? '{r}' : '{lend}'}. `, 'r', contentsOf],
    openobject: ['open {r}', 'You open the {r}. ', 'r', contentsOf],
    closeobject: ['close {r}', 'You close the {r}.'],
    pickupobject: ['take {o} from {r}', 'You pick up the {o} from the {r}.'],
    putobject: isNew
      ? ['move {o} to {r}', 'You move the {o} to the {r}.']
      : ['put {o} in/on {r}', 'You put the {o} in/on the {r}.'],
    cleanobject: ['clean {o} with {r}', 'You clean the {o} using the {r}.'],
    heatobject: ['heat {o} with {r}', 'You heat the {o} using the {r}.'],
    coolobject: ['cool {o} with {r}', 'You cool the {o} using the {r}.'],
    toggleobject: ['use {o}', 'You turn on the {o}.'],
    sliceobject: ['slice {co} with {ko}', 'You sliced the {co} with the {ko}.'],
    ...(isNew && { help: ['help', helpText] }),
  }
}

const helpText = `Available commands:
  look:                             look around your current location
  inventory:                        check your current inventory
  go to (receptacle):               move to a receptacle
  open (receptacle):                open a receptacle
  close (receptacle):               close a receptacle
  take (object) from (receptacle):  take an object from a receptacle
  move (object) to (receptacle):  place an object in or on a receptacle
  examine (something):              examine a receptacle or an object
  use (object):                     use an object
  heat (object) with (receptacle):  heat an object using a receptacle
  clean (object) with (receptacle): clean an object using a receptacle
  cool (object) with (receptacle):  cool an object using a receptacle
  slice (object) with (object):     slice an object using a sharp object
`

/** The adjectives of `examine`, the most specific first: `cold` alone, `cool` in combination. */
const adjectives: readonly (readonly [adjective: string, ...facts: string[]])[] = [
  ['hot and clean sliced', 'isclean', 'ishot', 'issliced'],
  ['cool and clean sliced', 'isclean', 'iscool', 'issliced'],
  ['clean sliced', 'isclean', 'issliced'],
  ['hot sliced', 'ishot', 'issliced'],
  ['cool sliced', 'iscool', 'issliced'],
  ['hot and clean', 'isclean', 'ishot'],
  ['cool and clean', 'isclean', 'iscool'],
  ['hot', 'ishot'],
  ['clean', 'isclean'],
  ['cold', 'iscool'],
]

/** The view from the agent's location. Where there is no receptacle, `others` are listed: those elsewhere. */
function viewFrom(state: State, locations: readonly number[], others: readonly number[] = []): string {
  const facing = locations.flatMap((l) => state.first('receptacleatlocation', l))
  if (facing.length === 0) {
    return `You are in the middle of a room. Looking quickly around you, you see ${state.list(others)}.`
  }
  // An object lies beside a receptacle only if it was once taken from it, as after a move between two at one location.
  const beside = locations.flatMap((l) =>
    state
      .first('objectatlocation', l)
      .flatMap((o) => facing.flatMap((r) => (state.removed.is('inreceptacle', o, r) ? [o] : []))),
  )
  const names = facing.map((r) => state.name(r))
  return `You are facing the ${inWords(names)}. Next to it, you see ${state.list(beside)}.`
}

const carriedBy: Description = (state, a) =>
  state.is('holdsany', a)
    ? `You are carrying: ${state.list(state.second('holds', a))}.`
    : 'You are not carrying anything.'

const contentsOf: Description = (state, r) => {
  const name = state.name(r)
  const isOpenable = state.is('openable', r)
  if (isOpenable && !state.is('opened', r)) return `The ${name} is closed.`
  const inside = state.list(state.first('inreceptacle', r))
  return isOpenable ? `The ${name} is open. In it, you see ${inside}.` : `On the ${name}, you see ${inside}.`
}

const closeUpOf: Description = (state, o) => {
  const name = state.name(o)
  if (state.is('isreceptacleobject', o)) {
    return `This is a normal ${name}. In it, you see ${state.list(state.first('inreceptacleobject', o))}.`
  }
  const adjective = adjectives.find(([, ...facts]) => facts.every((fact) => state.is(fact, o)))
  if (adjective !== undefined) return `This is a ${adjective[0]} ${name}.`
  if (state.is('toggleable', o) && state.is('istoggled', o)) return `This ${name} is on.`
  if (state.is('sliceable', o) && state.is('issliced', o)) return `This is a sliced ${name}.`
  return `There's nothing special about ${name}.`
}

/** `nothing`, `a`, `a, and b`, `a, b, and c`. */
function inWords(items: readonly string[]): string {
  if (items.length < 2) return items[0] ?? 'nothing'
  return `${items.slice(0, -1).join(', ')}, and ${items.at(-1)!}`
}

/** The facts of a moment, those that an action took away, and the names of objects. */
class State extends FactReader {
  readonly #names: readonly string[]
  readonly removed: FactReader

  constructor(task: Task, names: readonly string[], facts: Facts, removed: Facts) {
    super(task, facts)
    this.#names = names
    this.removed = new FactReader(task, removed)
  }

  name(object: number): string {
    return this.#names[object]!
  }

  list(objects: readonly number[]): string {
    return inWords(objects.map((object) => `a ${this.name(object)}`))
  }
}

/**
 * The wording of a generation for the actions of a task. `names` are the display names of its objects.
 * @throws ShaketableError `bad-input` where the domain has an action or lacks a parameter that ALFWorld's does not
 */
export function createWording(generation: Generation, task: Task, names: readonly string[], where: string): Wording {
  const known = actionsOf(generation)
  const refuse = (expected: string, got: string): never => {
    const message = `${where}: expected ${expected}, got ${quote(got)}. Use the domain that came with the game.`
    throw new ShaketableError('bad-input', message)
  }
  const actions = task.actions.map(({ name, normal }) => {
    const [command, answer, parameter, description] = Object.hasOwn(known, name)
      ? known[name]!
      : refuse(`an action of ALFWorld's ${generation} domain`, name)
    const indexOf = (slot: string): number => {
      const index = normal.schema.parameters.findIndex((slotParameter) => slotParameter.name === `?${slot}`)
      return index === -1 ? refuse(`a parameter '?${slot}' of the action`, name) : index
    }
    const indexes = new Map(slotNames(command + answer).map((slot) => [slot, indexOf(slot)]))
    const print = (template: string, { arguments: objects }: GroundAction): string =>
      printForm(template, (slot) => names[objects[indexes.get(slot)!]!]!)
    const described = parameter === undefined ? 0 : indexOf(parameter)
    return {
      command: (ground: GroundAction): string => print(command, ground),
      answer: (ground: GroundAction, state: State): string =>
        print(answer, ground) + (description?.(state, ground.arguments[described]!) ?? ''),
    }
  })
  const commands: string[] = []
  return {
    opening(goal) {
      const state = new State(task, names, task.init, new Facts())
      const view = viewFrom(state, state.all('atlocation', 1), state.all('receptacleatlocation', 0))
      return `-= Welcome to TextWorld, ALFRED! =-\n\n${view}\n\nYour task is to: ${goal}`
    },
    command: (ground) => (commands[ground.number] ??= actions[ground.action.number]!.command(ground)),
    answer: (ground, facts, removed) =>
      actions[ground.action.number]!.answer(ground, new State(task, names, facts, removed)),
  }
}
