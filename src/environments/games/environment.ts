import type { TurnDefinition, WorldDefinition } from '../../define/world.js'
import type { EnvironmentSetup } from '../../define/environment.js'
import type { Enlargement, Example, ReadAction, Task, TaskSource } from '../../core/environment.js'
import { hashOf } from '../../core/episode.js'
import { parseTemplate } from '../../core/form.js'
import type { GamePromptFile } from '../agentboard-prompt.js'
import { keepRecent } from '../keep-recent.js'
import type { GameBriefing } from './briefing.js'
import { createBriefing, otherExamples } from './briefing.js'
import type { CompiledGame, GamePlanner } from './compile-game.js'
import { compileGame, createPlanner } from './compile-game.js'
import { enlargeGame } from './enlarge.js'
import { haveRightTypes, readLoosely } from './read-loosely.js'
import type { GameSource } from './sources.js'
import type { Answer, TextGame } from './text-game.js'
import { createTextGame } from './text-game.js'
import type { GameForm, GameName, GameText } from './wording.js'

interface PddlOptions {
  readonly source: GameSource
  /** AgentBoard's prompt file, which replaces our own words. */
  readonly prompt?: GamePromptFile
  readonly data?: TaskSource
}

const maxGames = 256
/** Plans kept per game: episodes in other wordings visit the same states. */
const maxPlans = 64

/** The data that all episodes of a game share. */
interface Setting {
  readonly compiled: CompiledGame
  readonly briefing: GameBriefing
  readonly plan: GamePlanner
}

/** PDDL games in text. A world ends when its goal holds; it cannot be lost. */
export function createPddl({ source, prompt, data }: PddlOptions) {
  const keepSetting = keepRecent<Setting>(maxGames)
  const keepEnlarged = keepRecent<{ readonly setting: Setting; readonly added: number }>(maxGames)
  const settingOf = (text: GameText): Setting => keepSetting(text.id, () => createSetting(text))
  const createSetting = (text: GameText): Setting => {
    const compiled = compileGame(text, source.wordingOf(text))
    const planner = createPlanner(compiled)
    const keepPlan = keepRecent<readonly string[] | undefined>(maxPlans)
    return {
      compiled,
      briefing: createBriefing(compiled, prompt?.prompts[text.game as GameName]),
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
    notes: prompt?.notes ?? [],
    find: (id: string) => describe(source.find(id)),
    begin: ({ id }: Task) => worldOf(settingOf(source.find(id))),
    ...(source.name !== 'files' && {
      enlarge({ id }: Task, more: Enlargement) {
        const { setting, added } = keepEnlarged(JSON.stringify([id, more]), () => {
          const text = source.find(id)
          const enlarged = enlargeGame(text, settingOf(text).compiled.names, more)
          return { setting: createSetting(enlarged.game), added: enlarged.added }
        })
        return { world: worldOf(setting), added }
      },
    }),
  } satisfies EnvironmentSetup

  function worldOf({ compiled, briefing, plan }: Setting) {
    const game = createTextGame(compiled)
    const solve = (): readonly string[] | undefined => plan(game.facts)
    const others = (): readonly Example[] => otherExamples(compiled.game, prompt)
    return { ...createWorld({ compiled, game, briefing, solve }), otherExamples: others }
  }
}

/** The parts of a world. */
interface WorldOptions {
  readonly compiled: CompiledGame
  readonly game: TextGame
  readonly briefing: GameBriefing
  solve(): readonly string[] | undefined
}

/** A PDDL game as a world. It ends when its goal holds; it cannot be lost. */
export function createWorld({ compiled, game, briefing, solve }: WorldOptions) {
  const { forms } = briefing
  const actions = forms.map(({ action }) => action)
  const turnOf = ({ text, understood, progress, won }: Answer): TurnDefinition => ({
    observation: text,
    understood,
    progress,
    ended: won && 'success',
  })
  return {
    briefing,
    opening: [game.opening],
    names: compiled.names,
    admissible: game.admissible,
    understands: game.understands,
    refuse: () => turnOf(game.refuse()),
    step: (action: string) => turnOf(game.step(action)),
    solve,
    read(action: string, templates: readonly string[], names: readonly string[], ever = false): ReadAction | undefined {
      const isPossible = ever ? undefined : game.isPossible
      const found = readLoosely(action, templates, names, { actions, ...(isPossible && { isPossible }) })
      if (found === undefined) return undefined
      const form = forms[templates.indexOf(found.template)]
      if (form === undefined) return found
      const places = parseTemplate(form.template).slots.map((slot) => names.indexOf(found.filling[slot]!))
      // The names of a worked example have no known type.
      const isKnown = places.every((place) => place < compiled.names.length)
      return !isKnown || fits(compiled, form, places) ? found : undefined
    },
  } satisfies WorldDefinition
}

/**
 * Whether the objects, given by their places among the names, have the right types for the action; true for a form that
 * is not an action of the domain.
 */
function fits({ task, wording, names }: CompiledGame, form: GameForm, places: readonly number[]): boolean {
  const action = task.actions.find(({ name }) => name === form.action)
  if (action === undefined) return true
  const objects: number[] = []
  wording.actions.get(form.action)!.parameters.forEach((parameter, slot) => {
    objects[parameter] = task.object(names[places[slot]!]!)!
  })
  return haveRightTypes(task, action, objects)
}
