import { basename } from 'node:path'
import { type EnvironmentSetup, defineEnvironment } from '../../define/environment.js'
import { ShaketableError } from '../../core/errors.js'
import type { Briefing, Enlargement, Example, Task, TaskSource } from '../../core/environment.js'
import type { Text } from '../../core/text.js'
import { instruct } from '../prompts.js'
import { examplesOf, itemNames } from './examples.js'
import type { Game } from './engine/engine.js'
import { advertisedForms, allForms, checkActions, normaliseAction } from './forms.js'
import { type Split, folderGames } from './folder-games.js'
import { generatedGames, goalOf } from './games.js'
import { type PromptFile, householdPrompt, readPromptFile } from '../agentboard-prompt.js'
import { keepRecent } from '../keep-recent.js'
import { solveHousehold } from './oracle.js'
import { createProtocolWorld } from './protocol.js'
import { subGoals } from './goal.js'
import { type TaskKind, taskKinds } from './scenes/rooms.js'
import type { Generation } from './text/domain.js'

/** How many compiled games are cached. */
const maxGames = 256

/** What the episodes of a game share. */
interface SharedParts {
  readonly briefing: Briefing
  readonly patterns: readonly RegExp[]
  /** See World.otherExamples. */
  others(): readonly Example[]
}

type Settings = Partial<Readonly<Record<'data' | 'split' | 'prompt', string>>> & { readonly generation?: Generation }

/** ALFWorld by AgentBoard's rules. A world ends when its task is won, and never in failure. */
function createHousehold({ data: folder, split = 'valid-unseen', generation, prompt: path }: Settings) {
  const games =
    folder === undefined
      ? generatedGames(ownSplit(split), generation ?? 'old')
      : folderGames({ folder, split: split.replace('-', '_') as Split, generation })
  const prompt: Readonly<Record<Generation, PromptFile<TaskKind>>> | undefined =
    path === undefined
      ? undefined
      : {
          old: readPromptFile(householdPrompt('old'), path),
          new: readPromptFile(householdPrompt('new'), path),
        }
  const data: TaskSource = {
    ...(folder === undefined ? { kind: 'generated' } : { kind: 'benchmark', from: 'ALFWorld' }),
    split: split.replace('_', '-'),
    ...(path !== undefined && { promptFile: basename(path) }),
  }
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
    settings: {
      games: games.name,
      generation: generation ?? (folder === undefined ? 'old' : 'as the game'),
      prompt: prompt?.old.hash ?? 'own',
    },
    get data(): TaskSource {
      const leftOut = games.leftOut?.()
      return { ...data, ...(leftOut !== undefined && { leftOut }) }
    },
    get notes() {
      const leftOut = games.leftOut?.()
      return [...(leftOut === undefined ? [] : [leftOut.text]), ...(prompt?.[games.wording()].notes ?? [])]
    },
    normalise: normaliseAction,
    find: (id: string) => games.find(id),
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
    const solve = (): readonly string[] | undefined => solveHousehold(engine, goalOf(task))
    const { others, ...parts } = partsOf(task, game)
    return { ...createProtocolWorld({ engine, ...parts, names: game.names, solve }), otherExamples: () => others() }
  }
}

/** The briefing for a task: our own instruction and worked examples, or those of AgentBoard's prompt file. */
export function createBriefing(
  generation: Generation,
  kind: TaskKind,
  goal: string,
  prompt: PromptFile<TaskKind> | undefined,
): Briefing {
  const examples = prompt?.prompts[kind]
  return {
    system:
      examples?.system ??
      'You look after a household. You see it, and move things in it, only through short lines of text.',
    instruction: examples?.instruction ?? ownInstructions[generation],
    forms: allForms(generation),
    knownForms,
    examples: examples?.examples ?? examplesOf(kind, generation),
    goal,
    help: [checkActions, 'inventory'],
  }
}

/** The worked examples of all other kinds of task. */
function otherExamples(
  generation: Generation,
  kind: TaskKind,
  prompt: PromptFile<TaskKind> | undefined,
): readonly Example[] {
  return taskKinds
    .filter((other) => other !== kind)
    .flatMap((other) => prompt?.prompts[other].examples ?? examplesOf(other, generation))
}

const knownForms = [...allForms('old'), ...allForms('new')].map(({ template }) => template)

const rules = `There is one job to get done in this household. You first hear what stands in the room, and after each action what came of it. \
What you are looking for may lie on any place or inside one, so walk from place to place until you have found it.
Reply with one action. Name a thing ('{obj}') or a place ('{recep}') exactly as you have heard it, number included; '{item}' may be either.`

const ownInstructions: Readonly<Record<Generation, Text>> = {
  old: instruct(rules, advertisedForms('old')),
  new: instruct(rules, advertisedForms('new')),
}

function ownSplit(split: string): 'train' | 'valid-unseen' {
  const name = split.replace('_', '-')
  if (name === 'train' || name === 'valid-unseen') return name
  throw new ShaketableError(
    'usage',
    `Generated household tasks have the splits train and valid-unseen, not '${split}'. For ALFWorld's own games give 'data'.`,
  )
}

/** The household of ALFWorld. */
export const household = defineEnvironment({
  name: 'household',
  summary: 'ALFWorld: find things in a house, change them, and put them where they belong; text only',
  source: 'ALFWorld (Shridhar et al. 2021), as AgentBoard plays it',
  options: {
    data: {
      path: true,
      summary: "ALFWorld's data folder or the json_2.1.1 in it. Default: generated tasks",
    },
    split: {
      choices: ['train', 'valid-train', 'valid-seen', 'valid-unseen', 'valid_train', 'valid_seen', 'valid_unseen'],
      summary: 'Which tasks. Default: valid-unseen',
    },
    generation: {
      choices: ['old', 'new'],
      summary: 'The wording: put … in/on … (old) or move … to … (new). Default: as the file; old for generated tasks',
    },
    prompt: { path: true, summary: "AgentBoard's prompt file alfworld_base.json. Default: our own words" },
  },
  plainText: { forms: [allForms('old'), allForms('new')], names: itemNames, normalise: normaliseAction },
  open: createHousehold,
})
