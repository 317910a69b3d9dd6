import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { act } from '../../../src/agents/act.js'
import { createRandom } from '../../../src/core/random.js'
import type { Piece, Text } from '../../../src/core/text.js'
import { textOf } from '../../../src/core/text.js'
import { readPromptFile } from '../../../src/environments/games/prompt-file.js'
import type { GameName } from '../../../src/environments/games/wording.js'
import { gameNames } from '../../../src/environments/games/wording.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { sharedData } from '../../shared-data.js'
import { writeFolder } from './small-games.js'

const scratch = mkdtempSync(join(tmpdir(), 'shaketable-pddl-prompt-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const entry = { system_msg: 'You play.', instruction: 'Play.\n', examples: [] as string[] }
function write(entries: unknown): string {
  writeFileSync(join(scratch, 'prompt.json'), typeof entries === 'string' ? entries : JSON.stringify(entries))
  return join(scratch, 'prompt.json')
}
const all = (game: GameName, part: Partial<typeof entry>) =>
  write({ ...Object.fromEntries(gameNames.map((name) => [name, entry])), [game]: { ...entry, ...part } })

const formsIn = (text: Text) => text.filter((piece) => typeof piece !== 'string')

describe("AgentBoard's prompt file", () => {
  it('advertises actions by their names, or in the words of lists', () => {
    const instruction = `Three actions: move, pick.
    move <room1> <room2>: rolls on.
      pick  <obj> <room> <gripper>: takes <obj>.
    drop <obj> <room>: lacks one.
    <hand> drop <a> <b>: lays down.
    A note: nothing.\n`
    const { gripper } = readPromptFile(all('gripper', { instruction })).games
    expect(textOf(gripper.instruction)).toBe(instruction)
    expect(formsIn(gripper.instruction)).toEqual([
      { form: 'move {from} {to}', fill: { from: '<room1>', to: '<room2>' } },
      { form: 'pick  {ball} {room} {gripper}', fill: { ball: '<obj>', room: '<room>', gripper: '<gripper>' } },
      { form: '{ball} drop {room} {gripper}', fill: { ball: '<hand>', room: '<a>', gripper: '<b>' } },
    ])
    expect(gripper.forms.map(({ action }) => action)).toEqual(['move', 'pick', 'drop'])
    expect(gripper.notes).toEqual([])
    const { barman } = readPromptFile(all('barman', { instruction: '<hand> grasp <container>: Grasp\n' })).games
    expect([barman.forms, barman.notes.length]).toEqual([[], 11])
  })

  it.each<[string, string, readonly Piece[]]>([
    ['ends in a line break', 'Goal: g\nObservation: o\nAction: pickup b1\nObservation: held\n', []],
    ['ends without one', 'Goal: g\nObservation: o\nAction: pickup b1\nObservation: held', []],
    [
      'has a list',
      'o\nAction: check valid actions\nObservation: Valid actions are: Pickup b1. , stack b1 b2, check valid actions\n',
      [{ list: ['Pickup b1. ', 'stack b1 b2', 'check valid actions'] }],
    ],
    [
      'has a list of sentences',
      'o\nAction: check\nObservation: Valid actions are: Pickup b1. Check valid actions. Hello.',
      [{ list: ['Pickup b1'] }, { list: ['Check valid actions'] }],
    ],
    [
      'has an action set in',
      'o\nAction: fly\nObservation: No. \n Action: check valid actions. \n Observation: valid actions are: pickup b2, unstack b1 b2.\n',
      [{ command: 'check valid actions. ' }, { list: ['pickup b2', 'unstack b1 b2.'] }],
    ],
  ])('keeps every byte of an example that %s', (_, text, quoted) => {
    const [example] = readPromptFile(all('blockworld', { examples: [text] })).games.blockworld.examples
    const lines = example!.exchanges.flatMap(({ action, observation }) => [
      `Action: ${action}`,
      `Observation: ${textOf(observation)}`,
    ])
    expect([textOf(example!.opening), ...lines].join('\n') + example!.ending!).toBe(text)
    expect(example!.exchanges.flatMap(({ observation }) => formsIn(observation))).toEqual(quoted)
    expect(example!.exchanges).toHaveLength(1)
  })

  it('quotes the commands in its prose, so that another wording reaches them', () => {
    const examples = [
      'Open boot first.\nObservation: o\nAction: fly\nObservation: You can check valid actions, or open boot.',
    ]
    const instruction = 'Remember to open boot.\n    open <container>: opens <container>.\n'
    const { tyreworld } = readPromptFile(all('tyreworld', { instruction, examples })).games
    const { opening, exchanges } = tyreworld.examples[0]!
    expect([tyreworld.instruction, opening, exchanges[0]!.observation].map(formsIn)).toEqual([
      [{ command: 'open boot' }, { form: 'open {container}', fill: { container: '<container>' } }],
      [{ command: 'Open boot' }],
      [{ command: 'check valid actions' }, { command: 'open boot' }],
    ])
    expect(textOf(tyreworld.instruction)).toBe(instruction)
  })

  it('shows an example as prose if its layout would be changed', () => {
    const text = 'o\nAction: pickup b1\nNo observation.'
    const [example] = readPromptFile(all('blockworld', { examples: [text] })).games.blockworld.examples
    expect(example).toEqual({ opening: [text], exchanges: [], names: ['b1'], ending: '' })
  })

  it.each<[unknown, string]>([
    [
      '{',
      "FILE is not AgentBoard's prompt file for the PDDL games, line 1, column 2: it is not JSON: expected a key in double quotes or '}', got the end of the text. It has 'system_msg', 'instruction' and a list 'examples' for each game. Give the path of AgentBoard's prompts/VanillaAgent/pddl_vanilla_prompt.json.",
    ],
    [
      { gripper: entry },
      "FILE is not AgentBoard's prompt file for the PDDL games: Invalid input: expected object, received undefined at 'blockworld'.",
    ],
  ])('refuses %j', (entries, message) => {
    const path = write(entries)
    expect(() => readPromptFile(path)).toThrow(message.replace('FILE', path))
  })

  it('is part of the prompt, and of the settings', async () => {
    const data = writeFolder(join(scratch, 'data'))
    const instruction = 'Do this.\n    pickup <block>: take it.\n'
    const prompt = all('blockworld', { instruction, examples: ['one\nAction: pickup b1\nObservation: yes'] })
    const environment = await openEnvironment('pddl', { data, games: ['blockworld'], prompt })
    const { briefing, opening } = await environment.begin(environment.tasks[0]!, createRandom('0'))
    expect(act.begin(briefing, textOf(opening)).messages()[1]!.content).toBe(
      `${instruction}\nHere are examples:\none\nAction: pickup b1\nObservation: yes\nYou should perform actions to accomplish the goal: ${briefing.goal}\n` +
        `You should use the following commands for help when your action cannot be understood: check valid actions\nObservation: ${textOf(opening)}\nAction: `,
    )
    expect(briefing.forms.map(({ template }) => template)).toEqual([
      'Pickup {block}',
      'Stack {block} on {under}',
      'check valid actions',
      'look around',
      'pickup {block}',
    ])
    expect(environment.settings.prompt).toMatch(/^[0-9a-f]{16}$/)
    expect(environment.notes).toContain(
      "The instruction for blockworld does not advertise 'stack' in a line such as 'open <container>: …'.",
    )
  })
})

describe.skipIf(sharedData === undefined)("AgentBoard's own prompt file", () => {
  const path = join(sharedData ?? '', 'agentboard_prompts', 'pddl_vanilla_prompt.json')

  it.each(gameNames)('reaches an agent for %s to the byte, all of its actions as forms', async (game) => {
    const file = (JSON.parse(readFileSync(path, 'utf8')) as Record<string, typeof entry>)[game]!
    const environment = await openEnvironment('pddl', { games: [game], prompt: path })
    expect(environment.notes).toEqual([])
    const { briefing, opening } = await environment.begin(environment.tasks[0]!, createRandom('0'))
    const [system, user] = act.begin(briefing, textOf(opening)).messages()
    expect(system!.content).toBe(file.system_msg)
    expect(user!.content).toBe(
      `${file.instruction}\nHere are examples:\n${file.examples.map((text) => `${text}\n`).join('')}` +
        `You should perform actions to accomplish the goal: ${briefing.goal}\n` +
        `You should use the following commands for help when your action cannot be understood: check valid actions\n` +
        `Observation: ${textOf(opening)}\nAction: `,
    )
  })
})
