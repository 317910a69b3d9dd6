import { sortByCodePoint } from '../../pddl/code-points.js'
import { parseDomainOnce } from '../../pddl/domain.js'
import { applicableActions, applyAction, goalHolds } from '../../pddl/play.js'
import { parseProblem } from '../../pddl/problem.js'
import { Facts } from '../../pddl/tables.js'
import { type GroundAction, type Task, compileTask } from '../../pddl/task.js'
import { pythonStrip } from '../../python-strip.js'
import type { Generation } from '../text/domain.js'
import { type Wording, createWording } from '../text/wording.js'
import type { GameSource } from './game-file.js'

/** A compiled game, from which any number of episodes can be played. */
export interface Game {
  /** The wording of the game: `put … in/on …` and `You arrive at loc 1.` are old, `move … to …` is new. */
  readonly generation: Generation
  /** The task with its full stop: `put a clean apple in fridge.` */
  readonly goalSentence: string
  /** The first observation. */
  readonly opening: string
  /** The display names of all receptacles and objects of the game, seen or not. */
  readonly names: readonly string[]
  /** The display name of each object of the task, by number. */
  readonly nameOf: readonly string[]
  readonly task: Task
  readonly wording: Wording
  /** Begins an episode. */
  start(): Engine
}

/** The outcome of a command. */
interface Step {
  readonly observation: string
  readonly accepted: boolean
}

/**
 * Compiles a game. `where` names it in messages.
 * @throws ShaketableError `bad-input` if its PDDL cannot be used
 */
export function compileGame({ generation, goalSentence, ...source }: GameSource, where: string): Game {
  const domain = parseDomainOnce(source.pddlDomain, `${where}, pddl_domain`)
  const problem = parseProblem(source.pddlProblem, domain, `${where}, pddl_problem`)
  const task = compileTask(problem)
  // What occurs in a fact at the start has a display name; `task.objects` is sorted by code point.
  const present = new Set(task.problem.init.flatMap(({ terms }) => terms))
  const typeOf = new Map(task.problem.objects.map(({ name, types }) => [name, types[0]!]))
  const ids = task.objects.filter((id) => present.has(id))
  const displayed = new Map(displayNames(ids).map((name, index) => [ids[index]!, name]))
  const nameOf = task.objects.map((id) => displayed.get(id) ?? id)
  const wording = createWording(generation, task, nameOf, `${where}, pddl_domain`)
  const game: Game = {
    generation,
    goalSentence,
    opening: wording.opening(goalSentence),
    names: ids
      .filter((id) => id.includes('_bar_') && ['receptacle', 'object'].includes(typeOf.get(id)!))
      .map((id) => displayed.get(id)!),
    nameOf,
    task,
    wording,
    start: () => new Engine(game),
  }
  return game
}

/**
 * The display names of entities. Among the ids of one class (the part before the first `_bar_`, plus `basin` for ids
 * that contain it) the last by code point has number 1. Other ids are followed by a blank.
 * @param ids of all entities that occur in a fact at the start, sorted by code point
 */
function displayNames(ids: readonly string[]): string[] {
  const left = new Map<string, number>()
  const classes = ids.map((id) => {
    const end = id.indexOf('_bar_')
    if (end === -1) return undefined
    const name = id.slice(0, end) + (id.includes('basin') ? 'basin' : '')
    left.set(name, (left.get(name) ?? 0) + 1)
    return name
  })
  return ids.map((id, index) => {
    const name = classes[index]
    if (name === undefined) return `${id} `
    const number = left.get(name)!
    left.set(name, number - 1)
    return `${name} ${number}`
  })
}

const nothingHappens: Step = { observation: 'Nothing happens.', accepted: false }

/**
 * One episode of a game, played by the rules of the engine that ALFWorld runs on. It never ends by itself, even when
 * the goal holds.
 */
export class Engine {
  readonly game: Game
  /** For planners: the facts that hold now. Must not be changed. */
  readonly facts: Facts
  /** The facts that an action took away and none brought back: TextWorld derives its texts from these too. */
  readonly #removed = new Facts()
  #actions: readonly GroundAction[] | undefined
  #admissible: readonly string[] | undefined
  #won: boolean | undefined

  constructor(game: Game) {
    this.game = game
    this.facts = game.task.init.clone()
  }

  get opening(): string {
    return this.game.opening
  }

  /** Whether the goal holds now. It can stop holding. */
  get won(): boolean {
    return (this.#won ??= goalHolds(this.game.task, this.facts))
  }

  /** The commands accepted now, sorted by code point, without repetitions. */
  admissible(): readonly string[] {
    if (this.#admissible === undefined) {
      this.#admissible = sortByCodePoint([...new Set(this.#possible().map(this.game.wording.command))])
    }
    return this.#admissible
  }

  /** Whether a command would be accepted now. White space around it does not count. */
  accepts(command: string): boolean {
    return this.#find(pythonStrip(command)) !== undefined
  }

  /** Carries out a command. One that is not accepted changes nothing and is answered with `Nothing happens.` */
  step(command: string): Step {
    const action = this.#find(pythonStrip(command))
    if (action === undefined) return nothingHappens
    const { game } = this
    const { added, deleted } = applyAction(game.task, action, this.facts)
    for (const atom of deleted) this.#removed.add(atom)
    for (const atom of added) this.#removed.delete(atom)
    this.#actions = this.#admissible = this.#won = undefined
    return { observation: game.wording.answer(action, this.facts, this.#removed), accepted: true }
  }

  #possible(): readonly GroundAction[] {
    return (this.#actions ??= applicableActions(this.game.task, this.facts, { dropIdle: true }))
  }

  /** The first action, by name and arguments, that has this command. */
  #find(command: string): GroundAction | undefined {
    let first: GroundAction | undefined
    for (const action of this.#possible()) {
      if (this.game.wording.command(action) === command && (first === undefined || comesBefore(action, first)))
        first = action
    }
    return first
  }
}

function comesBefore(left: GroundAction, right: GroundAction): boolean {
  if (left.action !== right.action) return left.action.name < right.action.name
  const differs = left.arguments.findIndex((object, index) => object !== right.arguments[index])
  return differs !== -1 && left.arguments[differs]! < right.arguments[differs]!
}
