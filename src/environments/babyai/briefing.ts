import * as z from 'zod'
import type { Briefing, Example } from '../../core/environment.js'
import { packagedData } from '../../files/packaged.js'
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

/** Levels of our own, which are not in the benchmark, each with a solution; the first is in our own prompt. */
const shownLevels = packagedData(
  'src/environments/babyai/examples.yaml',
  z.array(z.strictObject({ level: z.number(), seed: z.number(), actions: z.array(z.string()) })),
)
type ShownLevel = ReturnType<typeof shownLevels>[number]

const made = new Map<ShownLevel, Example>()

/** Our own worked example, with observations of the real game. */
function ownExamples(): readonly Example[] {
  return shownLevels().slice(0, 1).map(exampleOf)
}

/** Worked examples that no prompt has by itself, of levels other than this one. */
export function otherExamples(level: number): readonly Example[] {
  const [, ...others] = shownLevels()
  return others.filter((other) => other.level !== level).map(exampleOf)
}

function exampleOf(given: ShownLevel): Example {
  const example = made.get(given) ?? play(given)
  made.set(given, example)
  return example
}

function play({ level, seed, actions }: ShownLevel): Example {
  const game = createTextGame(makeLevel(level, seed), createMilestones)
  return {
    opening: [`Your goal: ${game.simulation.mission}\n${game.opening}`],
    exchanges: actions.map((action) => ({ action, observation: game.step(action).text })),
    names: namesOf(game.simulation.board),
  }
}
