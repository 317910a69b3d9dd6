import type { TurnDefinition, WorldDefinition } from '../../define/world.js'
import type { Briefing } from '../../core/environment.js'
import type { Text } from '../../core/text.js'
import { checkAction, isCheck } from './forms.js'
import { StoryFault } from './machine/memory.js'
import type { Machine } from './machine/machine.js'
import { planByScript } from './oracle.js'
import { cleanText, createProgress, cutAction, hasEnded } from './agentboard-rules.js'
import type { StoryTask } from './tasks.js'
import type { Story } from './story.js'
import type { ActionFinder } from './valid-actions.js'

/** What an episode is played with. */
interface EpisodeOptions {
  readonly story: Story
  readonly findActions: ActionFinder
  readonly task: StoryTask
  readonly briefing: Omit<Briefing, 'goal'>
  readonly start: ReturnType<typeof beginStory>
  /**
   * Whether an action is understood if the story has its words, or as AgentBoard counts: if no answer of the
   * interpreter, which begins with `[!`, is in the observation.
   */
  readonly grounding: 'engine' | 'agentboard'
}

/**
 * Runs a story through the inputs that come before a task. Its episodes share the state after these, the text printed
 * last, and a planner.
 * @throws StoryFault
 */
export function beginStory(story: Story, { start, script }: StoryTask) {
  const machine = story.createMachine()
  let text = machine.start()
  for (const line of start) text = machine.step(line)
  const snapshot = machine.snapshot()
  return { snapshot, text, findPlan: script && planByScript(story, script, { snapshot }) }
}

/**
 * A story as AgentBoard plays it (its `jericho_env.py`). Text of several lines becomes one, and messages about the
 * score are removed. Any action with `check` and `action` in it is answered with the list of actions, and does not
 * reach the story. Progress is the share of sub-goals reached. An episode is won when all are, and lost when the story
 * ends before: when it stops, or prints a line such as `*** You have died ***`.
 */
export function createEpisode({ story, findActions, task, briefing, start, grounding }: EpisodeOptions) {
  const machine = story.createMachine()
  machine.restore(start.snapshot)
  const progress = createProgress(task.subGoals)
  const { findPlan } = start
  /** A plan that is followed stays a plan. */
  let plan: readonly string[] | undefined

  const knows = (action: string): boolean => isCheck(action) || machine.awaiting === 'key' || story.reader.knows(action)
  const answer = (observation: string | Text, understood: boolean, hasEnded = false): TurnDefinition => ({
    observation,
    understood,
    progress: progress.share,
    ended: progress.share === 1 ? 'success' : hasEnded && 'failure',
  })
  const admissible = (): readonly string[] => [...findActions(machine), checkAction]
  return {
    briefing,
    opening: task.opening ?? cleanText(start.text),
    names: story.names,
    admissible,
    understands: (action: string) => knows(cutAction(action, story.dictionary.isWord)),
    read: story.reader.read,
    knowsVerb: story.reader.knowsVerb,
    refuse(action: string) {
      const now = machine.snapshot()
      const text = play(machine, withUnknownVerb(story, action))
      machine.restore(now)
      const [verb = ''] = story.dictionary.split(action)
      return answer(cleanText(text.replaceAll(story.unknownWord, verb)), false)
    },
    step(line: string) {
      const action = cutAction(line, story.dictionary.isWord)
      if (isCheck(action)) return answer(['You can take the following actions: ', { list: admissible() }], true)
      const isKnown = knows(action)
      plan = plan?.[0] === action ? plan.slice(1) : undefined
      const text = play(machine, action)
      const observation = cleanText(text)
      progress.record(observation)
      const understood = grounding === 'agentboard' ? !observation.includes('[!') : isKnown
      return answer(observation, understood, hasEnded(machine, text))
    },
    ...(findPlan && {
      solve: () => (plan = plan !== undefined && plan.length > 0 ? plan : findPlan(machine, progress)),
    }),
  } satisfies WorldDefinition
}

/** Plays an action. A fault of the story ends it with what was printed, as in Frotz; only an endless one is thrown. */
function play(machine: Machine, action: string): string {
  try {
    return machine.step(action)
  } catch (thrown) {
    if (thrown instanceof StoryFault && !thrown.isEndless) return thrown.said
    throw thrown
  }
}

/** An action with another first word, which the story does not know. */
function withUnknownVerb({ dictionary, unknownWord }: Story, action: string): string {
  return [unknownWord, ...dictionary.split(action).slice(1)].join(' ')
}
