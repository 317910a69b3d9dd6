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
import type { Generation } from './grammar-document.js'
import { generationOf, goalSentenceOf, readGrammarDocument } from './grammar-document.js'
import type { Grammar } from './grammar.js'
import { compileGrammar } from './grammar.js'
import type { TextChanges } from './derive.js'

/** A game file made ready; any number of episodes can be played from one. */
export interface Game {
  readonly file: GameFile
  /** Which wording the game has: `put … in/on …` and `You arrive at loc 1.` are old, `move … to …` is new. */
  readonly generation: Generation
  /** What is to be done, with its full stop: `put a clean apple in fridge.`; empty where the opening does not say. */
  readonly goalSentence: string
  /** What the agent sees first. */
  readonly opening: string
  /** The display names of all receptacles and objects of the game, seen or not. */
  readonly names: readonly string[]
  /** Everything that has a display name, with its PDDL id. */
  readonly entities: readonly Entity[]
  readonly task: Task
  readonly grammar: Grammar
  /** Display name of each object of the task. */
  readonly nameOf: readonly string[]
  /** The command of a ground action, where it does not depend on the state. */
  readonly write: CommandWriter
  /** What a ground action changes in the facts that texts are made from. */
  textChanges(ground: GroundAction): TextChanges
  /** Begins an episode. */
  start(): Engine
}

/** Something with a number in the episode. */
interface Entity {
  readonly id: string
  readonly name: string
  /** Its PDDL type: `receptacle`, `object`, `location`, … */
  readonly type: string
}

/**
 * One episode of a game, played by the rules of the engine that ALFWorld runs on. It never ends by itself, not even
 * when won.
 */
export interface Engine {
  readonly game: Game
  /** What the agent sees first. */
  readonly opening: string
  /** Whether the goal holds now. It can cease to hold. */
  readonly won: boolean
  readonly score: 0 | 1
  /** How many commands were accepted. */
  readonly moves: number
  /** The commands accepted now, sorted by code point, each once. */
  admissible(): readonly string[]
  /** Whether a command would be accepted now. White space around it does not count. */
  accepts(command: string): boolean
  /** Carries out a command; one that is not accepted changes nothing and is answered `Nothing happens.` */
  step(command: string): Step
  /** An episode of its own that stands where this one stands. */
  clone(): Engine
  /** For planners: what holds now. Not to be changed. */
  readonly facts: Facts
  /** For planners: the ground actions that can be taken now. */
  actions(): readonly GroundAction[]
  /** For planners: the command of one of {@link Engine.actions}. */
  commandOf(action: GroundAction): string
}

/** What comes of a command. */
interface Step {
  readonly observation: string
  readonly accepted: boolean
}

/**
 * Makes a game file ready. `where` names it in messages.
 * @throws ShaketableError `bad-input` where its PDDL or grammar cannot be used, or it says of itself that it cannot be
 * solved.
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
  const entities = entitiesOf(task)
  const nameOf = [...task.objects]
  for (const { id, name } of entities) nameOf[task.object(id)!] = name
  const opening = openingOf(grammar, nameOf, where)
  const changes: (TextChanges | undefined)[] = []
  const game: Game = {
    file,
    generation: generationOf(document),
    goalSentence: goalSentenceOf(opening),
    opening,
    names: entities
      .filter(({ id, type }) => id.includes('_bar_') && (type === 'receptacle' || type === 'object'))
      .map(({ name }) => name),
    entities,
    task,
    grammar,
    nameOf,
    write: commandWriter(grammar, nameOf),
    textChanges: (ground) => (changes[ground.number] ??= textChanges(task, ground, grammar.denied)),
    start: () => startEngine(game),
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

/** What occurs in a fact at the start, with its display name, sorted by id. */
function entitiesOf(task: Task): Entity[] {
  const present = new Set(task.problem.init.flatMap(({ terms }) => terms))
  const typeOf = new Map(task.problem.objects.map(({ name, types }) => [name, types[0]!]))
  const ids = task.objects.filter((id) => present.has(id))
  const names = displayNames(ids)
  return ids.map((id, index) => ({ id, name: names[index]!, type: typeOf.get(id)! }))
}

/** Begins an episode. */
function startEngine(game: Game): Engine {
  return new GameEngine(game, game.task.init.clone(), game.task.init.clone(), 0)
}

const nothingHappens: Step = { observation: 'Nothing happens.', accepted: false }

class GameEngine implements Engine {
  readonly game: Game
  readonly facts: Facts
  /** What texts are made from, see text-facts.ts. */
  readonly #text: Facts
  #moves: number
  #actions: readonly GroundAction[] | undefined
  #admissible: readonly string[] | undefined
  #won: boolean | undefined

  constructor(game: Game, facts: Facts, text: Facts, moves: number) {
    this.game = game
    this.facts = facts
    this.#text = text
    this.#moves = moves
  }

  get opening(): string {
    return this.game.opening
  }

  get won(): boolean {
    return (this.#won ??= goalHolds(this.game.task, this.facts))
  }

  get score(): 0 | 1 {
    return this.won ? 1 : 0
  }

  get moves(): number {
    return this.#moves
  }

  admissible(): readonly string[] {
    if (this.#admissible === undefined) {
      const commands = new Set(this.actions().map((action) => this.commandOf(action)))
      this.#admissible = sortByCodePoint([...commands])
    }
    return this.#admissible
  }

  accepts(command: string): boolean {
    return this.#find(pythonStrip(command)) !== undefined
  }

  step(command: string): Step {
    const action = this.#find(pythonStrip(command))
    if (action === undefined) return nothingHappens
    const { game } = this
    applyAction(game.task, action, this.facts)
    const { set, cleared } = game.textChanges(action)
    for (const atom of cleared) this.#text.delete(atom)
    for (const atom of set) this.#text.add(atom)
    this.#moves++
    this.#actions = this.#admissible = this.#won = undefined
    const { number } = action.action
    const observation = derive(
      { grammar: game.grammar, facts: this.#text, names: game.nameOf },
      game.grammar.actions[number]!.feedback,
      contextOf(game.grammar, number, action.arguments),
    )
    return { observation, accepted: true }
  }

  clone(): Engine {
    return new GameEngine(this.game, this.facts.clone(), this.#text.clone(), this.#moves)
  }

  actions(): readonly GroundAction[] {
    return (this.#actions ??= applicableActions(this.game.task, this.facts, { dropIdle: true }))
  }

  commandOf(action: GroundAction): string {
    return this.game.write(action, this.#text)
  }

  /** The first action by name and arguments that is written so. */
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
