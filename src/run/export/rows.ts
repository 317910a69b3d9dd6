import { stringify } from 'yaml'
import { isValid } from '../../core/episode.js'
import type { EpisodeRow } from '../../results/episode-row.js'
import type { Plan } from '../plan.js'
import { markdownText } from '../../tables/markdown.js'

type Cell = string | number | boolean | null

/** The columns of a flat row, with what a data frame's user has to know of each. */
const columns: Readonly<Record<string, { readonly is: string; readonly of: (row: EpisodeRow, task: Task) => Cell }>> = {
  key: { is: 'hash of everything that decides the episode', of: ({ key }) => key },
  environment: { is: 'name of the environment', of: ({ environment }) => environment },
  task: { is: 'id of the task', of: ({ task }) => task },
  task_kind: { is: 'kind of the task', of: (_, { kind }) => kind ?? null },
  goal: { is: "the goal in the environment's wording", of: (_, { goal }) => goal ?? null },
  condition: { is: 'the perturbation with its options; `none`: the clean twin', of: ({ condition }) => condition },
  model: { is: 'name of the model', of: ({ model }) => model },
  agent: { is: 'strategy by which the model was asked', of: ({ agent }) => agent },
  temperature: { is: 'sampling temperature', of: ({ temperature }) => temperature },
  seed: { is: 'label of the repeat', of: ({ seed }) => seed },
  date: { is: 'day (UTC) on which it ended, of models behind servers', of: ({ date }) => date ?? null },
  outcome: { is: 'how it ended', of: ({ outcome }) => outcome },
  success: {
    is: 'null where an error ended it: neither success nor failure',
    of: ({ outcome }) => (isValid(outcome) ? outcome === 'success' : null),
  },
  progress: { is: '0 to 1, the largest that was reached', of: ({ progress }) => progress },
  steps: { is: 'actions taken', of: ({ measures }) => measures.steps },
  understood: {
    is: 'actions that the environment understood; grounding accuracy is understood / steps',
    of: ({ measures }) => measures.understood ?? null,
  },
  format_errors: { is: "replies not in the agent's layout", of: ({ measures }) => measures.formatErrors },
  repeats: { is: 'actions repeated right after a refusal', of: ({ measures }) => measures.repeats },
  memorised: {
    is: 'actions refused for their wording that the unperturbed environment would have understood',
    of: ({ measures }) => measures.memorised ?? null,
  },
  first_adapted_step: {
    is: 'first step with an understood action in the new wording',
    of: ({ measures }) => measures.adapted ?? null,
  },
  touched_steps: {
    is: 'steps in which the perturbation changed something',
    of: ({ measures }) => measures.touched ?? null,
  },
  calls: { is: 'replies of the model', of: ({ measures }) => measures.modelCalls },
  prompt_tokens: { is: 'tokens of all prompts', of: ({ measures }) => measures.promptTokens },
  completion_tokens: { is: 'tokens of all replies', of: ({ measures }) => measures.completionTokens },
  error: { is: 'what ended it, of errors', of: ({ error }) => error ?? null },
}

type Task = Partial<Pick<Plan['environments'][number]['tasks'][number], 'kind' | 'goal'>>

/** A function that makes a flat row of an episode, with the same keys for each, in the same order. */
export function createFlatRow(plan: Plan): (row: EpisodeRow) => Readonly<Record<string, Cell>> {
  const tasks = new Map(
    plan.environments.map(({ name, tasks }) => [name, new Map(tasks.map((task) => [task.id, task]))]),
  )
  return (row) => {
    const task = tasks.get(row.environment)?.get(row.task) ?? {}
    return Object.fromEntries(Object.entries(columns).map(([name, { of }]) => [name, of(row, task)]))
  }
}

/**
 * The README.md of a folder with flat rows, in the form of a dataset card of the Hugging Face Hub: what was played, and
 * what each column is.
 * @param file name of the file with the rows
 */
export function datasetCard(
  plan: Plan,
  name: string,
  { stored, planned }: { readonly stored: number; readonly planned: number },
  file: string,
): string {
  const front = {
    pretty_name: name,
    tags: ['agents', 'robustness', 'evaluation', 'shaketable'],
    configs: [{ config_name: 'episodes', data_files: file }],
  }
  const axes = {
    Environments: plan.environments.map(environmentInWords),
    Models: plan.models.map((model) => model.name),
    Agents: plan.agents.map((agent) => agent.name),
    Temperatures: plan.temperatures.map(String),
    Seeds: plan.seeds.map(String),
  }
  const conditions = plan.conditions.map(({ label, perturbations }) => {
    const what = perturbations.map(({ summary }) => summary).join('; then ')
    return [label, what === '' ? 'unperturbed' : what].map(markdownText)
  })
  return [
    `---\n${stringify(front)}---\n`,
    `# ${markdownText(name)}\n`,
    `One row for each of ${String(stored)} episodes (${String(planned)} planned), played by shaketable ${plan.version}. An episode under a`,
    'perturbation has the same task, model, agent, temperature and seed as its clean twin (`condition` is `none`): compare them in pairs.\n',
    ...Object.entries(axes).map(([axis, values]) => `- ${axis}: ${values.map(markdownText).join(', ')}`),
    `- At most ${String(plan.stepLimit)} steps and ${String(plan.maxTokens)} tokens a reply\n`,
    table(['condition', 'what it changes'], conditions),
    table(
      ['column', 'what it is'],
      Object.entries(columns).map(([column, { is }]) => [column, is]),
    ),
  ].join('\n')
}

function environmentInWords({ name, version, tasks, data }: Plan['environments'][number]): string {
  const from = data?.from === undefined ? (data?.kind ?? 'tasks') : `${data.kind} of ${data.from}`
  return `${name} ${version} (${String(tasks.length)} tasks, ${from}${data?.split === undefined ? '' : `, split ${data.split}`})`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return `${lines.join('\n')}\n`
}
