import { packagedText } from '../files/packaged.js'

/** A file that `shaketable init` writes. */
interface StarterFile {
  readonly path: string
  readonly text: string
}

/** A starter of `shaketable init`: its files, and the commands to run next. */
interface Starter {
  /** The kind that it defines; absent for files that are not definitions. */
  readonly kind?: 'lens' | 'environment' | 'agent' | 'report'
  readonly name: string
  readonly files: (name: string) => readonly StarterFile[]
  readonly next: (name: string) => readonly string[]
}

const module =
  (text: (name: string) => string) =>
  (name: string): readonly StarterFile[] => [{ path: `${name}.ts`, text: text(name) }]

const perturbation = (name: string): string => `import { definePerturbation, rewordActions } from 'shaketable'

// Rewords actions of the environment; the old wording is then refused. Slots such as {recep} stay.
export default definePerturbation({
  name: '${name}',
  summary: 'go to {recep} → walk to {recep}',
  source: 'our own',
  // Checked by shaketable validate. invariant: success should not change; harder, easier: it may change that way.
  promise: 'invariant',
  // The environment whose actions these are; leave it out for a perturbation that fits any.
  environment: 'household',
  // Called once an episode. scene.names are the items; all randomness must come from scene.random.
  open: () => rewordActions({ 'go to {recep}': 'walk to {recep}' }),
})
`

const environment = (name: string): string => `import { defineEnvironment } from 'shaketable'

const rooms = ['hall', 'kitchen', 'study']

// Three rooms and a key. Required are tasks, and begin() with an opening and step(); the rest is optional.
export default defineEnvironment({
  name: '${name}',
  summary: 'Three rooms and a key: find it, and take it.',
  source: 'our own',
  // The answer to an action that is not understood; refused old wordings get it too.
  refusal: 'Nothing happens.',
  tasks: rooms.slice(1).map((room) => ({ id: \`key-in-\${room}\`, goal: 'Take the key.', data: room })),
  // Called once an episode. All randomness must come from its random, so that equal seeds give equal episodes.
  begin(task) {
    let here = 'hall'
    let taken = false
    const hasKey = (): boolean => here === task.data && !taken
    const look = (): string => \`You are in the \${here}.\${hasKey() ? ' There is a key.' : ''}\`
    const admissible = (): string[] => [
      ...rooms.filter((room) => room !== here).map((room) => \`go to \${room}\`),
      ...(hasKey() ? ['take key'] : []),
      'look',
    ]
    return {
      opening: \`\${look()} There are three rooms: \${rooms.join(', ')}.\`,
      // Wording of actions and names of items, for perturbations to change.
      briefing: { forms: { 'go to {room}': 'walk to a room', 'take {item}': 'pick it up', look: 'look around' } },
      names: [...rooms, 'key'],
      step(action) {
        if (!admissible().includes(action)) return { observation: 'Nothing happens.' }
        if (action === 'take key') taken = true
        else if (action.startsWith('go to ')) here = action.slice('go to '.length)
        return {
          observation: taken ? 'You have the key.' : look(),
          progress: taken ? 1 : 0,
          ended: taken && 'success',
        }
      },
      // Optional: the actions accepted now, and a solution from here, for control models.
      admissible,
      solve: () => (taken ? [] : [...(here === task.data ? [] : [\`go to \${String(task.data)}\`]), 'take key']),
    }
  },
})
`

const agent = (name: string): string => `import { defineAgent, layBriefing } from 'shaketable'

// The conversation with a model: everything in one message, and the reply is the action.
export default defineAgent({
  name: '${name}',
  summary: 'the whole history in one message',
  source: 'our own',
  // Part of every episode's key: change it when the prompt changes.
  settings: { layout: 1 },
  stop: ['\\n'],
  // Called once an episode. The briefing is data: instruction, action forms, examples, goal.
  begin(briefing, opening) {
    const { above, below } = layBriefing(briefing)
    const lines = [\`\${above}Observation: \${opening}\`]
    return {
      messages: () => [
        { role: 'system', content: briefing.system },
        { role: 'user', content: \`\${lines.join('\\n')}\${below}\\nAction: \` },
      ],
      read: (reply) => ({ action: reply.trim() }),
      observe(action, observation) {
        lines.push(\`Action: \${action}\`, \`Observation: \${observation}\`)
      },
    }
  },
  // A reply with only this action, for control models.
  phrase: (action) => action,
})
`

const report = (name: string): string => `import { defineReport, isValid } from 'shaketable'

// Files from the stored episodes of a run: equal episodes give equal bytes, and no model is called.
export default defineReport({
  name: '${name}',
  summary: 'the success rate of each condition',
  source: 'our own',
  *render(run) {
    const lines = ['| condition | episodes | success |', '| --- | --- | --- |']
    for (const { label } of run.plan.columns) {
      // An episode that ended in an error is played again and never counted as a failure.
      const rows = [...run.rows].filter((row) => row.column === label && isValid(row.outcome))
      const won = rows.filter((row) => row.outcome === 'success').length
      const percent = rows.length === 0 ? '–' : \`\${((100 * won) / rows.length).toFixed(1)} %\`
      lines.push(\`| \${label} | \${rows.length} | \${percent} |\`)
    }
    yield { file: '${name}.md', text: \`\${lines.join('\\n')}\\n\` }
  },
})
`

/** What an experiment plays: worlds, a model, and its server if it has one. */
export interface Choice {
  readonly environment: string
  readonly model: string
  readonly baseUrl?: string
}

/** An experiment of a first run: few tasks under every family of perturbations. */
export function experimentOf(name: string, { environment, model, baseUrl }: Choice): string {
  const served = baseUrl === undefined ? '' : `\n    baseUrl: ${JSON.stringify(baseUrl)}`
  return `# shaketable run ${name}.yaml plays it into runs/${name}; the same command continues a stopped run.
name: ${name}
environments: [${environment}]
# Number of tasks of each environment; leave it out for all.
tasks: 10
# Conditions: core has two draws of each family that keeps the task as it is. The clean one, none, is always added.
suite: core
models:
  - name: ${JSON.stringify(model)}${served}
temperatures: [0]
seeds: 1
`
}

/** A file that docs/ci.md shows with the name robustness. */
const ofPage = (path: string, name: string): StarterFile => {
  const page = packagedText('docs/ci.md')()
  const start = page.indexOf('\n', page.indexOf(` [${path}]\n`)) + 1
  const text = page.slice(start, page.indexOf('```', start))
  return { path: path.replace('robustness', name), text: text.replaceAll('robustness', name) }
}

/** All starters by the KIND argument of `shaketable init`. */
export const starters: Readonly<Record<string, Starter>> = {
  perturbation: {
    kind: 'lens',
    name: 'my-perturbation',
    files: module(perturbation),
    next: (name) => [
      `shaketable validate --plugin ./${name}.ts`,
      `shaketable run --env household --tasks 4 --plugin ./${name}.ts --perturb ${name}`,
    ],
  },
  environment: {
    kind: 'environment',
    name: 'my-rooms',
    files: module(environment),
    next: (name) => [
      `shaketable validate --plugin ./${name}.ts --perturb placebo`,
      `shaketable play ${name} --plugin ./${name}.ts`,
      `shaketable run --env ${name} --plugin ./${name}.ts --perturb placebo --model oracle,random`,
    ],
  },
  agent: {
    kind: 'agent',
    name: 'my-agent',
    files: module(agent),
    next: (name) => [
      `shaketable validate --plugin ./${name}.ts`,
      `shaketable run --env household --tasks 4 --plugin ./${name}.ts --agent ${name} --model reader,parrot`,
    ],
  },
  report: {
    kind: 'report',
    name: 'my-report',
    files: module(report),
    next: (name) => [
      `shaketable validate --plugin ./${name}.ts`,
      `shaketable run --env household --tasks 4 --model reader --plugin ./${name}.ts`,
    ],
  },
  experiment: {
    name: 'my-experiment',
    files: (name) => [
      { path: `${name}.yaml`, text: experimentOf(name, { environment: 'household', model: 'reader' }) },
    ],
    next: (name) => [`shaketable run ${name}.yaml`],
  },
  ci: {
    name: 'robustness',
    files: (name) => ['robustness.yaml', '.github/workflows/robustness.yml'].map((path) => ofPage(path, name)),
    next: (name) => [
      `shaketable run ${name}.yaml`,
      `shaketable power runs/${name} --margin 0.05`,
      `shaketable check runs/${name} --baseline ${name}-baseline.json --update-baseline --why 'the first baseline'`,
    ],
  },
}
