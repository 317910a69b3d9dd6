import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { validateCommand } from '../../src/cli/validate.js'
import { scratchFolder } from '../scratch.js'

const plugin = (name: string): string => fileURLToPath(new URL(`../fixtures/plugins/${name}`, import.meta.url))
const folder = scratchFolder()

afterEach(() => vi.restoreAllMocks())

async function validate(...args: string[]): Promise<{ readonly out: string; readonly exitCode: number }> {
  let out = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk, ...rest: unknown[]) => {
    out += String(chunk)
    for (const one of rest) if (typeof one === 'function') (one as () => void)()
    return true
  })
  const before = process.exitCode
  process.exitCode = undefined
  await validateCommand().exitOverride().parseAsync(args, { from: 'user' })
  const exitCode = Number(process.exitCode ?? 0)
  process.exitCode = before
  return { out: out.replaceAll(folder, 'FOLDER'), exitCode }
}

describe('shaketable validate', () => {
  it('prints a table of laws for everything in the package, and for every pair', async () => {
    const { out, exitCode } = await validate('--tasks', '1')
    expect(exitCode).toBe(0)
    expect(out).toMatchInlineSnapshot(`
      "household: 1 of 134 tasks, seed 0

                         opens         round trip    solution      old wording   untouched     same seed     commutes      identity      listed        schedule
      placebo            yes           unchanged 1   unchanged 1   unchanged 1   unchanged 1   unchanged 1                 holds 1
      agentrefine-1      yes           holds 1       holds 1       holds 1       holds 1       holds 1
      agentrefine-2      yes           holds 1       holds 1       holds 1       holds 1       holds 1
      agentrefine-3      yes           holds 1       holds 1       holds 1       holds 1       holds 1
      agentrefine-4      yes           holds 1       holds 1       holds 1       holds 1       holds 1
      alfworld-2024      yes           holds 1       holds 1       holds 1       holds 1       holds 1
      every two of them                                                                                      holds 15
      babyai: 1 of 112 tasks, seed 0

                         opens         round trip    solution      old wording   untouched     same seed     commutes      identity      listed        schedule
      placebo            yes           unchanged 1   unchanged 1   unchanged 1   unchanged 1   unchanged 1                 holds 1
      babyai-1           yes           holds 1       holds 1       holds 1       holds 1       holds 1
      babyai-2           yes           holds 1       holds 1       holds 1       holds 1       holds 1
      babyai-3           yes           holds 1       holds 1       holds 1       holds 1       holds 1
      babyai-4           yes           holds 1       holds 1       holds 1       holds 1       holds 1
      babyai-5           yes           holds 1       holds 1       holds 1       holds 1       holds 1
      every two of them                                                                                      holds 15
      pddl: 1 of 60 tasks, seed 0

                         opens         round trip    solution      old wording   untouched     same seed     commutes      identity      listed        schedule
      placebo            yes           unchanged 1   unchanged 1   unchanged 1   unchanged 1   unchanged 1                 holds 1
      pddl-1             yes           holds 1       holds 1       holds 1       holds 1       holds 1
      pddl-2             yes           holds 1       holds 1       holds 1       holds 1       holds 1
      pddl-3             yes           holds 1       holds 1       holds 1       holds 1       holds 1
      pddl-4             yes           holds 1       holds 1       holds 1       holds 1       holds 1
      pddl-5             yes           holds 1       holds 1       holds 1       holds 1       holds 1
      every two of them                                                                                      holds 12

      every two of them, commutes: not checked. pddl-1 and pddl-3 both touch Pick up {ball} at {room} with arm {gripper}.
      every two of them, commutes: not checked. pddl-2 and pddl-3 both touch Move from {from} to {to}.
      every two of them, commutes: not checked. pddl-3 and pddl-5 both touch drop {ball} {room} {gripper}.

      warning: the instruction advertises 'use hand {hand} and hand {other} to clean-shaker {shaker}', but no possible action in 18 tasks has this form.
      "
    `)
  })

  it('validates only the perturbations of a plug-in by default', async () => {
    const { out, exitCode } = await validate('--plugin', plugin('pull-open.ts'), '--tasks', '2')
    expect(exitCode).toBe(0)
    expect(out).toContain('household: 2 of 134 tasks, seed 0')
    expect(out).toMatch(/^pull-open +yes +holds 2/m)
    expect(out).not.toContain('placebo')
  })

  it('shows a law that fails with a line that replays it, and exits with 1', async () => {
    const { out, exitCode } = await validate(
      '--plugin',
      plugin('put-mangled.ts'),
      '--tasks',
      '3',
      '--generation',
      'new',
      '--seed',
      "it's 1",
    )
    expect(exitCode).toBe(1)
    expect(out).toMatch(/^put-mangled +yes +FAILS 3\/3 +FAILS 3\/3/m)
    expect(out).toMatch(/said: put yourself on (\w+ \d+)\n +expected: go to \1\n +got: put yourself in\/on \1\n/)
    expect(out).toMatch(
      /replay: echo '\{"id":1,"task":"[^']+","actions":\["put yourself on \w+ \d+"\]\}' \| shaketable play household --batch --perturb put-mangled --seed 'it'\\''s 1' --generation new --plugin \S+put-mangled.ts\n/,
    )
  })

  it('shows a perturbation that cannot be opened', async () => {
    const { out, exitCode } = await validate(
      '--plugin',
      plugin('one-name-for-two.ts'),
      '--perturb',
      'one-name-for-two,placebo',
      '--tasks',
      '1',
    )
    expect(exitCode).toBe(1)
    expect(out).toMatch(/^one-name-for-two +FAILS 1\/1$/m)
    expect(out).toMatch(/one-name-for-two, opens, in \S+:\n {2}The items '.+' and '.+' would both be called/)
    expect(out).toMatch(/^placebo +yes +unchanged 1/m)
  })

  it('accepts columns with options, reports what it does not check, and plays the given task', async () => {
    const { out: listed } = await validate(
      '--tasks',
      '1',
      '--perturb',
      'agentrefine-2:refuse=false+agentrefine-4:intensity=0.5',
    )
    expect(listed).toMatch(
      /^agentrefine-2:refuse=false\+agentrefine-4:intensity=0.5 +yes +holds 1 +holds 1 +not checked +holds 1 +holds 1 +holds 1$/m,
    )
    expect(listed).toContain('old wording: not checked. It was asked to accept the old wording.')
    const failing = await validate('--plugin', plugin('only-prose.ts'), '--tasks', '4')
    const task = /untouched, in (\S+):/.exec(failing.out)![1]!
    const { out } = await validate('--plugin', plugin('only-prose.ts'), '--tasks', task)
    expect(out).toMatch(/^only-prose +yes +holds 1 +holds 1 +holds 1 +FAILS 1\/1/m)
  })

  it('shows before and after where no law can decide whether the meaning is the same', async () => {
    const { out, exitCode } = await validate('--plugin', plugin('closed-is-open.ts'), '--tasks', '6')
    expect(exitCode).toBe(0)
    expect(out).toMatch(/^closed-is-open +yes +holds \d +holds \d +holds \d +not checked +holds \d/m)
    expect(out).toContain('untouched: not checked. No law can tell whether text that prose changed keeps its meaning.')
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(/ before: .* is closed\b.* after the change: .* is open\b/)
  })

  it('warns about advertised forms that are never accepted', async () => {
    const prompt = join(folder, 'prompt.json')
    const instruction = "You can:\n- 'take {obj} from {recep}'\n- 'go to {recep}'\n- 'clean {obj} using {recep}'\n"
    const example = [
      'Your task is to: x.\nYou see a desk 1.\nAction: go to desk 1\nObservation: On the desk 1, you see nothing.\n',
    ]
    const examples = Object.fromEntries(
      ['put', 'clean', 'heat', 'cool', 'puttwo', 'examine'].map((kind) => [kind, example]),
    )
    writeFileSync(prompt, JSON.stringify({ instruction, system_msg: 'You are a helpful assistant.', examples }))
    const { out, exitCode } = await validate('--prompt', prompt, '--perturb', 'agentrefine-2', '--tasks', '6')
    expect(exitCode).toBe(0)
    expect(out).toContain(
      "warning: the instruction advertises 'clean {obj} using {recep}', but no possible action in 18 tasks has this form.",
    )
  })

  it.each([
    [['--perturb', 'none'], "Expected a perturbation to validate, got 'none'"],
    [['--perturb', 'agentrefine-9'], "Unknown perturbation 'agentrefine-9'. Did you mean 'agentrefine-1'?"],
    [['--tasks', '0'], '--tasks: expected a number of tasks from 1'],
    [['--env', 'kitchen'], "Unknown environment 'kitchen'"],
    [['--plugin', 'nowhere.ts'], 'There is no plug-in file at nowhere.ts'],
    [['--generation', 'newer'], "The option 'generation' of the environment 'household' cannot be used"],
  ])('explains in one sentence what it cannot use: %j', async (args, message) => {
    await expect(validate(...args)).rejects.toThrow(message)
  })
})
