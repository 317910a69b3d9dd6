/** A task of a story: what is to be done, from where, and how progress is measured. */
export interface StoryTask {
  readonly id: string
  readonly goal: string
  readonly difficulty?: 'easy' | 'hard'
  /** Inputs between the beginning of the story and that of the episode. */
  readonly start: readonly string[]
  /** The first observation, where it is not the story's own text. */
  readonly opening?: string
  /** Phrases of observations; the task is done when all were seen. */
  readonly subGoals: readonly string[]
  /** A solution. */
  readonly script?: readonly string[]
}
