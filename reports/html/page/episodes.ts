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
export function openIndex({ episodes, clean, tasks, columns, pairs, temperatures, seeds }: PackedIndex): Episode[] {
  const groups = new Map<string, Episode[]>()
  return episodes.map(({ at, ...row }, place) => {
    const identity = [at.task, at.pair, at.temperature, at.seed].join()
    const siblings = groups.get(identity) ?? []
    groups.set(identity, siblings)
    const { understood, memorised } = row
    const episode = {
      ...row,
      ...tasks[at.task]!,
      ...columns[at.column]!,
      ...pairs[at.pair]!,
      ...{ place, siblings, understood, memorised },
      temperature: temperatures[at.temperature]!,
      seed: seeds[at.seed]!,
      refused: understood === undefined ? undefined : row.steps - understood,
      get twin(): Episode | undefined {
        return at.column === clean ? undefined : siblings.find((one) => one.column === columns[clean]?.column)
      },
      get change(): Episode['change'] {
        return changeBetween(this.twin?.outcome, row.outcome)
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
