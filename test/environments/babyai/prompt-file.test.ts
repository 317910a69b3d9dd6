import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { act } from '../../../src/agents/act.js'
import type { World } from '../../../src/core/environment.js'
import { createRandom } from '../../../src/core/random.js'
import { textOf } from '../../../src/core/text.js'
import { readPromptFile } from '../../../src/environments/babyai/prompt-file.js'
import { openEnvironment } from '../../../src/environments/index.js'

const instruction = `You walk about.

- turn left: to the left, in 2 beats
- go to <thing> <id>
- go through <gate> <id> : only where it is open
- hop <thing> <id>: not here
Off you go.`
const example = `Observation: There is a red ball 1 and a blue locked door 2.
Action: check available actions
Observation: You can take the following actions: turn left, go to red ball 1
Action: turn left
Observation: Nothing.\nMuch.
`
const file = { system_msg: 'Be good.', instruction, examples: [example] }

function write(text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'shaketable-')), 'prompt.json')
  writeFileSync(path, text)
  return path
}
const read = (changes: object = {}) => readPromptFile(write(JSON.stringify({ ...file, ...changes })))

describe('readPromptFile', () => {
  it('finds the advertised forms, with the file’s own slot names, and keeps the prose to the byte', () => {
    const prompt = read()
    expect(textOf(prompt.instruction)).toBe(instruction)
    expect(prompt.instruction.filter((piece) => typeof piece === 'object')).toEqual([
      { form: 'turn left', fill: {} },
      { form: 'go to {obj}', fill: { obj: '<thing> <id>' } },
      { form: 'go through {door}', fill: { door: '<gate> <id>' } },
    ])
    expect(prompt.notes).toEqual([
      "The instruction advertises 'hop <thing> <id>', which is no action of this environment; it is left as it stands.",
    ])
  })

  it('splits an example into its parts, with the actions that it lists', () => {
    const { opening, exchanges, names } = read().examples[0]!
    expect(opening).toEqual(['Observation: There is a red ball 1 and a blue locked door 2.'])
    expect(exchanges).toEqual([
      {
        action: 'check available actions',
        observation: ['You can take the following actions: ', { list: ['turn left', 'go to red ball 1'] }],
      },
      { action: 'turn left', observation: ['Nothing.\nMuch.'] },
    ])
    expect(names).toEqual(['red ball 1', 'blue locked door 2'])
  })

  it('quotes the commands in its prose, so that another wording reaches them', () => {
    const text = "Observation: Go to red ball 1.\nAction: move forward\nObservation: Well, you can't move forward.\n"
    const prompt = read({ instruction: 'You may toggle it.\n- toggle\n', examples: [text] })
    const { opening, exchanges } = prompt.examples[0]!
    expect(prompt.instruction).toEqual([
      'You may ',
      { command: 'toggle' },
      ' it.\n- ',
      { form: 'toggle', fill: {} },
      '\n',
    ])
    expect(opening).toEqual(['Observation: ', { command: 'Go to red ball 1' }, '.'])
    expect(exchanges[0]!.observation).toEqual(["Well, you can't ", { command: 'move forward' }, '.'])
  })

  it.each(['Just go.\n', 'Observation: x\nAction: y\n', 'Observation: x\nAction: y\nAction: z\nObservation: w\n'])(
    'keeps an example as prose if it is not a series of exchanges: %j',
    (text) => {
      expect(read({ examples: [text] }).examples).toEqual([{ opening: [text.slice(0, -1)], exchanges: [], names: [] }])
    },
  )

  it.each([
    ['{', 'it is not JSON'],
    ['[]', 'expected object'],
    [JSON.stringify({ ...file, system_msg: 3 }), "at 'system_msg'"],
    [JSON.stringify({ ...file, instruction: undefined }), "at 'instruction'"],
    [JSON.stringify({ ...file, examples: 'one' }), "at 'examples'"],
    [JSON.stringify({ ...file, examples: [example, 4] }), "at 'examples.1'"],
  ])('refuses %s', (text, reason) => {
    expect(() => readPromptFile(write(text))).toThrowError(
      expect.objectContaining({ code: 'bad-input', message: expect.stringContaining(reason) as string }) as Error,
    )
  })

  it('refuses a path without a file', async () => {
    await expect(openEnvironment('babyai', { prompt: '/nowhere/prompt.json' })).rejects.toMatchObject({
      code: 'bad-input',
      message: expect.stringContaining('/nowhere/prompt.json') as string,
    })
  })

  it('is laid out by the agent with the bytes of the file', async () => {
    const environment = await openEnvironment('babyai', { prompt: write(JSON.stringify(file)) })
    const task = environment.find('4')
    const world = (await environment.begin(task, createRandom('0'))) as World
    const conversation = act.begin(world.briefing, textOf(world.opening))
    conversation.observe('turn left', textOf((await world.step('turn left')).observation))
    const seen = (await world.step('turn right')).original
    conversation.observe('turn right', seen)
    const turned = conversation.messages()[1]!.content
    const head =
      `${instruction}\nHere are examples:\n${example}\nYou should perform actions to accomplish the goal: ${task.goal}\n` +
      'You should use the following commands for help when your action cannot be understood: check valid actions\n' +
      'You should use the following commands for help when your action cannot be understood: inventory\n' +
      `Observation: ${textOf(world.opening)}\nAction: turn left\nObservation: `
    expect(turned.slice(0, head.length)).toBe(head)
    expect(turned.endsWith(`\nAction: turn right\nObservation: ${seen}\nAction: `)).toBe(true)
    expect(conversation.messages()[0]).toEqual({ role: 'system', content: 'Be good.' })
  })
})
