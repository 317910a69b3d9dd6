import type { TurnDefinition } from '../../define/world.js'
import type { Text } from '../../core/text.js'
import { sortByCodePoint } from '../pddl/code-points.js'
import {
  applicableActions,
  applyAction,
  areDistinct,
  changesOf,
  goalHolds,
  groundAction,
  isApplicable,
} from '../pddl/play.js'
import type { GroundAction, Task, TaskAction } from '../pddl/task.js'
import type { CompiledGame } from './compile-game.js'
import { checkAction, checkPhrase, lookAction } from './wording.js'
import { parseTemplate } from '../../core/form.js'
import { solve } from '../pddl/solve.js'
import type { Facts } from '../pddl/tables.js'
import { readLoosely } from './read-loosely.js'

/** The result of one action; `understood` is AgentBoard's `action_is_valid`. */
type Answer = Required<TurnDefinition> & { readonly observation: Text }

const rejection = 'The action is not valid and therefore takes no effect. '
const unread: Text = [`${rejection}Please `, { command: checkAction }, '.']
const idle: Text = [
  `${rejection}Please remember to satisfy the restriction of actions. You can also `,
  { command: checkAction },
  '.',
]

/**
 * AgentBoard's `pddl_env.py`. Progress is the largest share of the goal's conditions that held after an action that
 * changed something; conditions that hold from the start count from then on. What the original prints in no fixed
 * order is sorted.
 */
export function createTextGame(game: CompiledGame) {
  const { task, wording, texts, goal } = game
  const facts = task.init.clone()
  const say = (atoms: Iterable<number>): string => sortByCodePoint(Array.from(atoms, texts.sentence)).join(' ')
  const everything = (): string => say(facts.atoms())
  const opening = everything()
  const read = createActionReader(game, facts)
  let progress = 0
  let won = false
  let listed: readonly string[] | undefined

  const answer = (observation: Text, understood: boolean): Answer => {
    return { observation, understood, progress, ended: won && 'success' }
  }
  /** The actions that are possible now, sorted, and then the help commands. */
  const admissible = (): readonly string[] =>
    (listed ??= [
      ...sortByCodePoint(listActions(task, facts).map(texts.action)),
      checkAction,
      ...(wording.offersLookAround ? [lookAction] : []),
    ])
  const act = (ground: GroundAction): Answer | undefined => {
    if (!isApplicable(ground, facts)) return undefined
    const { added, deleted } = applyAction(task, ground, facts)
    if (added.length + deleted.length === 0) return undefined
    listed = undefined
    const reached = goal.filter((part) => part.holds(facts)).length
    progress = Math.max(progress, goal.length === 0 ? 1 : reached / goal.length)
    won = goalHolds(task, facts)
    const text = wording.reports === 'everything' ? everything() : say(added)
    return answer([won ? `${text} The goal is satisfied.` : text], true)
  }
  return {
    opening,
    /** The current state. Callers must not change it. */
    facts,
    admissible,
    /** Whether an action of the domain is possible with any objects; true for any other name. */
    isPossible(name: string): boolean {
      const action = task.actions.find((taskAction) => taskAction.name === name)
      return action === undefined || isPossible(action, facts)
    },
    understands(text: string): boolean {
      const action = text.toLowerCase()
      if (action.includes(checkPhrase) || action.includes(lookAction)) return true
      const ground = read(action)?.ground
      return ground !== undefined && isUnderstood(task, ground, facts)
    },
    step(text: string): Answer {
      const action = text.toLowerCase()
      if (action.includes(checkPhrase)) return answer(['Valid actions are: ', { list: admissible() }], true)
      if (action.includes(lookAction)) return answer([everything()], true)
      const reading = read(action)
      if (reading === undefined) return answer(unread, false)
      return (reading.ground && act(reading.ground)) ?? answer(idle, false)
    },
    /** The result of a text that names no action. */
    refuse: () => answer(unread, false),
  }
}

/** See {@link createTextGame}. */
export type TextGame = ReturnType<typeof createTextGame>

/**
 * Reads actions in a live game as AgentBoard does. The first verb of an action that is possible now counts, wherever it
 * is; its objects are the first ones that the text names, in order. All other words are ignored.
 * @returns a reader, whose result is undefined where there is no verb, or too few objects; `ground` is undefined where
 * an object has the wrong type for its slot
 */
function createActionReader({ task, wording, names }: CompiledGame, facts: Facts) {
  const actions = task.actions.map(({ name }) => name)
  const templates = actions.map((name) => wording.actions.get(name)!.template)
  const isPossibleNow = (name: string): boolean => isPossible(task.actions[actions.indexOf(name)]!, facts)
  return (text: string): { readonly ground: GroundAction | undefined } | undefined => {
    const looseReading = readLoosely(text, templates, names, { actions, isPossible: isPossibleNow })
    if (looseReading === undefined) return undefined
    const { template, filling } = looseReading
    const objects = parseTemplate(template).slots.map((slot) => task.object(filling[slot]!)!)
    return { ground: groundAction(task, task.actions[templates.indexOf(template)]!, objects) }
  }
}

/** Whether an applicable action changes anything. */
function wouldChange(task: Task, ground: GroundAction, facts: Facts): boolean {
  const { added, deleted } = changesOf(task, ground, facts)
  return added.some((atom) => !facts.has(atom)) || deleted.some((atom) => facts.has(atom))
}

/** Whether an action is applicable and either listed by the game or not without effect. */
function isUnderstood(task: Task, ground: GroundAction, facts: Facts): boolean {
  if (!isApplicable(ground, facts)) return false
  return areDistinct(ground.arguments) || wouldChange(task, ground, facts)
}

/** All actions that the game lists now: those whose arguments all differ, even if they change nothing. */
export function listActions(task: Task, facts: Facts): readonly GroundAction[] {
  return applicableActions(task, facts).filter((ground) => areDistinct(ground.arguments))
}

/** Whether the game lists an action with any objects. */
function isPossible(action: TaskAction, facts: Facts): boolean {
  const count = action.normal.schema.parameters.length
  return solve(action.all, action.frame, facts, () => areDistinct(action.frame.registers, count))
}
