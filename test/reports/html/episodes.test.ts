import { describe, expect, it } from 'vitest'
import { gunzipSync } from 'node:zlib'
import { listEpisodes } from '../../../reports/html/episodes/list-episodes.js'
import { isSideFile, packChunks, packIndex, placeChunks } from '../../../reports/html/episodes/pack.js'
import { describeEpisodes } from '../../../reports/html/page-sections.js'
import { filterRows, noFilter, readAddress, writeAddress } from '../../../reports/html/page/episode-filter.js'
import { openIndex } from '../../../reports/html/page/episode-index.js'
import type { PackedChunk } from '../../../reports/html/packed.js'
import type { Outcome } from '../../../src/core/episode.js'
import type { StoredRun } from '../../../src/run/plan.js'
import { createRandom } from '../../../src/core/random.js'
import { makePlan, makeRow, makeRun } from '../fixture.js'
import { runWithTrajectories, trajectoryOf } from './_runs.js'

const environments = [
  { name: 'household', tasks: 4 },
  { name: 'kitchen', tasks: 2 },
]
const made = makePlan({ environments, agents: ['act', 'react'] })
/** Tasks of two kinds; the goal of the first of each environment's is known. */
const plan = {
  ...made,
  environments: made.environments.map((environment) => ({
    ...environment,
    tasks: environment.tasks.map((task, at) => ({
      ...task,
      kind: at % 2 === 0 ? 'even' : 'odd',
      ...(at === 0 && { goal: `put some plate in countertop${'.'.repeat(600)}` }),
    })),
  })),
}
const reader = { name: 'reader', settings: {}, agents: ['act'] }

const indexOf = (run: StoredRun, max?: number) => {
  const { episodes } = listEpisodes(run, max)
  return openIndex(JSON.parse(JSON.stringify(packIndex(run.plan, episodes, [episodes.length], undefined))) as never)
}

/** A row of the index as text. */
const describeRow = (index: ReturnType<typeof indexOf>, row: number): string => {
  const { packed, digits } = index
  return [
    packed.environments[digits.environment[row]!]!.name,
    index.tasks[digits.task[row]!]!,
    packed.models[digits.model[row]!]!,
    packed.agents[digits.agent[row]!]!,
    packed.columns[digits.column[row]!]!,
    packed.temperatures[digits.temperature[row]!]!,
    packed.seeds[digits.seed[row]!]!,
    packed.outcomes[packed.outcome[row]!]!,
    index.keyOf(row),
  ].join(' ')
}

describe.each([
  ['every agent', plan, 12],
  ['a separate agent for one model', { ...plan, models: [reader, plan.models[1]!] }, 9],
])('the index of episodes with %s', (_, plan, perTask) => {
  const run = runWithTrajectories(plan)
  const index = indexOf(run)

  it('describes every row, for any order of the rows', () => {
    const rows = Array.from({ length: index.count }, (_, row) => describeRow(index, row))
    const expected = [...run.rows].map(({ environment, task, model, agent, column, temperature, seed, outcome, key }) =>
      [environment, task, model, agent, column, temperature, seed, outcome, key.slice(0, 12)].join(' '),
    )
    expect([...rows].sort()).toEqual([...expected].sort())
    const shuffled = { ...run, rows: createRandom('order').shuffle([...run.rows]) }
    expect(packIndex(plan, listEpisodes(shuffled).episodes, [], undefined)).toEqual(
      packIndex(plan, listEpisodes(run).episodes, [], undefined),
    )
  })

  it('has a task’s columns, models and agents in consecutive rows, in the order of play', () => {
    const first = Array.from({ length: perTask }, (_, row) => describeRow(index, row))
    expect(new Set(first.map((row) => row.split(' ')[1]))).toEqual(new Set(['task-0']))
    expect(first[0]).toContain('reader act none')
    expect(first.at(-1)).toContain('parrot react agentrefine-1')
  })

  it('has the goals, which are cut, and kinds of tasks, and the rules of columns', () => {
    const { packed, goals, kinds } = index
    expect(goals.map((goal) => goal.length)).toEqual([501, 0, 0, 0, 501, 0])
    expect(kinds).toEqual(['even', 'odd', 'even', 'odd', 'even', 'odd'])
    expect(packed.rules).toEqual(['', 'test', 'test'])
    const stacked = makePlan({ columns: ['none', 'synonyms+list-order'] })
    expect(packIndex(stacked, [], [], undefined).rules).toEqual(['', 'synonyms: test; list-order: test'])
  })

  it('finds the clean twin and the other columns of every episode', () => {
    for (let row = 0; row < index.count; row++) {
      const twin = index.twin(row)
      const same = describeRow(index, row).split(' ').slice(0, 4).join(' ')
      if (index.packed.columns[index.digits.column[row]!] === 'none') expect(twin).toBeUndefined()
      else expect(describeRow(index, twin!)).toContain(`${same} none`)
      expect(index.siblings(row)).toHaveLength(3)
      expect(index.siblings(row)).toContain(row)
    }
  })

  it('finds an episode by its key or a prefix of it, and nothing else', () => {
    const [row] = [...run.rows].slice(7)
    const found = index.find(row!.key)!
    expect(describeRow(index, found)).toContain(row!.key.slice(0, 12))
    expect(index.find(index.keyOf(found))).toBe(found)
    expect(index.find('0123456789ab')).toBeUndefined()
  })

  it('marks lost and gained episodes, but no broken ones', () => {
    const ends: Record<string, readonly [Outcome, Outcome]> = {
      'task-0': ['success', 'failure'],
      'task-1': ['failure', 'success'],
      'task-2': ['success', 'model-error'],
      'task-3': ['success', 'success'],
    }
    const small = makePlan({ columns: ['none', 'agentrefine-1'], models: ['m'], temperatures: [0], seeds: [1] })
    const opened = indexOf(makeRun(small, (at) => makeRow(at, ends[at.task]![at.column === 'none' ? 0 : 1], 0)))
    const changes = Array.from({ length: opened.count }, (_, row) =>
      opened.twin(row) === undefined ? [] : [opened.changes[row]],
    )
    expect(changes.flat()).toEqual(['lost', 'gained', 'none', 'none'])
  })

  it('has no twins if none were played', () => {
    const opened = indexOf(makeRun(makePlan({ columns: ['agentrefine-1'] }), (at) => at))
    expect(opened.packed.clean).toBe(-1)
    expect(opened.twin(0)).toBeUndefined()
  })
})

describe('a filter of episodes', () => {
  const index = indexOf(runWithTrajectories(plan))
  const count = (filter: Partial<typeof noFilter>): number => filterRows(index, { ...noFilter, ...filter }).length

  it.each([
    ['all', {}, 432],
    ['a model', { model: 'parrot' }, 216],
    ['an environment', { environment: 'kitchen' }, 144],
    ['a column and an agent', { column: 'agentrefine-1', agent: 'react' }, 72],
    ['a temperature', { temperature: '1' }, 216],
    ['a seed', { seed: '2' }, 144],
    ['a kind', { kind: 'even' }, 216],
    ['words of a goal', { text: 'countertop PLATE' }, 144],
    ['refused actions', { refused: 'some' }, 72],
    ['no refused action', { refused: 'none' }, 360],
    ['actions in memorised wording', { refused: 'memorised wording' }, 72],
    ['an unknown state of refusal', { refused: 'many' }, 0],
    ['an outcome', { outcome: 'step-limit' }, 72],
    ['what was lost', { change: 'lost' }, 72],
    ['what was gained', { change: 'gained' }, 0],
    ['words in any order and case', { text: 'PARROT task-3' }, 36],
    ['a key', { text: index.keyOf(17) }, 1],
    ['unknown names', { model: 'nobody' }, 0],
    ['an outcome of no episode', { outcome: 'budget' }, 0],
  ])('selects %s', (_, filter, expected) => {
    expect(count(filter)).toBe(expected)
  })

  it.each([
    ['nothing', noFilter, '#episodes'],
    ['names', { ...noFilter, model: 'a&b=c #1', change: 'lost' }, '#episodes?model=a%26b%3Dc+%231&change=lost'],
  ])('is written as an address and read again: %s', (_, filter, address) => {
    expect(writeAddress(filter)).toBe(address)
    expect(readAddress(address)?.filter ?? noFilter).toEqual(filter)
  })

  it('is written with an episode and a step, and read again', () => {
    const filter = { ...noFilter, find: 'refused: open', sort: '-steps', page: '2' }
    const address = writeAddress(filter, '0123456789ab', 'clean-3')
    expect(address).toBe('#0123456789ab?step=clean-3&find=refused%3A+open&sort=-steps&page=2')
    expect(readAddress(address)).toEqual({ key: '0123456789ab', filter, step: 'clean-3' })
    expect(readAddress(writeAddress(noFilter, '0123456789ab'))).toEqual({ key: '0123456789ab', step: '' })
  })

  it('is not read from other addresses', () => {
    for (const hash of ['', '#tables', '#episodesX?text=a', '#0123?text=a']) {
      expect(readAddress(hash)).toBeUndefined()
    }
    expect(readAddress('#episodes')).toEqual({ step: '' })
  })
})

describe('a list that is too long', () => {
  const many = makePlan({ environments: [{ name: 'household', tasks: 20 }], models: ['reader', 'parrot'] })
  const run = runWithTrajectories(many)

  it("keeps episodes whose outcome differs from their twin's, and the twins", () => {
    const list = listEpisodes(run, 300)
    expect(list).toMatchObject({ stored: 720, everyNth: 1 })
    const index = indexOf(run, 300)
    expect(index.count).toBe(240)
    for (let row = 0; row < index.count; row++) {
      const words = describeRow(index, row)
      expect(words).toContain('parrot')
      expect(words).toMatch(/agentrefine-1|none/)
    }
    expect(describeEpisodes(run, list).join(' ')).toContain(
      'This page lists 240 of 720 episodes: those that ended differently from their clean twin, and the twins.',
    )
  })

  it('is reduced by task, seed and temperature if it is still too long', () => {
    const list = listEpisodes(run, 100)
    expect(list.everyNth).toBe(3)
    expect(list.episodes).toHaveLength(80)
    expect(describeEpisodes(run, list).join(' ')).toContain(
      'the twins, of every 3rd task, seed and temperature with such an episode.',
    )
    const index = indexOf(run, 100)
    for (let row = 0; row < index.count; row++) expect(index.siblings(row)).toHaveLength(2)
  })

  it('is reduced in a run without twins too', () => {
    const clean = makeRun(
      makePlan({ columns: ['agentrefine-1'], environments: [{ name: 'household', tasks: 20 }] }),
      (at) => at,
    )
    expect(listEpisodes(clean, 100).episodes).toHaveLength(80)
  })

  it('counts stored episodes, not planned ones', () => {
    const begun = { ...run, rows: [...run.rows].slice(0, 50) }
    expect(listEpisodes(begun, 100)).toMatchObject({ stored: 50 })
    expect(listEpisodes(begun, 100).episodes).toHaveLength(50)
    expect(listEpisodes(begun, 100).everyNth).toBeUndefined()
  })
})

describe('chunks', () => {
  const unpack = (text: string): PackedChunk =>
    JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString()) as PackedChunk

  it('contain trajectories, with each message of a prompt once', () => {
    const run = runWithTrajectories()
    const { episodes } = listEpisodes(run)
    const chunks = [...packChunks(episodes, run)]
    expect(chunks).toHaveLength(1)
    const { messages, episodes: packed } = unpack(chunks[0]!.text)
    expect(packed).toHaveLength(episodes.length)
    expect(messages).toHaveLength(3 + 4)
    const rows = new Map([...run.rows].map((row) => [row.key, row]))
    for (const { key, said } of packed) {
      const { column, model, task } = rows.get(key)!
      const { prompt, ...rest } = trajectoryOf(column, model, task)
      expect(said).toEqual({ ...rest, prompt: said!.prompt })
      expect(said!.prompt.map((place) => messages[place])).toEqual(prompt)
    }
  })

  it('are closed before they become too long, even within a task', () => {
    const run = runWithTrajectories()
    const long = 'x'.repeat(400_000)
    const trajectories: StoredRun['trajectories'] = (keys) =>
      new Map(keys.map((key) => [key, { prompt: [], opening: { observation: long }, steps: [] }]))
    const chunks = [...packChunks(listEpisodes(run).episodes, { trajectories })]
    expect(chunks.map(({ episodes }) => episodes)).toEqual(Array.from({ length: 72 }, () => 2))
  })

  it('contain keys and errors if there are no trajectories', () => {
    const plan = makePlan({})
    const run = makeRun(plan, (at) => ({ ...makeRow(at, 'model-error', 0), error: 'The server is gone.' }))
    const [chunk] = [...packChunks(listEpisodes(run).episodes, {})]
    expect(unpack(chunk!.text).episodes[0]).toMatchObject({ error: 'The server is gone.', calls: { made: 10 } })
    expect(unpack(chunk!.text).episodes[0]).not.toHaveProperty('said')
  })

  const place = (
    count: number,
    characters: number,
    episodes: number,
    max?: { episodes: number; characters: number },
  ) => {
    const chunks = Array.from({ length: count }, (_, index) => ({
      episodes: 10,
      text: String(index % 10).repeat(characters),
    }))
    const files: { readonly file: string; readonly text: string }[] = []
    const placing = placeChunks(chunks, episodes, max)
    for (;;) {
      const next = placing.next()
      if (next.done === true) return { files, placed: next.value }
      files.push(next.value)
    }
  }

  it('stay in the page if the run is small', () => {
    const { files, placed } = place(5, 1000, 50)
    expect(files).toEqual([])
    expect(placed).toEqual({
      episodes: [10, 10, 10, 10, 10],
      inline: ['0', '1', '2', '3', '4'].map((digit) => digit.repeat(1000)),
    })
  })

  it.each([
    ['many episodes', 5, 1_500_000, 10_001, undefined, [3, 2]],
    ['long episodes', 9, 3_000_000, 90, undefined, [2, 2, 2, 2, 1]],
    ['one file', 2, 10, 11, { episodes: 10, characters: 1000 }, [2]],
  ])('go into files beside it: %s', (_, count, characters, episodes, max, expected) => {
    const { files, placed } = place(count, characters, episodes, max)
    expect(placed.inline).toEqual([])
    expect(placed.files!.map(({ chunks }) => chunks)).toEqual(expected)
    expect(files.map(({ file }) => file)).toEqual(placed.files!.map(({ file }) => file))
    expect(files[0]!.file).toBe('report-episodes-0001.js')
    expect(files.every(({ file }) => isSideFile(file))).toBe(true)
    const texts = files.flatMap(({ text }) => {
      const [, hash, list] = /^shaketableEpisodes\("([0-9a-f]{16})",(\["[\w+/="\],]+)\)\n$/.exec(text)!
      expect(placed.files!.map((file) => file.hash)).toContain(hash)
      return JSON.parse(list!) as string[]
    })
    expect(texts.map((text) => text[0])).toEqual(Array.from({ length: count }, (_, index) => String(index)))
  })

  it.each(['report.html', 'report-episodes-1.js', 'x-report-episodes-0001.js', 'report-episodes-0001.json'])(
    'are not in a file named %s',
    (file) => {
      expect(isSideFile(file)).toBe(false)
    },
  )
})
