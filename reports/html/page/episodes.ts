import type { PackedIndex, PackedRow } from '../packed.js'

/** An episode of the list. A task's `goal` and `kind` are empty where the run does not know them. */
export interface Episode extends PackedRow {
  /** Its place in the order of the page. */
  readonly place: number
  readonly goal: string
  readonly kind: string
  /** What the perturbations of its condition do; empty for a clean episode. */
  readonly rule: string
  /** Whether a success of the clean twin was lost, one was gained against it, or neither. */
  readonly change: '' | 'lost' | 'gained'
  /** Actions that were not understood; undefined where the environment cannot determine it. */
  readonly refused: number | undefined
  /** The same task, seed, temperature, model and agent, in each listed condition. */
  readonly siblings: readonly Episode[]
  /** Absent for a clean episode, or if the twin is not listed. */
  readonly twin?: Episode | undefined
}

/** The episodes of a packed index, in order. */
export function openIndex({ episodes, clean, tasks, conditions }: PackedIndex): Episode[] {
  const groups = new Map<string, Episode[]>()
  const taskOf = new Map(tasks.map((one) => [`${one.environment}\n${one.task}`, one]))
  const ruleOf = new Map(conditions.map(({ condition, rule }) => [condition, rule]))
  return episodes.map((row, place) => {
    const { environment, task, model, agent, condition, temperature, seed, steps, understood } = row
    const identity = [environment, task, model, agent, temperature, seed].join('\n')
    const siblings = groups.get(identity) ?? []
    groups.set(identity, siblings)
    const { goal, kind } = taskOf.get(`${environment}\n${task}`)!
    const episode = {
      ...{ ...row, place, goal, kind, rule: ruleOf.get(condition)!, siblings },
      refused: understood === undefined ? undefined : steps - understood,
      get twin(): Episode | undefined {
        return condition === clean ? undefined : siblings.find((one) => one.condition === clean)
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
