import type { BriefingDefinition, TurnDefinition, WorldDefinition } from '../../define/world.js'
import type { ReadAction } from '../../core/environment.js'
import { readForm } from '../../core/form.js'
import type { Text } from '../../core/text.js'
import { quoteMentions } from '../quote-mentions.js'
import { beginScript, errorSentences } from './game.js'
import type { PlayableScript } from './read-playable.js'
import { checkActions } from './read-playable.js'

/** What the episodes of a script share. */
export interface ScriptParts {
  readonly script: PlayableScript
  readonly briefing: BriefingDefinition
}

/** The briefing of a script: its actions with their meanings, and its goal. */
export function createParts(script: PlayableScript): ScriptParts {
  const forms = [...script.forms, { template: checkActions, meaning: 'be told every action that is possible now' }]
  return { script, briefing: { goal: script.goal, forms, help: [checkActions] } }
}

const unknown: Text = [
  `${errorSentences.parameter_error} To be told every action that is possible now, say '`,
  { command: checkActions },
  "'.",
]

/** An episode of a script. */
export function createWorld({ script, briefing }: ScriptParts): WorldDefinition {
  const game = beginScript(script)
  const templates = [...script.forms.map(({ template }) => template), checkActions]
  const names = [...script.places, ...script.things]
  const words = [...script.words]
  const mentionable = [...names, ...words]
  const quote = (text: string): Text => quoteMentions(text, templates, mentionable)
  const admissible = (): readonly string[] => [...game.admissible(), checkActions]
  return {
    briefing,
    opening: quote(game.opening),
    names,
    admissible,
    understands: (action) => action === checkActions || game.check(action) === undefined,
    solve: () => game.solve(),
    refuse: (): TurnDefinition => ({ observation: unknown, progress: game.progress, understood: false }),
    step(action): TurnDefinition {
      if (action === checkActions) {
        const observation: Text = ['The actions possible now: ', { list: admissible() }]
        return { observation, progress: game.progress, understood: true }
      }
      const { observation, error, progress, won } = game.step(action)
      return {
        observation: error === 'parameter_error' ? unknown : quote(observation),
        progress,
        understood: error === undefined,
        ended: won && 'success',
      }
    },
    ...(words.length > 0 && { read: reader(words) }),
  }
}

/** Reads actions with words in their slots that are no names, so that a perturbation passes them on unchanged. */
function reader(words: readonly string[]): NonNullable<WorldDefinition['read']> {
  return (action, templates, names): ReadAction | undefined => {
    const known = new Set([...names, ...words])
    for (const template of templates) {
      const filling = readForm(template, action, (value) => known.has(value))
      if (filling !== undefined) return { template, filling }
    }
    return undefined
  }
}
