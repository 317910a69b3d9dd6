import { closeWorlds } from '../core/close-worlds.js'
import type { Environment, Task, World } from '../core/environment.js'
import { parseTemplate, printForm, readForm } from '../core/form.js'
import { createNameFinder } from '../core/names.js'
import type { Random } from '../core/random.js'

const walkSteps = 60

/**
 * The action forms that an environment's instruction advertises but that no admissible command had, along each task's
 * solution and on a walk that prefers the actions it has taken least. Empty for an environment without a list of
 * admissible actions. The result holds only for these tasks, so pass some of every kind. The environment may be
 * perturbed.
 */
export async function advertisedButRefused(
  environment: Environment,
  tasks: readonly Task[],
  random: Random,
): Promise<readonly string[]> {
  const advertised = new Set<string>()
  const seen = new Set<string>()
  for (const task of tasks) {
    for (const walk of [followSolution, walkFreely]) {
      const world = await environment.begin(task, random.fork(`begin ${task.id}`))
      if (world.admissible === undefined) {
        await closeWorlds([world])
        return []
      }
      const isName = createNameFinder(world.names).has
      for (const piece of world.briefing.instruction) {
        if (typeof piece !== 'string' && 'form' in piece) advertised.add(piece.form)
      }
      const record = async (): Promise<void> => {
        const missing = [...advertised].filter((form) => !seen.has(form))
        if (missing.length === 0) return
        const commands = (await world.admissible?.()) ?? []
        for (const form of missing) {
          for (const command of commands) {
            if (!(await hasForm(form, command, world, isName))) continue
            seen.add(form)
            break
          }
        }
      }
      await record()
      await walk(world, random.fork(`walk ${task.id}`), record)
      await closeWorlds([world])
    }
  }
  return [...advertised].filter((form) => !seen.has(form))
}

/**
 * Whether a command has a form, or is understood when it is worded by the form. Punctuation after a command, such as a
 * full stop, does not count.
 */
async function hasForm(
  form: string,
  command: string,
  world: World,
  isName: (text: string) => boolean,
): Promise<boolean> {
  const body = command.replace(/(?<![\s.])[\s.]+$/, '')
  if (readForm(form, body, isName) !== undefined || world.read?.(body, [form], world.names) !== undefined) return true
  const slots = slotsOf(form)
  for (const { template } of world.briefing.forms) {
    if (template === form || slotsOf(template) !== slots) continue
    const filling = readForm(template, body, isName)
    if (filling !== undefined && (await world.understands?.(printForm(form, filling)))) return true
  }
  return false
}

function slotsOf(template: string): string {
  return [...parseTemplate(template).slots].sort().join(' ')
}

async function followSolution(world: World, _: Random, record: () => Promise<void>): Promise<void> {
  for (const command of (await world.solve?.()) ?? []) {
    const { ended } = await world.step(command)
    await record()
    if (ended !== false) return
  }
}

async function walkFreely(world: World, random: Random, record: () => Promise<void>): Promise<void> {
  const words = new Map<string, number>()
  const commands = new Map<string, number>()
  for (let step = 0; step < walkSteps; step++) {
    const choices = random.shuffle((await world.admissible?.()) ?? [])
    const novelty = (command: string): number => 10 * count(words, firstWord(command)) + count(commands, command)
    const command = choices.reduce((best, one) => (novelty(one) < novelty(best) ? one : best), choices[0] ?? '')
    words.set(firstWord(command), count(words, firstWord(command)) + 1)
    commands.set(command, count(commands, command) + 1)
    const { ended } = await world.step(command)
    await record()
    if (ended !== false) return
  }
}

function count(times: ReadonlyMap<string, number>, key: string): number {
  return times.get(key) ?? 0
}

function firstWord(command: string): string {
  return command.slice(0, `${command} `.indexOf(' '))
}
