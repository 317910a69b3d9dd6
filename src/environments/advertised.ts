import type { Environment, Task, World } from '../core/environment.js'
import { parseTemplate, printForm, readForm } from '../core/form.js'
import { createNameFinder } from '../core/names.js'
import type { Random } from '../core/random.js'

const wanderingSteps = 60

/**
 * A lint: the action forms that an environment's instruction advertises and that no admissible command was ever of, looked for along each
 * task's solution and on a walk that prefers what it has done least. What it returns is certain only of these tasks, so give it some of
 * every kind. Works on a perturbed environment too.
 */
export async function advertisedButRefused(
  environment: Environment,
  tasks: readonly Task[],
  random: Random,
): Promise<readonly string[]> {
  const advertised = new Set<string>()
  const met = new Set<string>()
  for (const task of tasks) {
    for (const walk of [followSolution, wander]) {
      const world = await environment.begin(task, random.fork(`begin ${task.id}`))
      const isName = createNameFinder(world.names).has
      for (const piece of world.briefing.instruction) {
        if (typeof piece !== 'string' && 'form' in piece) advertised.add(piece.form)
      }
      const notice = (): void => {
        const missing = [...advertised].filter((form) => !met.has(form))
        if (missing.length === 0) return
        const commands = world.admissible()
        for (const form of missing) {
          if (commands.some((command) => saidSo(form, command, world, isName))) met.add(form)
        }
      }
      notice()
      await walk(world, random.fork(`walk ${task.id}`), notice)
    }
  }
  return [...advertised].filter((form) => !met.has(form))
}

/** Whether a command is of a form, or is understood when it is said by the form. What stands behind a command, such as a full stop, does not count. */
function saidSo(form: string, command: string, world: World, isName: (text: string) => boolean): boolean {
  const body = command.replace(/[\s.]+$/, '')
  if (readForm(form, body, isName) !== undefined) return true
  const wanted = slotsOf(form)
  return world.briefing.forms.some(({ template }) => {
    if (template === form || slotsOf(template) !== wanted) return false
    const filling = readForm(template, body, isName)
    return filling !== undefined && world.understands(printForm(form, filling))
  })
}

function slotsOf(template: string): string {
  return [...parseTemplate(template).slots].sort().join(' ')
}

async function followSolution(world: World, _: Random, notice: () => void): Promise<void> {
  for (const command of world.solve?.() ?? []) {
    const { ended } = await world.step(command)
    notice()
    if (ended !== false) return
  }
}

async function wander(world: World, random: Random, notice: () => void): Promise<void> {
  const words = new Map<string, number>()
  const commands = new Map<string, number>()
  for (let step = 0; step < wanderingSteps; step++) {
    const choices = random.shuffle(world.admissible())
    const novelty = (command: string): number => 10 * count(words, firstWord(command)) + count(commands, command)
    const command = choices.reduce((best, one) => (novelty(one) < novelty(best) ? one : best), choices[0] ?? '')
    words.set(firstWord(command), count(words, firstWord(command)) + 1)
    commands.set(command, count(commands, command) + 1)
    const { ended } = await world.step(command)
    notice()
    if (ended !== false) return
  }
}

function count(times: ReadonlyMap<string, number>, key: string): number {
  return times.get(key) ?? 0
}

function firstWord(command: string): string {
  return command.slice(0, `${command} `.indexOf(' '))
}
