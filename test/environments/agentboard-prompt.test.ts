import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { act } from '../../src/agents/act.js'
import { type ActionForm, type Piece, type Text, createRandom, textOf } from '../../src/index.js'
import {
  babyaiPrompt,
  householdPrompt,
  jerichoPrompt,
  pddlPrompt,
  readPromptFile,
  scienceworldPrompt,
} from '../../src/environments/agentboard-prompt.js'
import type { Prompt, PromptReader } from '../../src/environments/agentboard-prompt.js'
import { type GameName, gameNames } from '../../src/environments/games/wording.js'
import { openEnvironment } from '../../src/environments/index.js'
import { scratchWriter } from '../scratch.js'
import { sharedData, sharedRows } from '../shared-data.js'

const write = scratchWriter()

const formsIn = (text: Text): readonly Piece[] => text.filter((piece) => typeof piece !== 'string')
const unknown = (form: string): string =>
  `The instruction advertises '${form}', which is no action of this environment; it is left as it stands.`

const houseInstruction = `Do it in 10 turns, with '{obj}' and '{recep}'.

Do this:
- 'take {obj} from {recep}'
- 'examine {recep}/{obj}'
- 'go to {place}'
- 'toggle {obj}/{recep}'
- inventory
- 'look' around
`
const houseExamples = Object.fromEntries(
  'put clean heat cool puttwo examine'.split(' ').map((kind) => [kind, ['a\nAction: b\nObservation: c\n']]),
)

const roomInstruction = `You walk about.

- turn left: to the left, in 2 beats
- go to <thing> <id>
- go through <gate> <id> : only where it is open
- hop <thing> <id>: not here
Off you go.`
const file = { system_msg: 'Be good.', instruction: roomInstruction, examples: ['o\n'] as unknown }
/** What a prompt file says in the first of its prompts, with its notes. */
function readFirst<Key extends string>(reader: PromptReader<Key, ActionForm>, changes: Partial<typeof file>) {
  const { prompts, notes } = readPromptFile(reader, write('prompt.json', { ...file, ...changes }))
  return { ...Object.values<Prompt>(prompts)[0]!, notes }
}

const game = { system_msg: 'You play.', instruction: 'Play.\n', examples: [] as string[] }
const readGame = (name: GameName, part: Partial<typeof game>) => {
  const games = { ...Object.fromEntries(gameNames.map((one) => [one, game])), [name]: { ...game, ...part } }
  const { prompts, notes } = readPromptFile(pddlPrompt, write('prompt.json', games))
  return { ...prompts[name], notes: notes.filter((note) => note.includes(` ${name} `)) }
}

type Read = (text: string) => { readonly instruction: Text; readonly notes: readonly string[] }
it.each<[string, string, Read, readonly Piece[], readonly string[]]>([
  [
    'household',
    houseInstruction,
    (instruction) => readFirst(householdPrompt('old'), { instruction, examples: houseExamples }),
    [
      { form: 'take {obj} from {recep}' },
      { form: 'examine {item}', fill: { item: '{recep}/{obj}' } },
      { form: 'go to {recep}', fill: { recep: '{place}' } },
      { form: 'toggle {obj}/{recep}' },
      { form: 'look' },
    ],
    [
      unknown('toggle {obj}/{recep}'),
      "The instruction's line '- inventory' quotes no action form and is left as prose.",
    ],
  ],
  [
    'babyai',
    roomInstruction,
    (instruction) => readFirst(babyaiPrompt, { instruction }),
    [
      { form: 'turn left' },
      { form: 'go to {obj}', fill: { obj: '<thing> <id>' } },
      { form: 'go through {door}', fill: { door: '<gate> <id>' } },
    ],
    [unknown('hop <thing> <id>')],
  ],
  [
    'jericho',
    'Do:\nTake <obj>: pickup obj\nInventory\nFly <obj>: no\nYou can check valid actions.',
    (instruction) => readFirst(jerichoPrompt, { instruction }),
    [{ form: 'Take {obj}', fill: { obj: '<obj>' } }, { form: 'Inventory' }, { command: 'check valid actions' }],
    [],
  ],
  [
    'scienceworld',
    'With {OBJ}: `open {OBJ}` / `{OBJ}`, `wait [DURATION]`, `fly`',
    (instruction) => readFirst(scienceworldPrompt, { instruction }),
    [{ form: 'open {obj}', fill: { obj: '{OBJ}' } }, { form: 'wait [DURATION]' }],
    [unknown('wait [DURATION]'), unknown('fly')],
  ],
  [
    'pddl',
    'Three: move, pick.\n  pick  <obj> <room> <gripper>: takes <obj>.\n<hand> drop <a> <b>: lays down.\ndrop <obj> <room>: lacks one.\n A note: no.\n',
    (instruction) => readGame('gripper', { instruction }),
    [
      { form: 'pick  {ball} {room} {gripper}', fill: { ball: '<obj>', room: '<room>', gripper: '<gripper>' } },
      { form: '{ball} drop {room} {gripper}', fill: { ball: '<hand>', room: '<a>', gripper: '<b>' } },
    ],
    ["The instruction for gripper does not advertise 'move' in a line such as 'open <container>: …'."],
  ],
])(
  'the advertised forms of %s are pieces, in the slot names of the file; the prose stays to the byte',
  (_, text, read, forms, notes) => {
    const { instruction, notes: found } = read(text)
    expect(textOf(instruction)).toBe(text)
    expect(formsIn(instruction)).toEqual(forms)
    expect(found).toEqual(notes)
  },
)

it('worked examples have the commands of their prose as pieces, so that another wording reaches them', () => {
  const text = "Observation: Go to red ball 1.\nAction: move forward\nObservation: Well, you can't move forward.\n"
  const rooms = readFirst(babyaiPrompt, { instruction: 'You may toggle it.\n- toggle\n', examples: [text] })
  expect(rooms.instruction).toEqual(['You may ', { command: 'toggle' }, ' it.\n- ', { form: 'toggle' }, '\n'])
  expect(rooms.examples[0]!.opening).toEqual(['Observation: ', { command: 'Go to red ball 1' }, '.'])
  expect(rooms.examples[0]!.exchanges[0]!.observation).toEqual(["Well, you can't ", { command: 'move forward' }, '.'])
  const tyres = readGame('tyreworld', {
    instruction: 'Remember to open boot.\n    open <container>: opens <container>.\n',
    examples: [
      'Open boot first.\nObservation: o\nAction: fly\nObservation: You can check valid actions, or open boot.',
    ],
  })
  const { opening, exchanges } = tyres.examples[0]!
  expect([tyres.instruction, opening, exchanges[0]!.observation].map(formsIn)).toEqual([
    [{ command: 'open boot' }, { form: 'open {container}', fill: { container: '<container>' } }],
    [{ command: 'Open boot' }],
    [{ command: 'check valid actions' }, { command: 'open boot' }],
  ])
})

it.each<[string, string, readonly Piece[]]>([
  ['ends in a line break', 'Goal: g\nObservation: o\nAction: pickup b1\nObservation: held\n', []],
  [
    'has a list',
    'o\nAction: check valid actions\nObservation: Valid actions are: Pickup b1. , stack b1 b2, check valid actions\n',
    [{ list: ['Pickup b1. ', 'stack b1 b2', 'check valid actions'] }],
  ],
  [
    'has an action set in',
    'o\nAction: fly\nObservation: No. \n Action: check valid actions. \n Observation: valid actions are: pickup b2, unstack b1 b2.\n',
    [{ command: 'check valid actions. ' }, { list: ['pickup b2', 'unstack b1 b2.'] }],
  ],
])('worked examples of PDDL keep every byte where one %s', (_, text, quoted) => {
  const [example] = readGame('blockworld', { examples: [text] }).examples
  const lines = example!.exchanges.flatMap(({ action, observation }) => [
    `Action: ${action}`,
    `Observation: ${textOf(observation)}`,
  ])
  expect([textOf(example!.opening), ...lines].join('\n') + (example!.ending ?? '\n')).toBe(text)
  expect(example!.exchanges.flatMap(({ observation }) => formsIn(observation))).toEqual(quoted)
  expect(example!.exchanges).toHaveLength(1)
})

describe.skipIf(sharedData === undefined)("AgentBoard's own prompt file", () => {
  const prompts = join(sharedData ?? '', 'agentboard_prompts')

  it("gives AgentBoard's own prompts of ALFWorld, to the byte", async () => {
    const options = { data: join(sharedData!, 'alfworld'), prompt: join(prompts, 'alfworld_base.json') }
    const environment = await openEnvironment('household', { ...options, generation: 'old' })
    const rows = sharedRows<Record<'game' | 'system' | 'user', string>>('alfworld/agentboard/prompts.jsonl')
    expect(rows).toHaveLength(12)
    for (const { game: id, system, user } of rows) {
      const world = await environment.begin(environment.find(id), createRandom('0'))
      const conversation = act.begin(world.briefing, textOf(world.opening))
      const history = user.slice(user.lastIndexOf('commands for help')).match(/(?<=\nAction: ).+(?=\n)/g) ?? []
      for (const action of history) conversation.observe(action, textOf((await world.step(action)).observation))
      expect(conversation.messages()).toEqual([
        { role: 'system', content: system },
        { role: 'user', content: user },
      ])
    }
  })

  it.each(gameNames)('reaches an agent for %s to the byte, all of its actions as forms', async (name) => {
    const path = join(prompts, 'pddl_vanilla_prompt.json')
    const own = (JSON.parse(readFileSync(path, 'utf8')) as Record<string, typeof game>)[name]!
    const environment = await openEnvironment('pddl', { games: [name], prompt: path })
    expect(environment.notes).toEqual([])
    const { briefing, opening } = await environment.begin(environment.tasks[0]!, createRandom('0'))
    const [system, user] = act.begin(briefing, textOf(opening)).messages()
    expect(system!.content).toBe(own.system_msg)
    expect(user!.content).toBe(
      `${own.instruction}\nHere are examples:\n${own.examples.map((text) => `${text}\n`).join('')}` +
        `You should perform actions to accomplish the goal: ${briefing.goal}\n` +
        `You should use the following commands for help when your action cannot be understood: check valid actions\n` +
        `Observation: ${textOf(opening)}\nAction: `,
    )
  })
})
