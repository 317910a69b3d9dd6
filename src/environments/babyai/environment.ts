import type { EnvironmentSetup } from '../../define/environment.js'
import type { Briefing, Enlargement, Task, TaskSource } from '../../core/environment.js'
import { hashOf } from '../../core/episode.js'
import { ShaketableError, nearMiss } from '../../core/errors.js'
import { keepRecent } from '../keep-recent.js'
import { createBriefing, otherExamples } from './briefing.js'
import type { Rules } from './sight.js'
import { createTextGame } from './game.js'
import type { Label } from './progress.js'
import { createLabelledProgress, createMilestones } from './progress.js'
import { solveLevel } from './oracle/index.js'
import type { PromptFile } from '../agentboard-prompt.js'
import type { MadeLevel } from './simulator/simulation.js'
import type { LevelSeed, Split } from './tasks.js'
import { listLevels, makeTaskLevel, taskOf } from './tasks.js'
import { createWorld } from './world.js'

/** The settings of BabyAI. */
export interface BabyaiOptions {
  readonly split: Split
  readonly rules: Rules
  /** AgentBoard's labels by task; their sub-goals replace our own. */
  readonly labels?: ReadonlyMap<string, Label>
  readonly prompt?: PromptFile
  readonly data?: TaskSource
}

const maxLevels = 256

/** Describes which sub-goals and which ends count. Published rows use AgentBoard's rules for both. */
function describeMeasure({ split, rules, labels }: BabyaiOptions): string {
  const levels = listLevels(split)
  const labelled = levels.filter(({ id }) => labels?.has(id)).length
  const subGoals =
    labelled === levels.length
      ? "progress by AgentBoard's labels"
      : labelled === 0
        ? "progress by shaketable's own sub-goals, not AgentBoard's labels"
        : `progress by AgentBoard's labels on ${String(labelled)} of ${String(levels.length)} tasks, by shaketable's own sub-goals elsewhere`
  const ends =
    rules === 'agentboard'
      ? 'an end at progress 0.5 or less is forgotten, as in AgentBoard'
      : 'every end counts, unlike in AgentBoard'
  const isPublished = rules === 'agentboard' && labelled === levels.length && split === 'test'
  return `${subGoals}; ${ends}; ${isPublished ? 'comparable' : 'not comparable'} with published rows`
}

/**
 * BabyAI by AgentBoard's rules, or without their faults. A world ends when its task is done; by the fixed rules also
 * when the task has failed.
 */
export function createBabyai(options: BabyaiOptions) {
  const { split, rules, labels, prompt, data } = options
  const known = new Map([...listLevels('test'), ...listLevels('train')].map((one) => [one.id, one]))
  const keepLevel = keepRecent<MadeLevel>(maxLevels)
  const enlarged = keepRecent<ReturnType<typeof makeTaskLevel>>(maxLevels)
  const levelOf = (task: LevelSeed): MadeLevel => keepLevel(task.id, () => makeTaskLevel(task, rules))
  const describe = (task: LevelSeed): Task => taskOf(task, levelOf(task), rules, labels?.get(task.id))
  const briefings = new Map<string, Briefing>()
  const briefingOf = (goal: string): Briefing => {
    const made = briefings.get(goal) ?? createBriefing(goal, prompt?.prompts.all)
    briefings.set(goal, made)
    return made
  }
  return {
    measure: describeMeasure(options),
    tasks: () => listLevels(split).map(describe),
    settings: {
      rules,
      labels: labels === undefined ? 'own' : hashOf([...labels], 16),
      prompt: prompt === undefined ? 'own' : prompt.hash,
    },
    ...(data && { data }),
    notes: prompt?.notes ?? [],
    find(id: string) {
      const task = known.get(id)
      if (task !== undefined) return describe(task)
      const near = nearMiss(id, known.keys())
      throw new ShaketableError(
        'bad-input',
        `There is no BabyAI task '${id.slice(0, 200)}'.${near === undefined ? '' : ` Did you mean '${near}'?`} Tasks are numbered from 0 to 111, ` +
          'and train/0 to train/699; --list shows them.',
      )
    },
    begin: (task: Task) => worldOf(task, levelOf(task.data as LevelSeed)),
    enlarge(task: Task, more: Enlargement) {
      const own = { ...more, seed: `${more.seed}/${task.id}` }
      const level = enlarged(JSON.stringify([task.id, more]), () => makeTaskLevel(task.data as LevelSeed, rules, own))
      return { world: worldOf(task, level), added: level.added }
    },
  } satisfies EnvironmentSetup

  function worldOf(task: Task, level: MadeLevel) {
    const label = labels?.get(task.id)
    const progressOf = label === undefined ? createMilestones : () => createLabelledProgress(label.subGoals)
    const game = createTextGame(level, rules, progressOf)
    const { level: number } = task.data as LevelSeed
    return {
      ...createWorld({ game, briefing: briefingOf(task.goal), solve: () => solveLevel(game.simulation, rules) }),
      otherExamples: () => otherExamples(number),
    }
  }
}
