import * as z from 'zod'
import { basename } from 'node:path'
import { type EnvironmentSetup, defineEnvironment } from '../../define/environment.js'
import type { WorldDefinition } from '../../define/world.js'
import type { Briefing, Enlargement, Example, ReadAction, Task, TaskSource } from '../../core/environment.js'
import { hashOf } from '../../core/episode.js'
import { ShaketableError, suggest } from '../../core/errors.js'
import { readForm } from '../../core/form.js'
import { keepRecent } from '../keep-recent.js'
import { createTextGame, tidy } from './game.js'
import { advertisedForms, allForms, checkAction, checkValidActions, itemNames, namesOf } from './moves.js'
import { type Label, createLabelledProgress, createMilestones, readLabels } from './progress.js'
import { solveLevel } from './oracle/index.js'
import { type Prompt, type PromptFile, babyaiPrompt, readPromptFile } from '../agentboard-prompt.js'
import { levelNumbers } from './simulator/levels.js'
import { type MadeLevel, makeLevel } from './simulator/simulation.js'
import { packagedData } from '../../files/packaged.js'
import { instruct } from '../prompts.js'

/** AgentBoard's 112 tasks, or others on the same levels for tuning. */
type Split = 'test' | 'train'

/** What a task is made from. */
interface LevelSeed {
  readonly id: string
  readonly level: number
  readonly seed: number
}

const seeds: Readonly<Record<Split, readonly number[]>> = {
  test: [1234, 1235, 1236, 1237],
  train: Array.from({ length: 25 }, (_, seed) => seed),
}

/**
 * The tasks of a split in the benchmark's order: level by level, seed by seed, numbered from 0 (`train/0` and so on).
 */
export function listLevels(split: Split): readonly LevelSeed[] {
  const pairs = levelNumbers.flatMap((level) => seeds[split].map((seed) => ({ level, seed })))
  return pairs.map((pair, index) => ({ id: split === 'test' ? String(index) : `${split}/${String(index)}`, ...pair }))
}

/**
 * A task; `label` is its row of the label file. AgentBoard replaces every `then` and `after you` of a mission by `and`,
 * which loses the order of two subtasks.
 */
function taskOf(task: LevelSeed, made: MadeLevel, label: Label | undefined): Task {
  const { mission } = made.start()
  return {
    id: task.id,
    goal: mission.replaceAll('then', 'and').replaceAll('after you', 'and'),
    kind: made.name,
    ...(label && { difficulty: label.difficulty }),
    hash: hashOf(
      { level: task.level, seed: task.seed, rules: 'agentboard', ...(label && { subGoals: label.subGoals }) },
      16,
    ),
    data: task,
  }
}

/** The settings of BabyAI. */
interface BabyaiOptions {
  readonly split: Split
  /** AgentBoard's labels by task; their sub-goals replace our own. */
  readonly labels?: ReadonlyMap<string, Label>
  readonly prompt?: PromptFile
  readonly data?: TaskSource
}

const maxLevels = 256

/** Describes which sub-goals and which ends count. */
function describeMeasure({ split, labels }: BabyaiOptions): string {
  const levels = listLevels(split)
  const labelled = levels.filter(({ id }) => labels?.has(id)).length
  const subGoals =
    labelled === levels.length
      ? "progress by AgentBoard's labels"
      : labelled === 0
        ? "progress by shaketable's own sub-goals, not AgentBoard's labels"
        : `progress by AgentBoard's labels on ${String(labelled)} of ${String(levels.length)} tasks, by shaketable's own sub-goals elsewhere`
  const isPublished = labelled === levels.length && split === 'test'
  return `${subGoals}; an end at progress 0.5 or less is forgotten, as in AgentBoard; ${isPublished ? 'comparable' : 'not comparable'} with published rows`
}

/** BabyAI by AgentBoard's rules. A world ends when its task is done. */
export function createBabyai(options: BabyaiOptions) {
  const { split, labels, prompt, data } = options
  const known = new Map([...listLevels('test'), ...listLevels('train')].map((levelSeed) => [levelSeed.id, levelSeed]))
  const keepLevel = keepRecent<MadeLevel>(maxLevels)
  const enlarged = keepRecent<ReturnType<typeof makeLevel>>(maxLevels)
  const levelOf = (task: LevelSeed): MadeLevel => keepLevel(task.id, () => makeLevel(task.level, task.seed))
  const describe = (task: LevelSeed): Task => taskOf(task, levelOf(task), labels?.get(task.id))
  return {
    measure: describeMeasure(options),
    tasks: () => listLevels(split).map(describe),
    settings: {
      rules: 'agentboard',
      labels: labels === undefined ? 'own' : hashOf([...labels], 16),
      prompt: prompt === undefined ? 'own' : prompt.hash,
    },
    ...(data && { data }),
    notes: prompt?.notes ?? [],
    find(id: string) {
      const task = known.get(id)
      if (task !== undefined) return describe(task)
      throw new ShaketableError(
        'bad-input',
        `There is no BabyAI task '${id.slice(0, 200)}'.${suggest(id, known.keys())} Tasks are numbered from 0 to 111, ` +
          'and train/0 to train/699; --list shows them.',
      )
    },
    begin: (task: Task) => worldOf(task, levelOf(task.data as LevelSeed)),
    enlarge(task: Task, more: Enlargement) {
      const taskOptions = { ...more, seed: `${more.seed}/${task.id}` }
      const { level: number, seed } = task.data as LevelSeed
      const level = enlarged(JSON.stringify([task.id, more]), () => makeLevel(number, seed, taskOptions))
      return { world: worldOf(task, level), added: level.added }
    },
  } satisfies EnvironmentSetup

  function worldOf(task: Task, level: MadeLevel) {
    const label = labels?.get(task.id)
    const progressOf = label === undefined ? createMilestones : () => createLabelledProgress(label.subGoals)
    const game = createTextGame(level, progressOf)
    const { level: number } = task.data as LevelSeed
    return {
      briefing: createBriefing(task.goal, prompt?.prompts.all),
      opening: [game.opening],
      names: namesOf(game.simulation.board),
      admissible: () => [...game.moves().possible.keys()],
      understands(text: string) {
        const action = tidy(text)
        return action.includes('check') || game.moves().possible.has(action)
      },
      refuse: () => game.step(unknownAction),
      read: readAction,
      step: game.step,
      solve: () => solveLevel(game.simulation),
      otherExamples: () => otherExamples(number),
    } satisfies WorldDefinition
  }
}

/** Reads an action as the game does, ignoring letter case and white space around it. */
function readAction(action: string, templates: readonly string[], names: readonly string[]): ReadAction | undefined {
  const [text, known] = [tidy(action), new Map(names.map((name) => [tidy(name), name]))]
  for (const template of templates) {
    const lower = template.replace(/\{\w+\}|[^{]+/g, (part) => (part.startsWith('{') ? part : part.toLowerCase()))
    const filling = readForm(lower, text, (value) => known.has(value))
    if (filling === undefined) continue
    const values = Object.entries(filling).map(([slot, value]) => [slot, known.get(value)!] as const)
    return { template, filling: Object.fromEntries(values) }
  }
  return undefined
}

/** An action that does not exist in any level. */
const unknownAction = 'unknown action'

/** BabyAI's levels, generated from seeds alone. */
export const babyai = defineEnvironment({
  name: 'babyai',
  summary: 'BabyAI: find, fetch and unlock things in rooms that are seen seven cells at a time; in text',
  source: 'BabyAI (Chevalier-Boisvert et al. 2019) in Minigrid 2.3.0, as AgentBoard plays it',
  version: '2',
  options: {
    split: {
      choices: ['test', 'train'],
      summary: "AgentBoard's 112 tasks, or 700 others on the same levels. Default: test",
    },
    labels: {
      path: true,
      summary:
        "AgentBoard's label file data/babyai/test.jsonl: its sub-goals and difficulties. Default: sub-goals of our own",
    },
    prompt: { path: true, summary: "AgentBoard's prompt file babyai_vanilla_prompt.json. Default: our own words" },
  },
  plainText: { forms: [allForms], names: itemNames, read: readAction },
  open({ split = 'test', labels, prompt }) {
    return createBabyai({
      split,
      data: {
        ...(split === 'test' ? { kind: 'benchmark' as const, from: 'AgentBoard' } : { kind: 'generated' }),
        split,
        ...(prompt !== undefined && { promptFile: basename(prompt) }),
      },
      ...(labels !== undefined && { labels: readLabels(labels) }),
      ...(prompt !== undefined && { prompt: readPromptFile(babyaiPrompt, prompt) }),
    })
  },
})

/** The briefing of a task: our own instruction and worked example, or those of AgentBoard's prompt file. */
function createBriefing(goal: string, prompt: Prompt | undefined): Briefing {
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

const keepExample = keepRecent<Example>(maxLevels)
const exampleOf = (level: ShownLevel): Example => keepExample(JSON.stringify(level), () => play(level))

/** Our own worked example, with observations of the real game. */
const ownExamples = (): readonly Example[] => shownLevels().slice(0, 1).map(exampleOf)

/** Worked examples that no prompt has by itself, of levels other than this one. */
function otherExamples(level: number): readonly Example[] {
  const [, ...others] = shownLevels()
  return others.filter((other) => other.level !== level).map(exampleOf)
}

function play({ level, seed, actions }: ShownLevel): Example {
  const game = createTextGame(makeLevel(level, seed), createMilestones)
  return {
    opening: [`Your goal: ${game.simulation.mission}\n${game.opening}`],
    exchanges: actions.map((action) => ({ action, observation: game.step(action).observation })),
    names: namesOf(game.simulation.board),
  }
}
