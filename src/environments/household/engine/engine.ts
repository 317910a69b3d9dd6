import { sortByCodePoint } from '../../pddl/code-points.js'
import type { Facts } from '../../pddl/tables.js'
import { applicableActions, applyAction, goalHolds } from '../../pddl/play.js'
import type { GroundAction } from '../../pddl/task.js'
import { contextOf, derive } from './derive.js'
import type { Engine, Game, Step } from './contract.js'
import { pythonStrip } from '../../python-strip.js'

/** Begins an episode. */
export function startEngine(game: Game): Engine {
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
