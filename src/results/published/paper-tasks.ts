import type { PlannedModel, PublishedProtocol } from '../../define.js'
import { defined } from '../lists.js'

/** One of the tasks on which AgentRefine (arXiv 2501.01702, table 6) compares models. */
interface PaperTask {
  /** Its name in published numbers. */
  readonly name: string
  /** Its games, levels or problems as AgentBoard's test files count them: its weight in the paper's scores. */
  readonly tasks: number
  /** Whether it enters the paper's held-out score, as all but alfworld do. */
  readonly heldOut: boolean
  /** The environments that it is here. */
  readonly environments: readonly string[]
  /** Environments that are a part of it each. */
  readonly parts: readonly string[]
  /** The split and generation of AgentBoard's tasks, as environments here call them. */
  readonly split?: string
  readonly generation?: string
  /** Name of AgentBoard's prompt file. */
  readonly prompt: string
}

/** The paper's tasks, and the environments that they are here. */
export const paperTasks: readonly PaperTask[] = [
  paperTask('alfworld', 134, 'alfworld_base.json', {
    ...{ heldOut: false, environments: ['household', 'alfworld'], split: 'valid-unseen', generation: 'old' },
  }),
  paperTask('babyai', 112, 'babyai_vanilla_prompt.json', { split: 'test' }),
  paperTask('scienceworld', 90, 'scienceworld_base.json', { split: 'test' }),
  paperTask('pddl', 60, 'pddl_vanilla_prompt.json', { parts: ['blockworld', 'gripper', 'barman', 'tyreworld'] }),
  paperTask('jericho', 20, 'jericho_vanilla_prompt.json'),
]

function paperTask(name: string, tasks: number, prompt: string, further: Partial<PaperTask> = {}): PaperTask {
  return { name, tasks, heldOut: true, environments: [name], parts: [], prompt, ...further }
}

/** The task of the paper that an environment is or is part of, if there is one. */
export function paperTaskOf(environment: string): PaperTask | undefined {
  return paperTasks.find(({ environments, parts }) => environments.includes(environment) || parts.includes(environment))
}

/**
 * Whether a model was trained on data of an environment, by its name here or in the paper; undefined where the
 * experiment does not declare it.
 */
export function isHeldIn({ heldIn }: PlannedModel, environment: string): boolean | undefined {
  return heldIn?.some((name) => name === environment || name === paperTaskOf(environment)?.name)
}

/**
 * What AgentRefine measured a task on: AgentBoard's tasks and prompt, 30 steps. The paper does not print its limit of
 * tokens a reply.
 */
export function protocolOfPaper(environment: string): PublishedProtocol | undefined {
  const task = paperTasks.find(({ name }) => name === environment)
  if (task === undefined) return undefined
  const { tasks, split, generation, prompt } = task
  return { data: 'benchmark', tasks, ...defined({ split, generation }), prompt, steps: 30 }
}
