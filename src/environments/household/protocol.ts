import type { TurnDefinition, WorldDefinition } from '../../define/world.js'
import type { Briefing } from '../../core/environment.js'
import type { ActionForm } from '../../core/form.js'
import { type Text, textOf } from '../../core/text.js'
import { quoteForms, readFilledForm } from '../prompts.js'
import { pythonStrip } from '../python-strip.js'
import { trackSubGoals } from '../sub-goals.js'
import type { Engine } from './engine/engine.js'
import { checkActions } from './forms.js'

/** A live game with what the benchmark's rules need besides. */
interface ProtocolOptions {
  readonly engine: Engine
  readonly briefing: Briefing
  /** Every item of the game. */
  readonly names: readonly string[]
  /** See subGoals(). */
  readonly patterns: readonly RegExp[]
  solve(): readonly string[] | undefined
}

const rejected = 'Nothing happens.'

/**
 * ALFWorld as AgentBoard plays it (its `alfworld_env.py`): the first observation is only the room; a second full stop
 * is removed; `look` costs a step but returns the observation of the last `go to` or `open`, however stale; `check
 * valid actions` does not reach the engine; the prefix of an arrival at a numbered location is removed. Only the old
 * generation has `You arrive at loc 7. `; the new one's `You arrive at desk 1. ` stays, as in AgentBoard. Progress is
 * the share of sub-goals seen so far, of which the task itself is one. The world ends when the task is won;
 * AgentBoard's inner limit of 50 steps, which would count as a win, is left out.
 */
export function createProtocolWorld({ engine, briefing, names, patterns, solve }: ProtocolOptions) {
  // The opening text has the room in its second paragraph.
  const [opening = ''] = engine.opening.split('\n\n').slice(1).join('\n').split('\n')
  const reached = trackSubGoals(patterns, (pattern, observation) => pattern.test(observation))
  let remembered = opening
  let won = false

  const admissible = (): readonly string[] => {
    const commands = engine.admissible()
    return commands.includes('look') ? [...commands, checkActions] : [...commands, 'look', checkActions]
  }
  const understands = (action: string): boolean =>
    action === 'look' || action === checkActions || (isStripped(action) && engine.accepts(action))

  const progress = (observation: string): number => {
    reached.record(observation)
    return won ? 1 : reached.reached / (patterns.length + 1)
  }
  const answer = (text: Text, understood: boolean): TurnDefinition => ({
    observation: text,
    understood,
    progress: progress(textOf(text)),
    ended: won && 'success',
  })

  return {
    briefing,
    opening: [opening],
    names,
    admissible,
    understands,
    solve,
    refuse() {
      won = engine.won
      return answer([rejected], false)
    },
    step(action: string) {
      const command = action.endsWith('.') ? action.slice(0, -1) : action
      if (command === checkActions) {
        const lead = 'Choose an action from these valid actions: '
        return answer([lead, { list: admissible() }], action === command)
      }
      const wasUnderstood = command !== action && understands(action)
      const { observation: prose, accepted } = engine.step(command)
      won = engine.won
      const understood = command === action ? accepted && isStripped(action) : wasUnderstood
      if (command === 'look') return answer([remembered], action === command)
      const observation = withoutLocation(prose)
      if (accepted && pythonStrip(command) === 'help') {
        return answer(quoteHelp(observation, briefing.forms), understood)
      }
      if ((command.includes('go to') || command.includes('open')) && !prose.includes('Nothing happens')) {
        remembered = observation
      }
      return answer([observation], understood)
    },
  } satisfies WorldDefinition
}

function withoutLocation(observation: string): string {
  if (!observation.startsWith('You arrive at loc ')) return observation
  return observation.slice(observation.indexOf('. ') + 2)
}

function isStripped(action: string): boolean {
  return pythonStrip(action) === action
}

/**
 * The engine's answer to `help`, in which forms are pieces so that perturbations reach them. Its lines read
 * `  take (object) from (receptacle):  take an object from a receptacle`; text before a colon that is not a known form
 * stays prose.
 */
function quoteHelp(text: string, forms: readonly ActionForm[]): Text {
  return quoteForms(text, /^( *)([^ :\n][^:\n]*)(?=:)/gm, (form = '') => readFilledForm(form, forms, /^\([a-z ]+\)$/))
}
