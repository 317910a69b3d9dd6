import type { Briefing, Example } from '../../core/environment.js'
import type { Prompt } from '../agentboard-prompt.js'
import { instruct } from '../prompts.js'
import { advertisedForms, allForms, checkAction, checkValidActions, namesOf } from './moves.js'
import { createTextGame } from './game.js'
import { createMilestones } from './progress.js'
import { makeLevel } from './simulator/simulation.js'

/** The briefing of a task: our own instruction and worked example, or those of AgentBoard's prompt file. */
export function createBriefing(goal: string, prompt: Prompt | undefined): Briefing {
  return {
    system: prompt?.system ?? 'You find your way through rooms that you see only in part, by short lines of text.',
    instruction: prompt?.instruction ?? ownInstruction,
    forms: allForms,
    knownForms,
    examples: prompt?.examples ?? ownExamples(),
    goal,
    help: prompt === undefined ? [checkAction] : [checkValidActions, 'inventory'],
  }
}

const knownForms = allForms.map(({ template }) => template)

const rules = `You stand in a room and see what lies ahead of you, at most six cells far and three to each side; walls and doors that are not open hide what \
is behind them. Steps are counted in cells, from where you stand and the way you look. Reply with one action a time. Name a thing ('{obj}') or a door ('{door}') \
exactly as you have heard it, colour and number included; the numbers are counted anew each time you look.`

const ownInstruction = instruct(rules, advertisedForms)

/** A level of our own for tuning (not in the benchmark), and a solution of it. */
interface ShownLevel {
  readonly level: number
  readonly seed: number
  readonly actions: readonly string[]
}

const shown: ShownLevel = {
  level: 25,
  seed: 5,
  actions: [
    checkAction,
    'toggle and go through grey locked door 1',
    'move forward',
    'pickup grey key 1',
    'go to grey locked door 1',
    'toggle',
  ],
}

/** Examples that no prompt has by itself. */
const others: readonly ShownLevel[] = [
  { level: 4, seed: 5, actions: [checkAction, 'turn right', 'go to green box 1'] },
  {
    level: 12,
    seed: 5,
    actions: [
      checkAction,
      'turn right',
      'toggle and go through green closed door 1',
      'go to grey ball 1',
      'toggle and go through red closed door 1',
      'toggle and go through purple closed door 1',
    ],
  },
  {
    level: 18,
    seed: 5,
    actions: [checkAction, 'go to yellow key 1', 'toggle and go through purple closed door 1', 'pickup grey ball 1'],
  },
  {
    level: 31,
    seed: 5,
    actions: [checkAction, 'move forward', 'move forward', 'move forward', 'turn right', 'pickup blue key 1'],
  },
]

const made = new Map<ShownLevel, Example>()

/** Our own worked example, with observations of the real game. */
function ownExamples(): readonly Example[] {
  return [exampleOf(shown)]
}

/** Worked examples of levels other than this one. */
export function otherExamples(level: number): readonly Example[] {
  return others.filter((other) => other.level !== level).map(exampleOf)
}

function exampleOf(given: ShownLevel): Example {
  const example = made.get(given) ?? play(given)
  made.set(given, example)
  return example
}

function play({ level, seed, actions }: ShownLevel): Example {
  const game = createTextGame(makeLevel(level, seed), 'agentboard', createMilestones)
  return {
    opening: [`Your goal: ${game.simulation.mission}\n${game.opening}`],
    exchanges: actions.map((action) => ({ action, observation: game.step(action).text })),
    names: namesOf(game.simulation.board),
  }
}
