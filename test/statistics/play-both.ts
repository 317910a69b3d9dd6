/** Draws numbers in [0, 1). */
export type Draw = () => number

const [share, correlation] = [0.6, 0.45]

/** Draws a beta variable (Jöhnk 1964). */
export function beta(a: number, b: number, random: Draw): number {
  for (;;) {
    const [first, second] = [random() ** (1 / a), random() ** (1 / b)]
    if (first + second > 0 && first + second <= 1) return first / (first + second)
  }
}

/**
 * Plays both arms on tasks whose success probabilities vary (mean 0.6, intra-class correlation 0.45), the candidate's
 * lowered in proportion by `drop` on average, as in `gate_operating_characteristics_sim`: the differences by task.
 */
export function playBoth(tasks: number, seeds: number, drop: number, random: Draw): number[][] {
  const strength = 1 / correlation - 1
  return Array.from({ length: tasks }, () => {
    const chance = beta(share * strength, (1 - share) * strength, random)
    const kept = chance * (1 - drop / share)
    return Array.from({ length: seeds }, () => Number(random() < kept) - Number(random() < chance))
  })
}
