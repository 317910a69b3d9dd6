import * as z from 'zod'
import { packagedData, packagedPath } from '../../files/packaged.js'
import { readRegular } from '../../files/read-text.js'

/** A task of a story: what is to be done, from where, and how progress is measured. */
export interface StoryTask {
  readonly id: string
  readonly goal: string
  readonly difficulty?: 'easy' | 'hard' | undefined
  /** Inputs between the beginning of the story and that of the episode. */
  readonly start: readonly string[]
  /** The first observation, where it is not the story's own text. */
  readonly opening?: string
  /** Phrases of observations; the task is done when all were seen. */
  readonly subGoals: readonly string[]
  /** A solution. */
  readonly script?: readonly string[]
}

const task = z.strictObject({
  id: z.string(),
  goal: z.string(),
  difficulty: z.enum(['easy', 'hard']),
  start: z.array(z.string()),
  subGoals: z.array(z.string()),
  script: z.array(z.string()),
})
/** The name of a story file, the seed of its random numbers, and its release and serial number. */
const game = z.strictObject({ name: z.string(), seed: z.number().default(0), edition: z.string().optional() })

/** The tasks of the embedded story, those on Zork I to III, and AgentBoard's games. */
export const knownGames = packagedData(
  'src/environments/jericho/tasks.yaml',
  z.strictObject({
    heronLight: z.array(task),
    zork: z.array(game.extend({ tasks: z.array(task) })),
    agentBoard: z.array(game.extend({ start: z.array(z.string()).default([]) })),
  }),
)

/** The embedded story, `story/heron-light.z5`, compiled from the source beside it. */
export function readHeronLight(): Uint8Array {
  return readRegular(packagedPath('src/environments/jericho/story/heron-light.z5'))
}
