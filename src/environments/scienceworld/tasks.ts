/** A type of task: what decides it beside its variation. */
interface TaskType {
  readonly name: string
  /** The number of variations in engine 1.3.0. */
  readonly variations: number
  /** ETO's step limit; absent where ETO has no task of this type. */
  readonly limit?: number
  /** Regular expressions over observations, of this testbed: milestones on the way that every variation has. */
  readonly subGoals: readonly string[]
}

const at = (room: string): string => `You move to the ${room}\\.|is called the ${room}\\.`
const focus = 'You focus on the '
const measured = 'the thermometer measures a temperature of '
const heated = 'The (?:stove|oven|blast furnace|hot plate) is now activated\\.|The lighter is now activated\\.'
const taken = 'You move the .+ to the inventory\\.'
const boxed = 'You move the .+ to the (?:\\w+ )?box\\.'
const wired = 'is now connected to '
const timed = 'The stopwatch is now deactivated\\.'
const planted = 'You move the .+ to the (?:self watering )?flower pot'
const changed = [focus, measured, '^a substance called ']
const found = ['^You move to the ', focus, boxed]
const lifespan = [at('outside'), focus]
const melted = [at('kitchen'), taken, 'You focus on the thermometer\\.', measured, 'You focus on the \\w+ box\\.']
const powered = [at('workshop'), focus, wired]
const conducted = [at('workshop'), focus, wired, boxed]
const inclined = [
  at('workshop'),
  'You move the .*block to the inclined plane',
  timed,
  'You focus on the inclined plane',
]
const painted = ['You pour the contents of ', 'paint mix to produce ', focus]
const bred = [at('greenhouse'), planted, 'You focus on the \\w+ box\\.']

/** The 30 types of task; limits by ETO (Song et al. 2024), `eval_agent/data/sciworld/max_steps.json`. */
export const taskTypes: readonly TaskType[] = [
  { name: 'boil', variations: 30, limit: 100, subGoals: [...changed, heated] },
  { name: 'melt', variations: 30, limit: 80, subGoals: [...changed, heated] },
  { name: 'freeze', variations: 30, limit: 80, subGoals: changed },
  { name: 'change-the-state-of-matter-of', variations: 30, limit: 80, subGoals: changed },
  {
    name: 'use-thermometer',
    variations: 540,
    limit: 30,
    subGoals: [taken, 'You focus on the thermometer\\.', measured, boxed],
  },
  { name: 'measure-melting-point-known-substance', variations: 436, limit: 120, subGoals: melted },
  { name: 'measure-melting-point-unknown-substance', variations: 300, subGoals: melted },
  { name: 'power-component', variations: 20, limit: 20, subGoals: powered },
  { name: 'power-component-renewable-vs-nonrenewable-energy', variations: 20, limit: 30, subGoals: powered },
  { name: 'test-conductivity', variations: 900, limit: 30, subGoals: conducted },
  { name: 'test-conductivity-of-unknown-substances', variations: 600, limit: 30, subGoals: conducted },
  { name: 'find-living-thing', variations: 300, limit: 15, subGoals: found },
  { name: 'find-non-living-thing', variations: 300, limit: 15, subGoals: found },
  { name: 'find-plant', variations: 300, limit: 15, subGoals: found },
  { name: 'find-animal', variations: 300, limit: 15, subGoals: found },
  { name: 'grow-plant', variations: 126, limit: 30, subGoals: [at('greenhouse'), planted, focus] },
  { name: 'grow-fruit', variations: 126, limit: 60, subGoals: [at('greenhouse'), planted, focus] },
  { name: 'chemistry-mix', variations: 32, limit: 60, subGoals: ['The recipe reads:', ' mix to produce ', focus] },
  { name: 'chemistry-mix-paint-secondary-color', variations: 36, limit: 15, subGoals: painted },
  { name: 'chemistry-mix-paint-tertiary-color', variations: 36, limit: 30, subGoals: painted },
  { name: 'lifespan-longest-lived', variations: 125, limit: 10, subGoals: lifespan },
  { name: 'lifespan-shortest-lived', variations: 125, limit: 10, subGoals: lifespan },
  { name: 'lifespan-longest-lived-then-shortest-lived', variations: 125, limit: 12, subGoals: lifespan },
  { name: 'identify-life-stages-1', variations: 14, limit: 30, subGoals: lifespan },
  { name: 'identify-life-stages-2', variations: 10, limit: 30, subGoals: lifespan },
  { name: 'inclined-plane-determine-angle', variations: 168, subGoals: inclined },
  { name: 'inclined-plane-friction-named-surfaces', variations: 1386, subGoals: inclined },
  { name: 'inclined-plane-friction-unnamed-surfaces', variations: 162, subGoals: inclined },
  { name: 'mendelian-genetics-known-plant', variations: 120, subGoals: bred },
  { name: 'mendelian-genetics-unknown-plant', variations: 480, subGoals: bred },
]

/** A part of the variations of each type. */
export type Split = 'train' | 'dev' | 'test'

/**
 * The variations of a split, as the engine divides them: groups of a quarter each, rounded down; the first two train,
 * the third develops, the fourth and what is left test.
 */
export function variationsOf({ variations }: TaskType, split: Split): readonly number[] {
  const size = Math.floor(variations / 4)
  const [from, to] = { train: [0, 2 * size], dev: [2 * size, 3 * size], test: [3 * size, 5 * size] }[split] as [
    number,
    number,
  ]
  return Array.from({ length: Math.min(to, variations) - from }, (_, index) => from + index)
}

/** Whether a type needs electrical actions, which the simplification `noElectricalAction` would forbid. */
export function isElectrical(type: string): boolean {
  return type.includes('power-component') || type.includes('conductivity')
}

/** A variation of a type of task. */
export interface Variation {
  readonly type: string
  readonly variation: number
}

const perType = 3

/** Tasks of ours: three variations of each type, spread over the split; the first of every type, then the second, … */
export function chooseVariations(split: Split): readonly Variation[] {
  return Array.from({ length: perType }, (_, round) =>
    taskTypes.map((type) => {
      const variations = variationsOf(type, split)
      return { type: type.name, variation: variations[Math.floor((round * variations.length) / perType)]! }
    }),
  ).flat()
}
