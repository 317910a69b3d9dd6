import { perturbations } from '../perturbations/index.js'
import { parseColumn } from '../src/run/columns.js'
import type { Turn, World } from '../src/core/environment.js'
import type { PerturbedWorld } from '../src/core/perturb.js'
import { perturbWorld } from '../src/core/perturb.js'
import type { AppliedPerturbation } from '../src/core/perturbation.js'
import { definePerturbation } from '../src/core/perturbation.js'
import { createRandom } from '../src/core/random.js'
import { openEnvironment } from '../src/environments/index.js'
import { size } from './_size.js'

/**
 * Cost of a perturbation on household tasks, without the cost of the environment. Medians over many episodes, in
 * microseconds.
 */
export interface LensFigures {
  readonly column: string
  /** Number of names in the task that has the most. */
  readonly names: number
  /** Opening a lens for an episode, with its briefing and first observation. */
  readonly openUs: number
  /** Sending an action and receiving an observation of 300 characters, beyond the time of the environment. */
  readonly stepUs: number
}

/** A lens that does something in each hook that a turn calls. */
const everyTurn = definePerturbation({
  name: 'every-turn',
  summary: 'a sentence more, a shuffled list, and a fifth of the answers lost',
  source: 'for this benchmark',
  promise: 'harder',
  open: () => ({
    text: (pieces, { part }) => (part === 'observations' ? [...pieces, ' A clock ticks.'] : pieces),
    commands: (list, { random }) => random.shuffle(list),
    act: (_, { turn }) => (turn % 5 === 0 ? { fails: 'after', answer: 'Time-out.' } : undefined),
  }),
})

/**
 * Measures opening and stepping through each perturbation, through half of the fourth, and through all of the paper's
 * together.
 */
export async function lens(): Promise<readonly LensFigures[]> {
  const environment = await openEnvironment('household')
  const worlds: World[] = []
  for (const task of environment.tasks.slice(0, size(24, 1)))
    worlds.push(await environment.begin(task, createRandom(task.id)))
  const byName = (name: string): AppliedPerturbation => ({
    perturbation: perturbations.find((one) => one.name === name)!,
  })
  const columns: [string, readonly AppliedPerturbation[]][] = [
    ...perturbations
      .filter(({ environment: madeFor = 'household' }) => madeFor === 'household')
      .map(({ name }): [string, readonly AppliedPerturbation[]] => [name, parseColumn(name, perturbations).applied]),
    ['agentrefine-4:intensity=0.5', [{ ...byName('agentrefine-4'), intensity: 0.5 }]],
    ['view, commands and act', [{ perturbation: everyTurn }]],
    ['agentrefine-1+2+3+4', [1, 2, 3, 4].map((number) => byName(`agentrefine-${String(number)}`))],
  ]
  return columns.map(([column, applied]) => {
    measure(worlds, applied, size(20, 1))
    const figures = {
      column,
      names: Math.max(...worlds.map(({ names }) => names.length)),
      ...measure(worlds, applied, size(100, 1)),
    }
    console.log(
      `lens ${column}: open ${figures.openUs.toFixed(1)} µs, step ${figures.stepUs.toFixed(1)} µs (up to ${String(figures.names)} names)`,
    )
    return figures
  })
}

function measure(worlds: readonly World[], applied: readonly AppliedPerturbation[], rounds: number) {
  const [openMs, stepMs]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    for (const [index, world] of worlds.entries()) {
      const random = createRandom(`${String(round)} ${String(index)}`)
      const fixed = { ...world, step: answerWith(world) }
      let perturbed: World = fixed
      openMs.push(time(() => (perturbed = perturbWorld(fixed, applied, random))))

      const commands = (perturbed as PerturbedWorld).possible!() as readonly string[]
      const perturbedMs = time(() => commands.forEach((command) => void perturbed.step(command)))
      const bareMs = time(() => commands.forEach((command) => void fixed.step(command)))
      stepMs.push((perturbedMs - bareMs) / commands.length)
    }
  }
  return { openUs: median(openMs) * 1000, stepUs: median(stepMs) * 1000 }
}

function answerWith({ originalOpening }: World): (action: string) => Turn {
  const text = originalOpening.repeat(Math.ceil(300 / originalOpening.length)).slice(0, 300)
  return (command) => ({ observation: [text], original: text, command, understood: true, progress: 0, ended: false })
}

function time(work: () => unknown): number {
  const started = performance.now()
  work()
  return performance.now() - started
}

function median(numbers: number[]): number {
  return numbers.sort((a, b) => a - b)[numbers.length >> 1]!
}
