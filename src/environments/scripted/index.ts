import { type EnvironmentSetup, type TaskDefinition, defineEnvironment } from '../../define/environment.js'
import type { BriefingDefinition, TurnDefinition, WorldDefinition } from '../../define/world.js'
import type { ReadAction, Task } from '../../core/environment.js'
import { hashOf } from '../../core/episode.js'
import { readForm } from '../../core/form.js'
import type { Text } from '../../core/text.js'
import { keepRecent } from '../keep-recent.js'
import { quoteMentions } from '../quote-mentions.js'
import { type NamedScript, type ScriptFiles, nameScript, ownScripts, readScriptFiles } from './files.js'
import { beginScript, errorSentences } from './game.js'
import { type PlayableScript, checkActions, readPlayable } from './read-playable.js'
import { solveScript } from './solve.js'

/** How many scripts are kept ready to be played. */
const maxReady = 64

/** Worlds that are written as data: AgentRefine's scripts, with what is needed to execute them. */
export const scripted = defineEnvironment({
  name: 'scripted',
  summary: 'scripts of worlds as AgentRefine synthesises them: places, things, and actions with conditions and effects',
  source: 'this testbed, after the scripts of AgentRefine (Fu et al. 2025)',
  version: '1',
  options: {
    scripts: {
      path: true,
      list: true,
      summary: 'files of scripts, or folders of them, separated by commas. Default: three scripts of our own',
    },
  },
  open({ scripts: paths }) {
    const files: ScriptFiles =
      paths === undefined
        ? { scripts: ownScripts().map((script) => nameScript(script, script.id)) }
        : readScriptFiles(paths)
    const { scripts, leftOut } = files
    const ready = keepRecent<PlayableScript>(maxReady)
    return {
      tasks: scripts.map(taskOf),
      measure: 'progress is the largest share of the completion conditions that held at one time, success all of them',
      settings: { scripts: paths === undefined ? 'own' : 'files' },
      data: { kind: paths === undefined ? 'generated' : 'files', ...(leftOut && { leftOut }) },
      notes: leftOut === undefined ? [] : [leftOut.text],
      diagnose: () => [describeSolutions(scripts)],
      begin: ({ hash, data }: Task) => createWorld(ready(hash, () => readPlayable((data as ScriptData).script))),
    } satisfies EnvironmentSetup
  },
})

/** What an episode needs. */
interface ScriptData {
  readonly script: PlayableScript['source']
}

const keys = ['Environment', 'Start', 'Goal', 'Completion Conditions', 'Available Actions'] as const

function taskOf({ id, source, goal }: NamedScript): TaskDefinition {
  const data: ScriptData = { script: Object.fromEntries(keys.map((key) => [key, source[key]])) }
  // The order of keys decides what is said first, so the hash is of the text.
  return { id, goal, hash: hashOf(JSON.stringify(data), 16), data }
}

/** Whether the scripts can be completed, in a sentence. */
function describeSolutions(scripts: readonly NamedScript[]): string {
  const counts = { solved: 0, unsolvable: 0, 'not-found': 0 }
  for (const { source } of scripts) counts[solveScript(readPlayable(source)).kind]++
  const { solved, unsolvable, 'not-found': open } = counts
  return `Of ${String(scripts.length)} scripts ${String(solved)} can be completed, ${String(unsolvable)} cannot, and for ${String(open)} it was not found out.`
}

const unknown: Text = [
  `${errorSentences.parameter_error} To be told every action that is possible now, say '`,
  { command: checkActions },
  "'.",
]

/** An episode of a script. */
function createWorld(script: PlayableScript): WorldDefinition {
  const game = beginScript(script)
  const forms = [...script.forms, { template: checkActions, meaning: 'be told every action that is possible now' }]
  const briefing: BriefingDefinition = { goal: script.goal, forms, help: [checkActions] }
  const templates = forms.map(({ template }) => template)
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
