import { basename } from 'node:path'
import type { WorldDefinition } from '../../define/world.js'
import { type EnvironmentSetup, type OptionValues, defineEnvironment } from '../../define/environment.js'
import type { Task } from '../../core/environment.js'
import { hashOf } from '../../core/episode.js'
import { ShaketableError } from '../../core/errors.js'
import { parseTemplate } from '../../core/form.js'
import { pddlPrompt, readPromptFile } from '../agentboard-prompt.js'
import { keepRecent } from '../keep-recent.js'
import { type GameBriefing, createBriefing, otherExamples } from './briefing.js'
import { type CompiledGame, type GamePlanner, compileGame, createPlanner } from './compile-game.js'
import { haveRightTypes, readLoosely } from './read-loosely.js'
import { ownSource } from './own-games.js'
import { type GameSource, folderSource, readDifficulties } from './sources.js'
import { createTextGame } from './text-game.js'
import { type GameForm, type GameText, gameNames } from './wording.js'

const options = {
  data: {
    path: true,
    summary: "AgentBoard's games: a folder with gripper.pddl, gripper/ and so on. Default: games of our own",
  },
  games: {
    choices: gameNames,
    list: true,
    summary: 'Which games, in which order: gripper, blockworld, barman, tyreworld. Default: all',
  },
  split: {
    choices: ['test', 'train'],
    summary: 'Of our own games: 60 like the benchmark’s, or others for tuning. Default: test',
  },
  labels: { path: true, summary: "AgentBoard's label file data/pddl/test.jsonl, for the difficulties of its games" },
  prompt: { path: true, summary: "AgentBoard's prompt file pddl_vanilla_prompt.json. Default: our own words" },
} as const

/** Options of the PDDL games, all optional. */
type PddlSettings = OptionValues<typeof options>

const maxGames = 256
/** Plans kept per game: episodes in other wordings visit the same states. */
const maxPlans = 64

/** The data that all episodes of a game share. */
interface Setting {
  readonly compiled: CompiledGame
  readonly briefing: GameBriefing
  readonly plan: GamePlanner
}

/** AgentBoard's PDDL games, and generated games like them. */
export const pddl = defineEnvironment({
  name: 'pddl',
  summary: 'PDDL games: carry balls, stack blocks, mix drinks, change wheels; in text',
  source: "AgentBoard's gripper, blockworld, barman and tyreworld (PDDLGym)",
  version: '2',
  options,
  open: createPddl,
})

/** PDDL games in text. A world ends when its goal holds; it cannot be lost. */
function createPddl(settings: PddlSettings) {
  const source = openSource(settings)
  const prompt = settings.prompt === undefined ? undefined : readPromptFile(pddlPrompt, settings.prompt)
  const keepSetting = keepRecent<Setting>(maxGames)
  const settingOf = (text: GameText): Setting =>
    keepSetting(text.id, () => {
      const compiled = compileGame(text)
      const planner = createPlanner(compiled)
      const keepPlan = keepRecent<readonly string[] | undefined>(maxPlans)
      return {
        compiled,
        briefing: createBriefing(compiled, prompt?.prompts[text.game]),
        plan: (facts) => keepPlan(facts.key(), () => planner(facts)),
      }
    })
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
    settings: { games: source.name, prompt: prompt === undefined ? 'own' : prompt.hash },
    data: {
      ...(settings.data === undefined
        ? { kind: 'generated' as const, split: settings.split ?? 'test' }
        : { kind: 'benchmark' as const, from: 'AgentBoard' }),
      ...(settings.prompt !== undefined && { promptFile: basename(settings.prompt) }),
    },
    notes: prompt?.notes ?? [],
    find: (id: string) => describe(source.find(id)),
    begin: ({ id }: Task) => worldOf(settingOf(source.find(id))),
  } satisfies EnvironmentSetup

  /** A PDDL game as a world. It ends when its goal holds; it cannot be lost. */
  function worldOf({ compiled, briefing, plan }: Setting) {
    const game = createTextGame(compiled)
    const { forms } = briefing
    const actions = forms.map(({ action }) => action)
    return {
      briefing,
      opening: [game.opening],
      names: compiled.names,
      admissible: game.admissible,
      understands: game.understands,
      refuse: game.refuse,
      step: game.step,
      solve: () => plan(game.facts),
      otherExamples: () => otherExamples(compiled.game, prompt),
      read(action: string, templates: readonly string[], names: readonly string[], ever = false) {
        const isPossible = ever ? undefined : game.isPossible
        const looseReading = readLoosely(action, templates, names, { actions, ...(isPossible && { isPossible }) })
        if (looseReading === undefined) return undefined
        const form = forms[templates.indexOf(looseReading.template)]
        if (form === undefined) return looseReading
        const places = parseTemplate(form.template).slots.map((slot) => names.indexOf(looseReading.filling[slot]!))
        // The names of a worked example have no known type.
        const isKnown = places.every((place) => place < compiled.names.length)
        return !isKnown || fits(compiled, form, places) ? looseReading : undefined
      },
    } satisfies WorldDefinition
  }
}

/**
 * Whether the objects, given by their places among the names, have the right types for the action; true for a form that
 * is not an action of the domain.
 */
function fits({ task, names }: CompiledGame, form: GameForm, places: readonly number[]): boolean {
  const action = task.actions.find(({ name }) => name === form.action)
  if (action === undefined) return true
  const objects = places.map((place) => task.object(names[place]!)!)
  return haveRightTypes(task, action, objects)
}

function openSource({ data, games, split, labels }: PddlSettings): GameSource {
  if (data === undefined) {
    if (labels !== undefined) refuse('labels', "the labels are those of AgentBoard's games: give 'data' too")
    return ownSource({ split, games })
  }
  if (split !== undefined) refuse('split', "AgentBoard's games have no splits")
  const difficulties = labels === undefined ? undefined : readDifficulties(labels)
  return folderSource({ folder: data, games, difficulties })
}

function refuse(option: string, why: string): never {
  throw new ShaketableError(
    'usage',
    `The option '${option}' of the environment 'pddl' cannot be used here: ${why}. Leave one out.`,
  )
}
