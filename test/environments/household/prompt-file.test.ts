import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { act } from '../../../src/agents/act.js'
import type { Turn, World } from '../../../src/core/environment.js'
import { createNameFinder } from '../../../src/core/names.js'
import { createRandom } from '../../../src/core/random.js'
import { textOf } from '../../../src/core/text.js'
import { advertisedButRefused } from '../../../src/environments/advertised.js'
import { allForms } from '../../../src/environments/household/forms.js'
import { readPromptFile } from '../../../src/environments/household/prompt-file.js'
import { taskKinds } from '../../../src/environments/household/scenes/goal.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { sharedData } from '../../shared-data.js'

const example = [
  'Your task is to: put a mug in desk.\nYou are in a room, you see a desk 1, a drawer 10, and a shelf 2.\n',
  'Action: go to shelf 2\n',
  'Observation: On the shelf 2, you see a mug 1 after 10 days.\n\n',
  'Action: take mug 1 from shelf 2\n',
  'Observation: You pick up the mug 1 from the shelf 2.\n',
]
const instruction = `Do it in 10 turns, with '{obj}' and '{recep}'.

Do this:
- 'take {obj} from {recep}'
- 'examine {recep}/{obj}'
- 'go to {place}'
- 'toggle {obj}/{recep}'
- inventory
- 'look' around
`
const examples = {
  put: example,
  clean: example,
  heat: example,
  cool: example,
  puttwo: example,
  examine: example.join(''),
}
const file = { system_msg: 'Be good.', instruction, examples }

const read = (changes: object = {}) =>
  readPromptFile(JSON.stringify({ ...file, ...changes }), 'prompt.json', allForms('old'))

describe('readPromptFile', () => {
  it('finds the advertised forms, in their own slot names, and keeps the prose to the byte', () => {
    const prompt = read()
    expect(textOf(prompt.instruction)).toBe(instruction)
    expect(prompt.instruction.filter((piece) => typeof piece === 'object')).toEqual([
      { form: 'take {obj} from {recep}' },
      { form: 'examine {item}', fill: { item: '{recep}/{obj}' } },
      { form: 'go to {recep}', fill: { recep: '{place}' } },
      { form: 'toggle {obj}/{recep}' },
      { form: 'look' },
    ])
    expect(prompt.system).toBe('Be good.')
  })

  it('reports what it could not parse', () => {
    expect(read().notes).toEqual([
      "The instruction advertises 'toggle {obj}/{recep}', which is no action of this environment; it is left as it stands.",
      "The instruction's line '- inventory' quotes no action form and is left as prose.",
    ])
    expect(read({ instruction: 'Be kind.' }).notes).toEqual([
      'The instruction advertises no action in a line such as "- \'open {recep}\'".',
    ])
  })

  it('splits examples into their parts, unusual line breaks included', () => {
    const prompt = read()
    for (const kind of taskKinds) {
      expect(prompt.examples[kind]).toEqual([
        {
          opening: [example[0]!.trimEnd()],
          exchanges: [
            { action: 'go to shelf 2', observation: ['On the shelf 2, you see a mug 1 after 10 days.\n'] },
            { action: 'take mug 1 from shelf 2', observation: ['You pick up the mug 1 from the shelf 2.'] },
          ],
          names: ['desk 1', 'drawer 10', 'shelf 2', 'mug 1'],
        },
      ])
    }
  })

  it.each([
    ['an action without an observation', `${example.join('')}Action: look\n`],
    ['two lines in a row', 'Your task is to: x.\nA room.\nObservation: y\nAction: z\n'],
    ['no exchange at all', 'Just do it.\n'],
  ])('keeps an example as prose that has %s', (_, text) => {
    const prompt = read({ examples: { ...examples, heat: text } })
    expect(prompt.examples.pick_heat_then_place_in_recep).toMatchObject([
      { opening: [text.slice(0, -1)], exchanges: [] },
    ])
    expect(prompt.notes.at(-1)).toBe(
      "Example 'heat' is not a series of 'Action: …' and 'Observation: …' lines; it is shown as prose. Rewordings of actions do not reach it.",
    )
  })

  it.each([
    ['{', 'it is not JSON'],
    ['[]', 'expected object'],
    [JSON.stringify({ ...file, instruction: 3 }), "at 'instruction'"],
    [JSON.stringify({ ...file, examples: { ...examples, cool: [3] } }), "at 'examples.cool'"],
    [JSON.stringify({ ...file, examples: {} }), "at 'examples.put'"],
  ])('refuses %s', (text, reason) => {
    expect(() => readPromptFile(text, 'prompt.json', [])).toThrowError(
      expect.objectContaining({ code: 'bad-input', message: expect.stringContaining(reason) as string }) as Error,
    )
  })

  it('is laid out by the agent with the bytes of the file', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'shaketable-')), 'prompt.json')
    writeFileSync(path, JSON.stringify(file))
    const environment = await openEnvironment('household', { prompt: path })
    expect(environment.notes).toHaveLength(2)
    expect(environment.settings).toEqual({
      games: 'generated',
      generation: 'old',
      prompt: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
    })
    const task = environment.tasks[0]!
    const world = (await environment.begin(task, createRandom('0'))) as World
    const [, user] = act.begin(world.briefing, textOf(world.opening)).messages()
    const wanted = `${instruction}\nHere are examples:\n${example.join('')}\nYou should perform actions to accomplish the goal: ${task.goal}\n`
    expect(user!.content.slice(0, wanted.length)).toBe(wanted)
  })

  it('refuses a path without a file', async () => {
    await expect(openEnvironment('household', { prompt: '/nowhere/prompt.json' })).rejects.toMatchObject({
      code: 'bad-input',
      message: expect.stringContaining('/nowhere/prompt.json') as string,
    })
  })
})

describe.skipIf(sharedData === undefined)("AgentBoard's own prompt file", () => {
  const open = () =>
    openEnvironment('household', {
      data: join(sharedData!, 'alfworld'),
      generation: 'old',
      prompt: join(sharedData!, 'agentboard_prompts/alfworld_base.json'),
    })

  it("gives AgentBoard's own prompts, to the byte", async () => {
    const environment = await open()
    const rows = readFileSync(join(sharedData!, 'alfworld/agentboard/prompts.jsonl'), 'utf8').trim().split('\n')
    expect(rows).toHaveLength(12)
    for (const row of rows) {
      const { game, system, user } = JSON.parse(row) as Record<'game' | 'system' | 'user', string>
      const world = (await environment.begin(environment.find(game), createRandom('0'))) as World
      const conversation = act.begin(world.briefing, textOf(world.opening))
      const history = user.slice(user.lastIndexOf('commands for help')).match(/(?<=\nAction: ).+(?=\n)/g) ?? []
      for (const action of history) conversation.observe(action, textOf((world.step(action) as Turn).observation))
      expect(conversation.messages()).toEqual([
        { role: 'system', content: system },
        { role: 'user', content: user },
      ])
    }
  })

  it('advertises two forms and three wordings that the engine refuses', async () => {
    const environment = await open()
    const forms = [
      'toggle {obj}/{recep}',
      'clean {obj} using {recep}',
      'cool {obj} using {recep}',
      'heat {obj} using {recep}',
    ]
    expect(environment.notes).toEqual(
      forms.map(
        (form) =>
          `The instruction advertises '${form}', which is no action of this environment; it is left as it stands.`,
      ),
    )
    const tasks = taskKinds.map((kind) => environment.tasks.find((task) => task.kind === kind)!)
    expect(await advertisedButRefused(environment, tasks, createRandom('0'))).toEqual(forms)
  })

  it('has only known items in its examples', async () => {
    const environment = await open()
    for (const kind of taskKinds) {
      const task = environment.tasks.find((one) => one.kind === kind)!
      const { briefing } = (await environment.begin(task, createRandom('0'))) as World
      const [{ opening, exchanges, names }] = briefing.examples as [(typeof briefing.examples)[0]]
      const said = [textOf(opening), ...exchanges.flatMap(({ action, observation }) => [action, textOf(observation)])]
      expect(createNameFinder(names).replace(said.join('\n'), () => '')).not.toMatch(/\d/)
    }
  })
})
