import { stringify } from 'yaml'
import { isValid } from '../../core/episode.js'
import type { EpisodeRow, Measures } from '../../results/episode-row.js'
import type { Plan } from '../plan.js'
import { markdownText } from '../../tables/markdown.js'

type Cell = string | number | boolean | null

interface Column {
  /** What a data frame's user has to know of it. */
  readonly is: string
  readonly of: (row: EpisodeRow, task: Task) => Cell
}

/** A column with a number of the measures, null where it is absent. */
const measured = (name: keyof Measures, is: string): Column => ({
  is,
  of: ({ measures: { [name]: value } }) => (typeof value === 'number' ? value : null),
})

/** The columns of a flat row. */
const columns: Readonly<Record<string, Column>> = {
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
  steps: measured('steps', 'actions taken'),
  understood: measured('understood', 'actions that the environment understood; grounding accuracy: understood / steps'),
  format_errors: measured('formatErrors', "replies not in the agent's layout"),
  repeats: measured('repeats', 'actions repeated right after a refusal'),
  memorised: measured('memorised', 'actions refused for their wording that the unperturbed environment understands'),
  first_adapted_step: measured('adapted', 'first step with an understood action in the new wording'),
  touched_steps: measured('touched', 'steps in which the perturbation changed something'),
  calls: measured('modelCalls', 'replies of the model'),
  prompt_tokens: measured('promptTokens', 'tokens of all prompts'),
  completion_tokens: measured('completionTokens', 'tokens of all replies'),
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
