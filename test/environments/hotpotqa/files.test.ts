import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { perturbations } from '../../../perturbations/index.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { createRandom, perturb, textOf } from '../../../src/index.js'
import { parseColumn } from '../../../src/run/columns.js'
import { scratchFolder } from '../../scratch.js'
import { sharedData } from '../../shared-data.js'

const folder = scratchFolder()

function write(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

/** A file in HotpotQA's own format, with made-up questions. */
const ice = ['Red Ice', ['Red Ice is a novel by Ana Bel.', ' It is long.']] as const
const distractor = write('distractor.json', [
  {
    ...{
      _id: '5a01',
      question: 'Where was the author of Red Ice born?',
      answer: 'Lisk',
      type: 'bridge',
      level: 'hard',
    },
    supporting_facts: [
      ['Red Ice', 0],
      ['Ana Bel', 0],
      ['Ana Bel', 1],
    ],
    context: [ice, ['Ana Bel', ['Ana Bel was born in Lisk. ', 'She sailed.']]],
  },
  {
    ...{ _id: '5a02', question: 'Is Red Ice long?', answer: 'yes', type: 'comparison', level: 'medium' },
    supporting_facts: [['Red Ice', 1]],
    context: [ice, ['Red Ice', ['It was printed twice.']]],
  },
])
const rows = write(
  'simplified.json',
  Array.from({ length: 400 }, (_, index) => ({ question: `Q${String(index)}?`, answer: 'x', type: 'bridge' })),
)

const begin = async (options: Readonly<Record<string, unknown>>) => {
  const environment = await openEnvironment('hotpotqa', options)
  const world = await environment.begin(environment.tasks[0]!, createRandom('0'))
  return { environment, say: async (action: string) => (await world.step(action)).original, world }
}

describe('a question file', () => {
  it('of HotpotQA has its own pages, and a solution that reads the facts', async () => {
    const { environment, say, world } = await begin({ questions: distractor, sample: 0 })
    expect(environment.tasks).toMatchObject([
      { id: '5a01', goal: 'Where was the author of Red Ice born?', kind: 'bridge', difficulty: 'hard' },
      { id: '5a02', kind: 'comparison' },
    ])
    expect(environment.tasks[1]).not.toHaveProperty('difficulty')
    expect(await world.solve!()).toEqual(['search[Red Ice]', 'search[Ana Bel]', 'finish[Lisk]'])
    expect(await say('search[red_ice]')).toBe('Red Ice is a novel by Ana Bel. It is long.. It was printed twice..')
    expect(await say('search[ana]')).toBe("Could not find ana. Similar: ['Ana Bel', 'Red Ice'].")
    expect(await say('search[Ana Bel]')).toBe('Ana Bel was born in Lisk. She sailed..')
    expect(environment.measure).toContain('7 steps; pages: 2 of the question file')
    expect(environment.data).toMatchObject({ kind: 'benchmark', from: 'HotpotQA', split: 'all questions' })
    expect(JSON.stringify(environment.settings)).not.toContain(folder)
  })

  it('of the Hub is read like those of HotpotQA', async () => {
    const own = JSON.parse(readFileSync(distractor, 'utf8')) as Record<
      'supporting_facts' | 'context',
      [string, unknown][]
    >[]
    const lists = (pairs: readonly [string, unknown][], name: string) => ({
      title: pairs.map(([title]) => title),
      [name]: pairs.map(([, value]) => value),
    })
    const hub = own.map(({ supporting_facts: facts, context, ...row }) => {
      const { _id: id, level = null, ...rest } = row as Record<string, unknown>
      return { id, ...rest, level, supporting_facts: lists(facts, 'sent_id'), context: lists(context, 'sentences') }
    })
    const questions = write('hub.jsonl', `\ufeff${hub.map((row) => `${JSON.stringify(row)}\n`).join('')}`)
    const { environment, world } = await begin({ questions, sample: 0, corpus: questions })
    expect(environment.tasks).toMatchObject([{ id: '5a01', difficulty: 'hard' }, { id: '5a02' }])
    expect(await world.solve!()).toEqual(['search[Red Ice]', 'search[Ana Bel]', 'finish[Lisk]'])
  })

  it('of ReAct is sampled as ReAct does, and searched elsewhere', async () => {
    const { environment } = await begin({ questions: rows, corpus: distractor })
    expect(environment.tasks).toHaveLength(300)
    expect(environment.data!.split).toBe('300 of 400 by seed 233')
    expect(environment.find('399').goal).toBe('Q399?')
    const other = await openEnvironment('hotpotqa', { questions: rows, corpus: distractor, sample: 5, sampleSeed: 0 })
    expect(other.tasks).toHaveLength(5)
    expect(other.tasks.map(({ id }) => id)).not.toEqual(environment.tasks.slice(0, 5).map(({ id }) => id))
    // Equal questions are equal tasks, whatever the sample.
    expect(environment.find('7').hash).toBe(other.find('7').hash)
  })

  it.each<readonly [string, unknown, string]>([
    ['is not JSON', '[{', 'is not JSON'],
    ['has no answers', [{ question: 'Q' }], "entry 0: Invalid input: expected string, received undefined at 'answer'"],
    ['has no pages', [{ question: 'Q', answer: 'a' }], 'Add --set hotpotqa.wiki=https://en.wikipedia.org, or'],
  ])('that %s is refused with advice', async (_, content, message) => {
    await expect(openEnvironment('hotpotqa', { questions: write('bad.json', content) })).rejects.toThrow(message)
  })
})

describe('ReAct’s prompt file', () => {
  const text = [
    '\nQuestion: Q1?\nThought 1: I need A.\nAction 1: Search[A]\nObservation 1: A is b.\nThought 2: So b.\nAction 2: Finish[b]\n',
    'Question: Q2?\nThought 1: Hm.\nAction 1: Finish[c]\n',
  ].join('')
  const prompt = write('prompts.json', { webthink_simple6: text })

  it('gives the worked examples, whose actions are reworded', async () => {
    const { environment } = await begin({ prompt })
    const { applied } = parseColumn('synonyms', perturbations)
    const world = await perturb(environment, applied).begin(environment.tasks[0]!, createRandom('0'))
    const shown = world.briefing.examples.map(({ opening, exchanges }) => [
      textOf(opening),
      ...exchanges.map(({ action, observation }) => [action, textOf(observation)]),
    ])
    const end = 'Episode finished, reward = 1'
    expect(shown).toEqual([
      ['Question: Q1?\nThought: I need A.', ['query[A]', 'A is b.\nThought: So b.'], ['answer[b]', end]],
      ['Question: Q2?\nThought: Hm.', ['answer[c]', end]],
    ])
  })

  it.skipIf(sharedData === undefined)('has six examples, equal to the file but for the numbers', async () => {
    const { environment, world } = await begin({ prompt: join(sharedData ?? '', 'hotpotqa', 'prompts.json') })
    expect(world.briefing.examples).toHaveLength(6)
    expect(world.briefing.examples[0]!.exchanges[0]!.action).toBe('Search[Colorado orogeny]')
    expect(environment.settings['prompt']).not.toBe('own')
  })
})
