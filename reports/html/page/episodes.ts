import type { PackedIndex } from '../packed.js'

/** An episode of the list. A task's `goal` and `kind` are empty where the run does not know them. */
export interface Episode {
  /** Its place in the order of the page. */
  readonly place: number
  readonly key: string
  readonly environment: string
  readonly task: string
  readonly goal: string
  readonly kind: string
  readonly model: string
  readonly agent: string
  readonly column: string
  /** What the perturbations of its column do; empty for a clean episode. */
  readonly rule: string
  readonly temperature: number
  readonly seed: number
  readonly outcome: string
  /** Whether a success of the clean twin was lost, one was gained against it, or neither. */
  readonly change: '' | 'lost' | 'gained'
  readonly progress: number
  readonly steps: number
  /** Counts; undefined where the environment cannot determine them. */
  readonly understood: number | undefined
  readonly refused: number | undefined
  readonly memorised: number | undefined
  readonly formatErrors: number
  /** The same task, seed, temperature, model and agent, in each listed column. */
  readonly siblings: readonly Episode[]
  /** Absent for a clean episode, or if the twin is not listed. */
  readonly twin?: Episode | undefined
}

/** The episodes of a packed index, in order. */
export function openIndex(packed: PackedIndex): readonly Episode[] {
  const { at } = packed
  const groups = new Map<string, Episode[]>()
  return packed.keys.map((key, place) => {
    const identity = (['task', 'pair', 'temperature', 'seed'] as const).map((axis) => at[axis][place]!)
    const siblings = groups.get(identity.join()) ?? []
    groups.set(identity.join(), siblings)
    const outcome = packed.outcomes[place]!
    const steps = packed.steps[place]!
    const understood = packed.understood[place] ?? undefined
    const episode = {
      ...packed.tasks[at.task[place]!]!,
      ...packed.columns[at.column[place]!]!,
      ...packed.pairs[at.pair[place]!]!,
      ...{ place, key, outcome, steps, understood, siblings },
      temperature: packed.temperatures[at.temperature[place]!]!,
      seed: packed.seeds[at.seed[place]!]!,
      progress: packed.progress[place]!,
      refused: understood === undefined ? undefined : steps - understood,
      memorised: packed.memorised[place] ?? undefined,
      formatErrors: packed.formatErrors[place]!,
      get twin(): Episode | undefined {
        return at.column[place] === packed.clean
          ? undefined
          : siblings.find((one) => at.column[one.place] === packed.clean)
      },
      get change(): Episode['change'] {
        return changeBetween(this.twin?.outcome, outcome)
      },
    }
    siblings.push(episode)
    return episode
  })
}

function changeBetween(clean: string | undefined, perturbed: string): Episode['change'] {
  if (clean === undefined || clean.endsWith('-error') || perturbed.endsWith('-error')) return ''
  const [before, now] = [clean === 'success', perturbed === 'success']
  return before === now ? '' : before ? 'lost' : 'gained'
}
