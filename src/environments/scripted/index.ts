import type { EnvironmentSetup, TaskDefinition } from '../../define/environment.js'
import { defineEnvironment } from '../../define/environment.js'
import type { Task } from '../../core/environment.js'
import { hashOf } from '../../core/episode.js'
import { keepRecent } from '../keep-recent.js'
import type { NamedScript, ScriptFiles } from './files.js'
import { nameScript, ownScripts, readScriptFiles } from './files.js'
import type { PlayableScript } from './read-playable.js'
import { readPlayable } from './read-playable.js'
import { solveScript } from './solve.js'
import type { ScriptParts } from './world.js'
import { createParts, createWorld } from './world.js'

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
    const found: ScriptFiles =
      paths === undefined ? { scripts: ownScripts().map((one) => nameScript(one, one.id)) } : readScriptFiles(paths)
    const { scripts, leftOut } = found
    const ready = keepRecent<ScriptParts>(maxReady)
    return {
      tasks: scripts.map(taskOf),
      measure: 'progress is the largest share of the completion conditions that held at one time, success all of them',
      settings: { scripts: paths === undefined ? 'own' : 'files' },
      data: { kind: paths === undefined ? 'generated' : 'files', ...(leftOut && { leftOut }) },
      notes: leftOut === undefined ? [] : [leftOut.text],
      diagnose: () => [describeSolutions(scripts)],
      begin: ({ hash, data }: Task) =>
        createWorld(ready(hash, () => createParts(readPlayable((data as ScriptData).script)))),
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
