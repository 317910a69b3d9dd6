import { closeWorlds } from '../core/close-worlds.js'
import type { Environment, Task, World } from '../core/environment.js'
import { parseTemplate, printForm, readForm } from '../core/form.js'
import { createNameFinder } from '../core/names.js'
import type { Random } from '../core/random.js'

const wanderingSteps = 60

/**
 * A lint: the action forms that an environment's instruction advertises and that no admissible command was ever of,
 * looked for along each task's solution and on a walk that prefers what it has done least. An environment that cannot
 * tell its admissible actions is not looked at. What it returns is certain only of these tasks, so give it some of
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
      if (world.admissible === undefined) return []
      if (world.admissible === undefined) {
        await closeWorlds([world])
        continue
      }
      const isName = createNameFinder(world.names).has
      for (const piece of world.briefing.instruction) {
        if (typeof piece !== 'string' && 'form' in piece) advertised.add(piece.form)
      }
      const notice = async (): Promise<void> => {
        const missing = [...advertised].filter((form) => !met.has(form))
        if (missing.length === 0) return
        const commands = (await world.admissible?.()) ?? []
        for (const form of missing) {
          for (const command of commands) {
            if (!(await saidSo(form, command, world, isName))) continue
            met.add(form)
            break
          }
        }
      }
      await notice()
      await walk(world, random.fork(`walk ${task.id}`), notice)
      await closeWorlds([world])
    }
  }
  return [...advertised].filter((form) => !met.has(form))
}

/**
 * Whether a command is of a form, or is understood when it is said by the form. What stands behind a command, such as a
 * full stop, does not count.
 */
async function saidSo(
  form: string,
  command: string,
  world: World,
  isName: (text: string) => boolean,
): Promise<boolean> {
  const body = command.replace(/[\s.]+$/, '')
  if (readForm(form, body, isName) !== undefined) return true
  const wanted = slotsOf(form)
  for (const { template } of world.briefing.forms) {
    if (template === form || slotsOf(template) !== wanted) continue
    const filling = readForm(template, body, isName)
    if (filling !== undefined && (await world.understands?.(printForm(form, filling)))) return true
  }
  return false
}

function slotsOf(template: string): string {
  return [...parseTemplate(template).slots].sort().join(' ')
}

async function followSolution(world: World, _: Random, notice: () => Promise<void>): Promise<void> {
  for (const command of (await world.solve?.()) ?? []) {
    const { ended } = await world.step(command)
    await notice()
    if (ended !== false) return
  }
}

async function wander(world: World, random: Random, notice: () => Promise<void>): Promise<void> {
  const words = new Map<string, number>()
  const commands = new Map<string, number>()
  for (let step = 0; step < wanderingSteps; step++) {
    const choices = random.shuffle((await world.admissible?.()) ?? [])
    const novelty = (command: string): number => 10 * count(words, firstWord(command)) + count(commands, command)
    const command = choices.reduce((best, one) => (novelty(one) < novelty(best) ? one : best), choices[0] ?? '')
    words.set(firstWord(command), count(words, firstWord(command)) + 1)
    commands.set(command, count(commands, command) + 1)
    const { ended } = await world.step(command)
    await notice()
    if (ended !== false) return
  }
}

function count(times: ReadonlyMap<string, number>, key: string): number {
  return times.get(key) ?? 0
}

function firstWord(command: string): string {
  return command.slice(0, `${command} `.indexOf(' '))
}
