import type { EnvironmentSetup } from '../../core/define-environment.js'
import type { Task, TaskSource } from '../../core/environment.js'
import { hashOf } from '../../core/episode.js'
import { keepRecent } from '../keep-recent.js'
import type { GameBriefing } from './briefing.js'
import { createBriefing } from './briefing.js'
import type { CompiledGame, GamePlanner } from './compile-game.js'
import { compileGame, createPlanner } from './compile-game.js'
import type { GamePrompt, PromptFile } from './prompt-file.js'
import type { GameSource } from './sources.js'
import { createTextGame } from './text-game.js'
import type { GameName, GameText } from './wording.js'
import { createWorld } from './world.js'

/** What the PDDL games are, for lists and reports. */
export const pddlCard = {
  name: 'pddl',
  summary:
    'PDDL games: carry balls, stack blocks, mix drinks, change wheels, or whatever a domain of your own says; in text',
  source: "AgentBoard's gripper, blockworld, barman and tyreworld (PDDLGym)",
  version: '2',
} as const

/** How the games are set up. */
interface PddlOptions {
  readonly source: GameSource
  /** AgentBoard's prompt file, in place of our own words. */
  readonly prompt?: PromptFile
  readonly data?: TaskSource
}

const maxGames = 256
/** Of a game: episodes in other wordings come through the same states. */
const maxPlans = 64

/** What all episodes of a game share. */
interface Setting {
  readonly compiled: CompiledGame
  readonly briefing: GameBriefing
  readonly plan: GamePlanner
}

/** PDDL games in text. A world ends when its goal holds, and never as lost. */
export function createPddl({ source, prompt, data }: PddlOptions) {
  const promptOf = (game: string): GamePrompt | undefined => prompt?.games[game as GameName]
  const keepSetting = keepRecent<Setting>(maxGames)
  const settingOf = (text: GameText): Setting => keepSetting(text.id, () => createSetting(text))
  const createSetting = (text: GameText): Setting => {
    const compiled = compileGame(text, source.wordingOf(text))
    const planner = createPlanner(compiled)
    const keepPlan = keepRecent<readonly string[] | undefined>(maxPlans)
    return {
      compiled,
      briefing: createBriefing(compiled, promptOf(text.game)),
      plan: (facts) => keepPlan(facts.key(), () => planner(facts)),
    }
  }
  const describe = (text: GameText): Task => ({
    id: text.id,
    goal: settingOf(text).compiled.goalText,
    kind: text.game,
    ...(text.difficulty && { difficulty: text.difficulty }),
    hash: hashOf([text.domain.text, text.problem.text], 16),
  })
  return {
    measure: "progress is the largest share of the goal's conditions that held, success all of them, as in AgentBoard",
    tasks: () => source.list().map(describe),
    settings: { games: source.name, ...source.settings, prompt: prompt === undefined ? 'own' : prompt.hash },
    ...(data && { data }),
    notes: prompt === undefined ? [] : Object.values(prompt.games).flatMap(({ notes }) => notes),
    find: (id: string) => describe(source.find(id)),
    begin({ id }: Task) {
      const { compiled, briefing, plan } = settingOf(source.find(id))
      const game = createTextGame(compiled)
      const solve = (): readonly string[] | undefined => plan(game.facts)
      return createWorld({ compiled, game, briefing, solve })
    },
  } satisfies EnvironmentSetup
}
