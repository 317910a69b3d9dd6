import { perturbations } from '../perturbations/index.js'
import type { Turn, World } from '../src/core/environment.js'
import type { PerturbedWorld } from '../src/core/perturb.js'
import { perturbWorld } from '../src/core/perturb.js'
import type { AppliedPerturbation } from '../src/core/perturbation.js'
import { definePerturbation } from '../src/core/perturbation.js'
import { createRandom } from '../src/core/random.js'
import { openEnvironment } from '../src/environments/index.js'
import { parseColumn } from '../src/run/columns.js'
import { median } from '../src/statistics/index.js'
import { size } from './_size.js'

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
 * Measures each perturbation on household tasks, half of the fourth, and all of the paper's together: opening a lens
 * with its briefing, and a step with an observation of 300 characters, both beyond the time of the environment.
 */
export async function lens(): Promise<void> {
  const environment = await openEnvironment('household')
  const worlds: World[] = []
  for (const task of environment.tasks.slice(0, size(24, 1)))
    worlds.push(await environment.begin(task, createRandom(task.id)))
  const names = perturbations
    .filter(({ environment: madeFor = 'household' }) => madeFor === 'household')
    .map(({ name }) => name)
  const paper = [1, 2, 3, 4].map((number) => `agentrefine-${String(number)}`).join('+')
  for (const label of [...names, 'agentrefine-4:intensity=0.5', paper])
    measure(label, worlds, parseColumn(label, perturbations).applied)
  measure('view, commands and act', worlds, [{ perturbation: everyTurn }])
}

function measure(label: string, worlds: readonly World[], applied: readonly AppliedPerturbation[]): void {
  const [openMs, stepMs]: [number[], number[]] = [[], []]
  const warm = size(20, 1)
  for (let round = -warm; round < size(100, 1); round++) {
    for (const [index, world] of worlds.entries()) {
      const random = createRandom(`${String(round)} ${String(index)}`)
      const fixed = { ...world, step: answerWith(world) }
      let perturbed: World = fixed
      const opening = time(() => (perturbed = perturbWorld(fixed, applied, random)))
      const commands = (perturbed as PerturbedWorld).possible!() as readonly string[]
      const perturbedMs = time(() => commands.forEach((command) => void perturbed.step(command)))
      const bareMs = time(() => commands.forEach((command) => void fixed.step(command)))
      if (round < 0) continue
      openMs.push(opening)
      stepMs.push((perturbedMs - bareMs) / commands.length)
    }
  }
  const [open, step] = [openMs, stepMs].map((taken) => (median(taken)! * 1000).toFixed(1))
  console.log(`lens ${label}: open ${open!} µs, step ${step!} µs`)
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
