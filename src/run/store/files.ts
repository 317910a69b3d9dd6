import { join } from 'node:path'

/** The files of a run folder. */
export interface RunFiles {
  readonly folder: string
  /** The plan and the experiment that it was made from. */
  readonly plan: string
  /** One small row an episode: the truth of what is done. */
  readonly outcomes: string
  /** One line an episode, for people. */
  readonly trajectories: string
  /** Messages of first prompts, each once. */
  readonly prompts: string
  /** How the replies of episodes were got: attempts, waits and times, which are not part of what an episode is. */
  readonly attempts: string
  /** Damaged lines of the three files above that were taken out of them, as they were. */
  readonly damaged: string
  /** What was learned of the servers of its models, where they were asked. */
  readonly servers: string
  /** Why the last session ended before everything was played, where it did. */
  readonly stopped: string
  readonly lock: string
  readonly report: string
}

/** Where a run folder keeps what. */
export function filesOf(folder: string): RunFiles {
  return {
    folder,
    plan: join(folder, 'plan.json'),
    outcomes: join(folder, 'outcomes.jsonl'),
    trajectories: join(folder, 'trajectories.jsonl'),
    prompts: join(folder, 'prompts.jsonl'),
    attempts: join(folder, 'attempts.jsonl'),
    damaged: join(folder, 'damaged.jsonl'),
    servers: join(folder, 'servers.json'),
    stopped: join(folder, 'stopped.json'),
    lock: join(folder, 'lock'),
    report: join(folder, 'report'),
  }
}
