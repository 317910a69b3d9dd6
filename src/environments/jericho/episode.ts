import type { TurnDefinition, WorldDefinition } from '../../define/world.js'
import type { Briefing } from '../../core/environment.js'
import type { Text } from '../../core/text.js'
import { checkAction, isCheck } from './forms.js'
import { StoryFault } from './machine/memory.js'
import type { Machine, Snapshot } from './machine/machine.js'
import { solveByScript } from './oracle.js'
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
  /** The state after the inputs that come before the episode, and the text that was printed last. */
  readonly start: { readonly snapshot: Snapshot; readonly text: string }
  /**
   * Whether an action is understood if the story has its words, or as AgentBoard counts: if no answer of the
   * interpreter, which begins with `[!`, is in the observation.
   */
  readonly grounding: 'engine' | 'agentboard'
}

/** Runs a story through the inputs that come before a task. @throws StoryFault */
export function beginStory(story: Story, { start }: StoryTask): EpisodeOptions['start'] {
  const machine = story.createMachine()
  let text = machine.start()
  for (const line of start) text = machine.step(line)
  return { snapshot: machine.snapshot(), text }
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
  const solve = task.script && solveByScript(story, task, start)

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
      const said = play(machine, withUnknownVerb(story, action))
      machine.restore(now)
      const [verb = ''] = story.dictionary.split(action)
      return answer(cleanText(said.replaceAll(story.unknownWord, verb)), false)
    },
    step(given: string) {
      const action = cutAction(given, story.dictionary.isWord)
      if (isCheck(action)) return answer(['You can take the following actions: ', { list: admissible() }], true)
      const isKnown = knows(action)
      solve?.follow(action)
      const said = play(machine, action)
      const observation = cleanText(said)
      progress.record(observation)
      const understood = grounding === 'agentboard' ? !observation.includes('[!') : isKnown
      return answer(observation, understood, hasEnded(machine, said))
    },
    ...(solve && { solve: () => solve.find(machine, progress) }),
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
