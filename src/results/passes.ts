/**
 * How many temperatures, seeds and tasks an environment is played with; a slot is `(temperature · seeds + seed) · tasks
 * + task`.
 */
export interface Shape {
  readonly temperatures: number
  readonly seeds: number
  readonly tasks: number
}

/**
 * Which seeds are planned at which temperature, and which of them are copies: the same play again, as from a server at
 * temperature 0. A copy is not a second measurement: it counts once in means, deviations, pairs and tries. A pass is
 * `temperature · seeds + seed`.
 */
export interface Passes {
  readonly shape: Shape
  /** For each slot: 0 without a row, 1 where the episode broke, 2 where it is a measurement. */
  readonly state: Uint8Array
  /** For each pass 1 where the plan has it. */
  readonly planned: Uint8Array
  /**
   * For each pass the place of the first seed at this temperature whose episodes are all the same; its own where there
   * is none.
   */
  readonly sameAs: Uint32Array
}

/** What came of the episodes of one environment × model × agent × condition. Lists have one place for each slot. */
export interface Measurements extends Passes {
  readonly success: Uint8Array
  readonly progress: Float64Array
}

/**
 * Fills in {@link Passes.sameAs}: a pass is a copy of an earlier one at its temperature where every task that either
 * has measured was measured in both, with one fingerprint.
 */
export function findCopies({ shape, state, prints, sameAs }: Passes & { readonly prints: Uint32Array }): void {
  const { temperatures, seeds, tasks } = shape
  const isSame = (one: number, other: number): boolean => {
    let measured = 0
    for (let task = 0; task < tasks; task++) {
      const [first, second] = [one * tasks + task, other * tasks + task]
      if ((state[first] === 2) !== (state[second] === 2)) return false
      if (state[first] !== 2) continue
      if (prints[first] !== prints[second]) return false
      measured++
    }
    return measured > 0
  }
  for (let pass = 0; pass < temperatures * seeds; pass++) {
    const first = pass - (pass % seeds)
    for (let earlier = first; earlier < pass; earlier++) {
      if (sameAs[earlier] !== earlier - first || !isSame(earlier, pass)) continue
      sameAs[pass] = earlier - first
      break
    }
  }
}

/** Whether a pass is the same play as an earlier one. */
export function isCopy({ shape: { seeds }, sameAs }: Passes, pass: number): boolean {
  return sameAs[pass] !== pass % seeds
}

/** The measurements of some passes; the others are not planned. */
export function keepPasses(played: Measurements, isKept: (pass: number) => boolean): Measurements {
  const { tasks } = played.shape
  return {
    ...played,
    planned: played.planned.map((planned, pass) => (isKept(pass) ? planned : 0)),
    state: played.state.map((state, slot) => (isKept(Math.floor(slot / tasks)) ? state : 0)),
  }
}

/** The measurements without the copies among them. */
export function withoutCopies(played: Measurements): Measurements {
  return keepPasses(played, (pass) => !isCopy(played, pass))
}

/** Some temperatures, seeds and tasks of measurements, by their places; a seed at place -1 is not planned. */
export function takeParts(
  from: Measurements,
  { temperatures, seeds, tasks }: Readonly<Record<keyof Shape, readonly number[]>>,
): Measurements {
  const passes = temperatures.flatMap((place) => seeds.map((seed) => (seed < 0 ? -1 : place * from.shape.seeds + seed)))
  const slots = passes.flatMap((pass) => tasks.map((task) => (pass < 0 ? -1 : pass * from.shape.tasks + task)))
  const plays = passes.map((pass) => from.sameAs[pass])
  return {
    shape: { temperatures: temperatures.length, seeds: seeds.length, tasks: tasks.length },
    state: Uint8Array.from(slots, (slot) => from.state[slot] ?? 0),
    success: Uint8Array.from(slots, (slot) => from.success[slot] ?? 0),
    progress: Float64Array.from(slots, (slot) => from.progress[slot] ?? 0),
    planned: Uint8Array.from(passes, (pass) => from.planned[pass] ?? 0),
    sameAs: Uint32Array.from(plays, (play, at) => {
      const first = at - (at % seeds.length)
      return play === undefined ? at - first : plays.indexOf(play, first) - first
    }),
  }
}

/** The places of all temperatures, seeds and tasks; none without a shape. */
export function placesOf(shape?: Shape): Readonly<Record<keyof Shape, readonly number[]>> {
  const places = (length = 0): number[] => Array.from({ length }, (_, place) => place)
  return { temperatures: places(shape?.temperatures), seeds: places(shape?.seeds), tasks: places(shape?.tasks) }
}

/** The measurements of a task at a temperature, by its place; each play once. */
export function distinctScores(
  { shape, state, sameAs, ...scores }: Measurements,
  metric: 'success' | 'progress',
  task: number,
  temperature: number,
): number[] {
  const plays = new Map<number, number>()
  for (let pass = temperature * shape.seeds; pass < (temperature + 1) * shape.seeds; pass++) {
    const slot = pass * shape.tasks + task
    if (state[slot] === 2 && !plays.has(sameAs[pass]!)) plays.set(sameAs[pass]!, scores[metric][slot]!)
  }
  return [...plays.values()]
}

/** How many passes at a temperature, by its place, are planned and are not copies. */
export function countDistinct(passes: Passes, temperature: number): number {
  const { seeds } = passes.shape
  const isAt = (pass: number): boolean => Math.floor(pass / seeds) === temperature
  return passes.planned.filter((isPlanned, pass) => isPlanned === 1 && isAt(pass) && !isCopy(passes, pass)).length
}

/** How many passes a plan has at some temperatures, by their places, or at all. */
export function countPlanned({ shape, planned }: Passes, temperatures = placesOf(shape).temperatures): number {
  return planned.reduce(
    (sum, isPlanned, pass) => sum + (temperatures.includes(Math.floor(pass / shape.seeds)) ? isPlanned : 0),
    0,
  )
}
