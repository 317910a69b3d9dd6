import { ShaketableError, messageOf } from '../../../core/errors.js'
import { sortByCodePoint } from '../../pddl/code-points.js'
import { parseDomainOnce } from '../../pddl/domain.js'
import { applicableActions, applyAction, goalHolds } from '../../pddl/play.js'
import { parseProblem } from '../../pddl/problem.js'
import type { Facts } from '../../pddl/tables.js'
import type { GroundAction, Task } from '../../pddl/task.js'
import { compileTask } from '../../pddl/task.js'
import { pythonStrip } from '../../python-strip.js'
import type { CommandWriter } from './command-writer.js'
import { commandWriter, displayNames } from './command-writer.js'
import { contextOf, derive, textChanges } from './derive.js'
import type { GameFile } from './game-file.js'
import type { Generation } from '../text/domain.js'
import { generationOf, goalSentenceOf, readGrammarDocument } from './grammar-document.js'
import type { Grammar } from './grammar.js'
import { compileGrammar } from './grammar.js'
import type { TextChanges } from './derive.js'

/** A compiled game file, from which any number of episodes can be played. */
export interface Game {
  /** The wording of the game: `put … in/on …` and `You arrive at loc 1.` are old, `move … to …` is new. */
  readonly generation: Generation | 'other'
  /** The task with its full stop: `put a clean apple in fridge.`; empty if the opening does not contain it. */
  readonly goalSentence: string
  /** The first observation. */
  readonly opening: string
  /** The display names of all receptacles and objects of the game, seen or not. */
  readonly names: readonly string[]
  readonly task: Task
  readonly grammar: Grammar
  /** The display name of each object of the task. */
  readonly nameOf: readonly string[]
  /** Writes the command of a ground action. */
  readonly write: CommandWriter
  /** What a ground action changes in the facts that texts are derived from. */
  textChanges(ground: GroundAction): TextChanges
  /** Begins an episode. */
  start(): Engine
}

/** The outcome of a command. */
interface Step {
  readonly observation: string
  readonly accepted: boolean
}

/**
 * Compiles a game file. `where` names it in messages.
 * @throws ShaketableError `bad-input` if its PDDL or grammar cannot be used, or it is marked as unsolvable.
 */
export function compileGame(file: GameFile, where: string): Game {
  if (!file.solvable) {
    throw new ShaketableError(
      'bad-input',
      `${where}: expected a solvable game, got "solvable": false. Choose another game.`,
    )
  }
  const domain = parseDomainOnce(file.pddlDomain, `${where}, pddl_domain`)
  const problem = parseProblem(file.pddlProblem, domain, `${where}, pddl_problem`)
  const task = compileTask(problem)
  const document = readGrammarDocument(file.grammar, `${where}, grammar`)
  const grammar = compileGrammar(document, task, `${where}, grammar`)
  // What occurs in a fact at the start has a display name; `task.objects` is sorted by code point.
  const present = new Set(task.problem.init.flatMap(({ terms }) => terms))
  const typeOf = new Map(task.problem.objects.map(({ name, types }) => [name, types[0]!]))
  const ids = task.objects.filter((id) => present.has(id))
  const displayed = new Map(displayNames(ids).map((name, index) => [ids[index]!, name]))
  const nameOf = task.objects.map((id) => displayed.get(id) ?? id)
  const opening = openingOf(grammar, nameOf, where)
  const changes: (TextChanges | undefined)[] = []
  const game: Game = {
    generation: generationOf(document),
    goalSentence: goalSentenceOf(opening),
    opening,
    names: ids
      .filter((id) => id.includes('_bar_') && ['receptacle', 'object'].includes(typeOf.get(id)!))
      .map((id) => displayed.get(id)!),
    task,
    grammar,
    nameOf,
    write: commandWriter(grammar, nameOf),
    textChanges: (ground) => (changes[ground.number] ??= textChanges(task, ground, grammar.denied)),
    start: () => new Engine(game),
  }
  return game
}

function openingOf(grammar: Grammar, names: readonly string[], where: string): string {
  try {
    return derive({ grammar, facts: grammar.task.init, names }, grammar.intro, contextOf(grammar))
  } catch (cause) {
    throw new ShaketableError('bad-input', `${where}, grammar: ${messageOf(cause)}`, { cause })
  }
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
  /** The facts that texts are derived from, see {@link textChanges}. */
  readonly #textFacts: Facts
  #actions: readonly GroundAction[] | undefined
  #admissible: readonly string[] | undefined
  #won: boolean | undefined

  constructor(game: Game) {
    this.game = game
    this.facts = game.task.init.clone()
    this.#textFacts = game.task.init.clone()
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
      const commands = new Set(this.actions().map((action) => this.commandOf(action)))
      this.#admissible = sortByCodePoint([...commands])
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
    applyAction(game.task, action, this.facts)
    const { set, cleared } = game.textChanges(action)
    for (const atom of cleared) this.#textFacts.delete(atom)
    for (const atom of set) this.#textFacts.add(atom)
    this.#actions = this.#admissible = this.#won = undefined
    const { number } = action.action
    const observation = derive(
      { grammar: game.grammar, facts: this.#textFacts, names: game.nameOf },
      game.grammar.actions[number]!.feedback,
      contextOf(game.grammar, number, action.arguments),
    )
    return { observation, accepted: true }
  }

  /** For planners: the ground actions that are possible now. */
  actions(): readonly GroundAction[] {
    return (this.#actions ??= applicableActions(this.game.task, this.facts, { dropIdle: true }))
  }

  /** For planners: the command of one of {@link Engine.actions}. */
  commandOf(action: GroundAction): string {
    return this.game.write(action, this.#textFacts)
  }

  /** The first action, by name and arguments, that has this command. */
  #find(command: string): GroundAction | undefined {
    let first: GroundAction | undefined
    for (const action of this.actions()) {
      if (this.commandOf(action) === command && (first === undefined || comesBefore(action, first))) first = action
    }
    return first
  }
}

function comesBefore(left: GroundAction, right: GroundAction): boolean {
  if (left.action !== right.action) return left.action.name < right.action.name
  const differs = left.arguments.findIndex((object, index) => object !== right.arguments[index])
  return differs !== -1 && left.arguments[differs]! < right.arguments[differs]!
}
