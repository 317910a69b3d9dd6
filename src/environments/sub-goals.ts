/** The sub-goals of an episode; what is reached stays reached. */
export interface SubGoals {
  /** How many are reached. */
  readonly reached: number
  /** The share that is reached, 0 to 1. */
  readonly share: number
  /** Adds an observation. @returns the share that is then reached */
  record(observation: string): number
  /** A copy that goes on by itself. */
  fork(): SubGoals
}

/**
 * Measures progress as AgentBoard does, by what is seen in observations.
 * @param most how many of the sub-goals one observation reaches, the first that are left
 */
export function trackSubGoals<Goal>(
  goals: readonly Goal[],
  isSeen: (goal: Goal, observation: string) => boolean,
  most = Infinity,
  whole = goals.length,
): SubGoals {
  let left = goals
  return {
    get reached() {
      return whole - left.length
    },
    get share() {
      return whole === 0 ? 0 : this.reached / whole
    },
    record(observation) {
      let count = 0
      left = left.filter((goal) => {
        const isHit = count < most && isSeen(goal, observation)
        if (isHit) count++
        return !isHit
      })
      return this.share
    },
    fork: () => trackSubGoals(left, isSeen, most, whole),
  }
}
