import type { EnvironmentSetup } from '../../define/environment.js'
import type { Briefing, Enlargement, Example, Task, TaskSource } from '../../core/environment.js'
import { createBriefing, otherExamples } from './briefing.js'
import type { Game } from './engine/engine.js'
import { normaliseAction } from './forms.js'
import type { Games } from './games.js'
import { goalOf } from './games.js'
import type { PromptFile } from '../agentboard-prompt.js'
import { keepRecent } from '../keep-recent.js'
import { solveHousehold } from './oracle/solve.js'
import { createProtocolWorld } from './protocol.js'
import { subGoals } from './goal.js'
import type { TaskKind } from './scenes/goal.js'
import type { Generation } from './text/domain.js'

/** The settings of the household. */
interface HouseholdOptions {
  readonly games: Games
  /** `as the game` keeps the wording of each file. */
  readonly generation: Generation | 'as the game'
  /** AgentBoard's prompt file for each generation, instead of our own instruction and examples. */
  readonly prompt?: Readonly<Record<Generation, PromptFile<TaskKind>>>
  readonly data?: TaskSource
}

/** How many compiled games are cached. */
const maxGames = 256

/** What the episodes of a game share. */
interface SharedParts {
  readonly briefing: Briefing
  readonly patterns: readonly RegExp[]
  /** See World.otherExamples. */
  others(): readonly Example[]
}

/** ALFWorld by AgentBoard's rules. A world ends when its task is won, and never in failure. */
export function createHousehold({ games, generation, prompt, data }: HouseholdOptions) {
  const keepGame = keepRecent<Game>(maxGames)
  const gameOf = (task: Task): Game => keepGame(task.id, () => games.compile(task))
  const enlarged = keepRecent<{ readonly game: Game; readonly added: number }>(maxGames)
  const keepParts = keepRecent<SharedParts>(maxGames)
  const partsOf = (task: Task, game: Game): SharedParts =>
    keepParts(task.id, () => {
      const goal = goalOf(task)
      const wording = game.generation
      return {
        briefing: createBriefing(wording, goal.kind, game.goalSentence, prompt?.[wording]),
        others: () => otherExamples(wording, goal.kind, prompt?.[wording]),
        patterns: subGoals(goal, wording),
      }
    })

  return {
    measure: "progress is the share of AgentBoard's sub-goals seen, success the task won",
    tasks: () => games.list(),
    settings: { games: games.name, generation, prompt: prompt?.old.hash ?? 'own' },
    get data(): TaskSource | undefined {
      const leftOut = games.leftOut?.()
      return data && { ...data, ...(leftOut !== undefined && { leftOut }) }
    },
    get notes() {
      const leftOut = games.leftOut?.()
      return [...(leftOut === undefined ? [] : [leftOut.text]), ...(prompt?.[games.wording()].notes ?? [])]
    },
    normalise: normaliseAction,
    find: (id: string) => games.find(id),
    raw: (task: Task) => gameOf(task).start(),
    begin: (task: Task) => worldOf(task, gameOf(task)),
    ...(games.enlarge && {
      enlarge(task: Task, more: Enlargement) {
        const { game, added } = enlarged(JSON.stringify([task.id, more]), () => games.enlarge!(task, more))
        return { world: worldOf(task, game), added }
      },
    }),
  } satisfies EnvironmentSetup

  function worldOf(task: Task, game: Game) {
    const engine = game.start()
    const solve = (): readonly string[] | undefined => solveHousehold(engine)
    const { others, ...parts } = partsOf(task, game)
    return { ...createProtocolWorld({ engine, ...parts, names: game.names, solve }), otherExamples: () => others() }
  }
}
