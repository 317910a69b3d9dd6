import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  cleanText,
  createProgress,
  cutAction,
  hasEnded,
  shortenAction,
} from '../../../src/environments/jericho/agentboard-rules.js'
import { readHeronLight } from '../../../src/environments/jericho/tasks.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { type World, createRandom, textOf } from '../../../src/index.js'
import { assemble, free, high, low } from './stories.js'
import { scratchFolder } from '../../scratch.js'
import { syncWorld } from '../../sync-world.js'
import { type Dictionary, readDictionary } from '../../../src/environments/jericho/dictionary.js'
import { type Grammar, directionOf, readGrammar } from '../../../src/environments/jericho/grammar.js'
import { Machine } from '../../../src/environments/jericho/machine/machine.js'

const environment = await openEnvironment('jericho')

const begin = async (task: string, from = environment): Promise<World> => from.begin(from.find(task), createRandom('0'))

describe("AgentBoard's rules", () => {
  it.each([
    ['\nTaken.\n\n>', 'Taken. '],
    ['You open it.\nInside  is   a\nleaf. [Your score has gone up.]\n>', 'You open it. Inside is a leaf.  '],
    ['[Your score is 1.] A [Your score is 2.]', ' A '],
    ['[Your score [Your score is 1.] b] [Your score', ' b] [Your score'],
  ])('clean %j', (said, shown) => {
    expect(cleanText(said)).toBe(shown)
  })

  const isWord = (text: string): boolean => text === 'ftp.gmd'
  it.each([
    ['help ftp.gmd', 'help ftp.gmd', 'help ftp.gmd', isWord],
    ['help ftp.gmd. look', 'help ftp.gmd', 'help ftp.gmd', isWord],
    ['help.ftp.gmd', 'help', 'help', isWord],
    ['take lamp, then go north', 'take lamp', 'take lamp'],
    ['look. north', 'look', 'look'],
    [Array.from({ length: 25 }, () => 'a').join(' '), Array.from({ length: 20 }, () => 'a').join(' '), undefined],
    ['put(obj=lamp, in=box)', 'put(obj=lamp', 'put(obj=lamp, in=box)'],
    ['act_01 lamp , box', 'act_01 lamp ', 'act_01 lamp , box'],
    ['', '', ''],
  ])('cut %j', (action, cut, shortened, isWord?: (text: string) => boolean) => {
    expect(cutAction(action, isWord)).toBe(cut)
    expect(shortenAction(action, isWord)).toBe(shortened ?? cut)
  })

  it('count at most one phrase per observation, the first that is left, without punctuation', () => {
    const progress = createProgress(['a-b!', 'c', 'c'])
    const shares = ['x', 'ab c', 'ab', 'c c', 'C'].map((seen) => {
      progress.record(seen)
      return progress.share
    })
    expect(shares).toEqual([0, 1 / 3, 1 / 3, 2 / 3, 2 / 3])
    const fork = progress.fork()
    fork.record('c')
    expect([fork.share, progress.share]).toEqual([1, 2 / 3])
    expect(createProgress([]).share).toBe(0)
  })

  it('end a story with a line between stars', () => {
    const ends = (said: string): boolean => hasEnded({ finished: false } as Machine, said)
    const said = ['    *** You have died ***', 'ok\n****  You have died  ****\n\n', '** a **']
    expect(said.map(ends)).toEqual([true, true, false])
  })
})

describe('the embedded story', () => {
  it.each(environment.tasks.map(({ id }) => id))('is solved by the oracle in 30 steps: %s', async (id) => {
    const world = await begin(id)
    const plan = syncWorld(world).solve()!
    expect(plan.length).toBeLessThanOrEqual(30)
    const progress: number[] = []
    for (const action of plan) {
      expect(syncWorld(world).admissible()).toContain(action)
      const turn = await world.step(action)
      expect(turn.understood).toBe(true)
      progress.push(turn.progress)
      expect(turn.ended).toBe(progress.length === plan.length && 'success')
    }
    expect(progress.at(-1)).toBe(1)
    expect(new Set(progress).size).toBeGreaterThan(2)
  })

  it('is solved from a detour, and not where that has become impossible', async () => {
    const world = await begin('key')
    for (const action of ['north', 'north', 'east', 'up']) await world.step(action)
    const plan = syncWorld(world).solve()!
    expect(plan.slice(0, 5)).toEqual(['down', 'west', 'south', 'south', 'open crate'])
    for (const action of plan.slice(0, 6)) await world.step(action)
    await world.step('eat herring')
    expect(syncWorld(world).solve()).toBeUndefined()
  })

  it('lists the actions, as text too, and only those that do something', async () => {
    const world = await begin('key')
    expect(syncWorld(world).admissible()).toEqual(['north', 'open crate', 'enter rowing boat', 'check valid actions'])
    const asked = await world.step('Check which ACTIONS I have')
    expect(asked).toMatchObject({ understood: true, progress: 0 })
    expect(textOf(asked.observation)).toBe(
      'You can take the following actions: north, open crate, enter rowing boat, check valid actions',
    )
    await world.step('open crate')
    expect(syncWorld(world).admissible()).toEqual([
      ...['north', 'take herring', 'close crate', 'enter rowing boat', 'check valid actions'],
    ])
  })

  it('is left as it was by a list and by a refusal, which is its own answer to an unknown verb', async () => {
    const [one, other] = [await begin('key'), await begin('key')]
    syncWorld(one).admissible()
    expect(await one.refuse('open crate')).toMatchObject({
      original: 'That is not a verb that I know. ',
      understood: false,
      ended: false,
    })
    for (const action of ['open crate', 'take herring']) {
      expect((await one.step(action)).original).toBe((await other.step(action)).original)
    }
  })

  it.each([
    ['get the can', 'take {obj}', { obj: 'oil can' }],
    ['PICK UP OIL CAN', 'take {obj}', { obj: 'oil can' }],
    ['go n', 'north', {}],
    ['place prism into great lamp', 'put {obj} in {other}', { obj: 'glass prism', other: 'great lamp' }],
    ['take key', 'take {obj}', { obj: 'key' }],
    ['drag rug', undefined, undefined],
  ])('reads %j', async (action, template, filling) => {
    const { read, briefing, names } = await begin('key')
    const templates = briefing.forms.map((form) => form.template)
    expect(read!(action, templates, names)).toEqual(template && { template, filling })
    // A reworded form is not read by the words that the story knows for it.
    const reworded = templates.map((one) => (one === template ? one.replace(/\w+/, 'zork') : one))
    expect(read!(action, reworded, names)).toBeUndefined()
  })
})

function edition(release: number, serial: string): Buffer {
  const bytes = Buffer.from(readHeronLight())
  bytes.writeUInt16BE(release, 2)
  bytes.write(serial, 18, 'latin1')
  return bytes
}

const labels = Array.from({ length: 20 }, (_, id) => {
  const [goal, subgoals] = [`Goal ${String(id)}`, ['Yard', `x${String(id)}`]]
  return JSON.stringify({ task: 'jericho', id, goal, difficulty: 'hard', subgoals })
}).join('\n')

const texts = `game_goals = {
    # a comment
    "905": "Say \\"hello\\" & it's done.",
    "darkhunt": 'Hunt.',
    "zork1": "Zork",
}
game_init_obs = {
    "905": "It\\'s late.\\nVery.",
    "darkhunt": "Dark.", "zork1": "West",
}
`

describe("the user's files", () => {
  const folder = scratchFolder()
  const games = join(folder, 'games')
  mkdirSync(games)
  const own = readHeronLight()
  for (const name of ['huntdark.z5', '905.z5', 'snacktime.z8', 'other.z5']) writeFileSync(join(games, name), own)
  writeFileSync(join(games, 'any-name.z3'), edition(88, '840726'))
  writeFileSync(join(games, 'zork1.z5'), edition(119, '880429'))
  writeFileSync(join(games, 'broken.z5'), 'not a story')
  writeFileSync(join(folder, 'test.jsonl'), labels)
  const program = join(folder, 'agentboard', 'environment')
  mkdirSync(program, { recursive: true })
  writeFileSync(join(program, 'jericho_env.py'), texts)
  const options = { games, labels: join(folder, 'test.jsonl') }

  it('are found by release and serial number or by name, in the order of AgentBoard', async () => {
    const found = await openEnvironment('jericho', options)
    expect(found.tasks.map(({ id }) => id)).toEqual(['905', 'snacktime', 'zork1', 'huntdark'])
    expect(found.measure).toMatch(/in 4 of its 20 games; not comparable with published rows$/)
    expect(found.tasks.map(({ goal }) => goal)).toEqual(['Goal 0', 'Goal 9', 'Goal 11', 'Goal 18'])
    expect(found.notes).toEqual(['Not known, and left out: broken.z5, other.z5.'])
    expect(found.data).toMatchObject({ kind: 'benchmark', from: 'AgentBoard' })
    const world = await begin('905', found)
    await world.step('north')
    expect(await world.step('north')).toMatchObject({ progress: 0.5 })
    expect(world.solve).toBeUndefined()
  })

  it("have the goals and first observations of AgentBoard's program, with its slip", async () => {
    const found = await openEnvironment('jericho', { ...options, agentboard: folder })
    const told = async (id: string): Promise<string> =>
      `${found.find(id).goal}|${textOf((await begin(id, found)).opening)}`
    expect(await told('905')).toBe('Say "hello" & it\'s done.|It\'s late.\nVery.')
    for (const id of ['huntdark', 'snacktime']) expect(await told(id)).toBe('Not written yet.|Not written yet.')
  })

  it('count actions as understood as AgentBoard does, or by the words of the story', async () => {
    const understood = async (given: Readonly<Record<string, string>>): Promise<readonly unknown[]> => {
      const world = await begin('905', await openEnvironment('jericho', { ...options, ...given }))
      return [(await world.step('xyzzy nonsense')).understood, (await world.step('look')).understood]
    }
    expect(await understood({})).toEqual([true, true])
    expect(await understood({ grounding: 'engine' })).toEqual([false, true])
  })

  it.each([
    [{ games: join(folder, 'none') }, 'bad-input', 'none cannot be read'],
    [{ labels: 'x' }, 'usage', "'labels' belongs to AgentBoard's games"],
    [{ ...options, labels: join(program, 'jericho_env.py') }, 'bad-input', 'jericho_env.py:1: it is not JSON'],
    [{ ...options, agentboard: options.labels }, 'bad-input', "expected a dictionary 'game_goals' of strings"],
    [{ prompt: options.labels }, 'bad-input', "is not AgentBoard's prompt file for Jericho"],
  ])('that cannot be used are refused: %j', async (given, code, words) => {
    const message = expect.stringContaining(words) as string
    await expect(openEnvironment('jericho', given)).rejects.toMatchObject({ code, message })
  })

  it('end as a failure where an instruction cannot be carried out, with what was printed', async () => {
    // print_char 'a'; aread 0x400 0; print_char 'b'; get_parent 65534 -> global 0, or a jump to itself
    const begun = [0xe5, 0x7f, 97, 0xe4, 0x1f, high(free), low(free), 0, 0, 0xe5, 0x7f, 98]
    const play = async (code: readonly number[]) => {
      const bytes = assemble(5, [...begun, ...code], (story) => {
        story.set([20], free)
        story.set([0, 0xcc], 0xca) // The property table of the only object stands behind it.
      })
      writeFileSync(join(games, '905.z5'), bytes)
      const world = await begin('905', await openEnvironment('jericho', options))
      return world.step('look')
    }
    const observation = ['b@Attempt to address illegal object -2. This is normally fatal. ']
    expect(await play([0x83, 0xff, 0xfe, 16])).toMatchObject({ observation, ended: 'failure' })
    await expect(play([0x8c, 0xff, 0xff])).rejects.toMatchObject({ code: 'environment' })
    writeFileSync(join(games, '905.z5'), own)
  })
})

/** The lines of a word's verb, as `noun in noun`. */
function linesOf(word: string, grammar: Grammar, dictionary: Dictionary): readonly string[] | undefined {
  const found = dictionary.find(word)
  return (
    found && grammar.verbOf(found)?.lines.map(({ tokens }) => tokens.map((one) => [one].flat().join('/')).join(' '))
  )
}

describe.each([0, 1])("the grammar of a story of Infocom's, with %d bytes behind the lines of a verb", (padding) => {
  const base = 0x100
  const bytes = new Uint8Array(0x200)
  // Two verbs: `look`, `look at noun`; `put held in noun`.
  const tables = [
    [2, [0, 0, 0, 0, 0, 0, 0, 9], [1, 250, 0, 0, 0, 0x30, 0, 8]],
    [1, [2, 0, 251, 0, 0, 0xc0, 0x30, 7]],
  ].map((one) => one.flat())
  let at = base + 2 * tables.length
  tables.forEach((table, index) => {
    bytes.set([at >> 8, at & 255], base + 2 * index)
    bytes.set(table, at)
    at += table.length + padding
  })
  const words = [
    ['look', 0x41, 255, 0],
    ['put', 0x41, 254, 0],
    ['at', 8, 250, 0],
    ['in', 0x18 | 3, 30, 251],
    ['north', 0x13, 31, 0],
    ['lamp', 0x80, 1, 0],
  ] as const
  const dictionaryWords = words.map(([text, ...data], address) => ({ address, text, data: new Uint8Array(data) }))
  const machine = {
    header: { staticMemory: base, length: bytes.length, serial: '840726' },
    readByte: (address: number) => bytes[address] ?? 0,
    readWord: (address: number) => (bytes[address]! << 8) | bytes[address + 1]!,
  } as unknown as Machine
  const dictionary: Dictionary = {
    words: dictionaryWords,
    find: (word) => dictionaryWords.find(({ text }) => text === word),
    isWord: () => false,
    at: () => undefined,
    split: (line) => line.split(' '),
  }

  it('is read by the parts of speech that its dictionary has', () => {
    const grammar = readGrammar(machine, dictionary)
    expect(linesOf('look', grammar, dictionary)).toEqual(['', 'at noun'])
    expect(linesOf('put', grammar, dictionary)).toEqual(['held in noun'])
    expect(grammar.verbs.flatMap(({ lines }) => lines.map(({ action }) => action))).toEqual([9, 8, 7])
    const is = (word: string) => [grammar.isDirection(dictionary.find(word)!), grammar.isNoun(dictionary.find(word)!)]
    expect([is('north'), is('in'), is('lamp')]).toEqual([
      [true, false],
      [true, false],
      [false, true],
    ])
  })

  it('has no verbs where the table is none', () => {
    bytes.fill(255, base, base + 2)
    expect(readGrammar(machine, dictionary).verbs).toEqual([])
  })
})

it('the dictionary of a story finds words by their first letters, and splits a line at blanks and separators', () => {
  const { find, split } = readDictionary(new Machine(readHeronLight()))
  const found = ['EXTINGUISHER', 'extinguish', 'lamps', ''].map((word) => find(word)?.text)
  expect(found).toEqual(['extinguis', 'extinguis', undefined, undefined])
  expect(split(' Take\tthe  LAMP,go.')).toEqual(['take', 'the', 'lamp', ',', 'go', '.'])
  expect(['n', 'NORTH', 'sw', 'lamp'].map(directionOf)).toEqual(['north', undefined, 'southwest', undefined])
})
