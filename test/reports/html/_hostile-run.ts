import type { Trajectory } from '../../../src/core/episode.js'
import type { Plan, StoredRun } from '../../../src/core/report.js'
import { makePlan, makeRow, makeRun } from '../fixture.js'
import { makeStep } from './_spoken-run.js'

/** What runs, draws or hides where a page lets it. Each would set `hacked`. */
export const hostile = {
  script: '<script>window.hacked = 1</script>',
  close: '</script><script>window.hacked = 2</script>',
  image: '<img src=x onerror="window.hacked = 3">',
  attribute: '" onmouseover="window.hacked = 4" x="',
  entity: '&lt;script&gt;&#x3C;img src=x&#x3E;',
  comment: '<!--<script>',
  style: '</style><style>body { display: none }</style>',
  title: '</title></textarea></noscript><svg onload="window.hacked = 5">',
  direction: 'abc\u202edcba\u2066x\u2069',
  control: 'a\u0000b\u001b[2Jc\u200bd\u2028e',
  half: 'x\ud800y',
} as const

const all = Object.values(hostile).join(' ')

/** A megabyte of text that ends with something hostile. */
export const megabyte = `${'The quick brown fox. '.repeat(50_000).slice(0, 1_048_576 - 46)}${hostile.close}`.padEnd(
  1_048_576,
  '.',
)

/** A run in which every name, id, error and text is hostile. */
export function hostileRun(): StoredRun {
  const named = makePlan({
    environments: [{ name: `house ${all}`, tasks: 3 }],
    columns: ['none', `agentrefine-1 ${all}`],
    models: [`model ${all}`, `other ${hostile.attribute}`],
    agents: [`agent ${hostile.image}`],
    temperatures: [0],
    seeds: [1, 2],
  })
  const plan: Plan = {
    ...named,
    version: hostile.script,
    environments: named.environments.map((environment) => ({
      ...environment,
      version: hostile.image,
      tasks: environment.tasks.map((task, index) => ({
        ...task,
        id: `${Object.values(hostile)[index]!} ${task.id} ${all}`,
      })),
    })),
  }
  const run = makeRun(plan, (at) => {
    const lost = at.column !== 'none' && at.model.startsWith('model')
    const row = lost ? makeRow(at, 'step-limit', 0.5) : makeRow(at, 'success', 1)
    return at.seed === 2 && lost ? { ...row, outcome: 'model-error', error: `The server said ${all}` } : row
  })
  const trajectory: Trajectory = {
    prompt: [{ role: 'system', content: all }],
    opening: { observation: all, original: `${all} underneath` },
    steps: [
      makeStep(all, {
        command: `${all} heard`,
        reply: all,
        thoughts: [all],
        reasoning: [all],
        toolCalls: [{ name: all, arguments: all }],
      }),
      makeStep('look', { observation: megabyte, original: hostile.script, formatError: all, fault: 'length' }),
    ],
    failedCall: [{ outcome: 'timeout', waitMs: 0, milliseconds: 10 }],
  }
  return {
    ...run,
    notes: [`outcomes.jsonl: ${all}`],
    stopped: all,
    trajectories: (keys) => new Map(keys.map((key) => [key, trajectory])),
  }
}
