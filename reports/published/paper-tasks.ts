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
}

/** The paper's tasks, and the environments that they are here. */
export const paperTasks: readonly PaperTask[] = [
  { name: 'alfworld', tasks: 134, heldOut: false, environments: ['household', 'alfworld'], parts: [] },
  { name: 'babyai', tasks: 112, heldOut: true, environments: ['babyai'], parts: [] },
  { name: 'scienceworld', tasks: 90, heldOut: true, environments: ['scienceworld'], parts: [] },
  {
    name: 'pddl',
    tasks: 60,
    heldOut: true,
    environments: ['pddl'],
    parts: ['blockworld', 'gripper', 'barman', 'tyreworld'],
  },
  { name: 'jericho', tasks: 20, heldOut: true, environments: ['jericho'], parts: [] },
]

/** The task of the paper that an environment is or is part of, if there is one. */
export function paperTaskOf(environment: string): PaperTask | undefined {
  return paperTasks.find(({ environments, parts }) => environments.includes(environment) || parts.includes(environment))
}
