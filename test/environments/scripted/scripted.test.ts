import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { perturbations } from '../../../perturbations/index.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { ownScripts } from '../../../src/environments/scripted/files.js'
import { createRandom, perturb, textOf } from '../../../src/index.js'
import { parseColumn } from '../../../src/run/columns.js'
import { shaketable } from '../../cli/_command.js'
import { scratchFolder } from '../../scratch.js'
import { honey } from './_scripts.js'

const folder = scratchFolder()

function write(name: string, text: string): string {
  const path = join(folder, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
  return path
}

const damaged = { ...honey, Start: 'attic' }
const begin = async (id: string, column = 'none') => {
  const environment = await openEnvironment('scripted')
  const { applied } = column === 'none' ? { applied: [] } : parseColumn(column, perturbations)
  return perturb(environment, applied).begin(environment.find(id), createRandom('0'))
}

describe('the environment scripted', () => {
  it('plays three scripts of its own without any option', async () => {
    const environment = await openEnvironment('scripted')
    expect(environment.tasks.map(({ id }) => id)).toEqual(ownScripts().map(({ id }) => id))
    expect(environment).toMatchObject({
      version: '1',
      settings: { scripts: 'own' },
      data: { kind: 'generated' },
      notes: [],
    })
    expect(await environment.diagnose!()).toEqual([
      'Of 3 scripts 3 can be completed, 0 cannot, and for 0 it was not found out.',
    ])
  })

  it('tells the actions with their meanings, and the goal', async () => {
    const { briefing, names } = await begin('birdhouse')
    expect(briefing.goal).toMatch(/^Paint the birdhouse green/)
    expect(textOf(briefing.instruction)).toContain(
      "- 'paint {thing} in {colour}': paint a thing, with the brush in your hand (colour: red, green, blue)\n",
    )
    expect(briefing.help).toEqual(['check valid actions'])
    expect(names).toEqual(expect.arrayContaining(['workshop', 'birdhouse', 'oak']))
    expect(names).not.toContain('green')
  })

  it('answers the command for help with what is possible, as data', async () => {
    const world = await begin('lighthouse')
    const { observation, understood } = await world.step('check valid actions')
    expect(understood).toBe(true)
    expect(observation).toEqual(['The actions possible now: ', { list: await world.admissible!() }])
  })

  it('answers a refused wording as it answers an unknown form', async () => {
    const world = await begin('breakfast', 'synonyms')
    const unknown = await world.step('sing a song')
    const old = await world.step('go to cellar')
    expect(textOf(old.observation)).toBe(textOf(unknown.observation))
    expect(old).toMatchObject({ understood: false, command: undefined, memorised: true })
    expect(await world.step('walk to cellar')).toMatchObject({ understood: true, command: 'go to cellar' })
  })

  it('passes on words that are no names through a rewording', async () => {
    const world = await begin('lighthouse', 'synonyms+item-style')
    await world.step('walk to radio room')
    expect(await world.admissible!()).toContain('tune radio to 7')
    expect(await world.step('tune radio to 7')).toMatchObject({ command: 'set radio to 7', progress: 1 / 3 })
    expect(await world.step('set radio to 7')).toMatchObject({ command: undefined, understood: false })
  })

  it('quotes the commands in what a script says as data, so that perturbations reach them', async () => {
    const { 'Available Actions': actions } = honey
    const advice = { parameters: {}, observation: 'Remember to open chest first.', meaning: 'think' }
    const scripts = write(
      'advice.json',
      JSON.stringify({ ...honey, 'Available Actions': { ...actions, think: advice } }),
    )
    const environment = await openEnvironment('scripted', { scripts })
    const world = await environment.begin(environment.tasks[0]!, createRandom('0'))
    const { observation } = await world.step('think')
    expect(observation).toEqual(['Remember to ', { command: 'open chest' }, ' first.'])
  })
})

it('is won by the controls that read, and lost by the one that repeats the old wording', async () => {
  const out = join(folder, 'run')
  const flags = '--env scripted --model oracle,reader,parrot --perturb none,synonyms --temperatures 0 --seeds 1 --json'
  expect(await shaketable(['run', ...flags.split(' '), '--out', out], folder)).toMatchObject({ code: 0 })
  const rows = readFileSync(join(out, 'outcomes.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((row) => JSON.parse(row) as Readonly<Record<'model' | 'column' | 'outcome', string>>)
  const won = (model: string, column: string): number =>
    rows.filter((row) => row.model === model && row.column === column && row.outcome === 'success').length
  expect(rows).toHaveLength(3 * 2 * 3)
  expect(['oracle', 'reader', 'parrot'].map((model) => [won(model, 'none'), won(model, 'synonyms')])).toEqual([
    [3, 3],
    [3, 3],
    [3, 0],
  ])
})

describe('scripts from files', () => {
  const lines = [JSON.stringify({ id: 'honey', persona: 'a beekeeper', script: honey }), JSON.stringify(honey), '']

  it('are JSON lines, each a script or with one in `script`', async () => {
    const environment = await openEnvironment('scripted', { scripts: write('two.jsonl', lines.join('\n')) })
    expect(environment.tasks.map(({ id }) => id)).toEqual(['honey', 'two/2'])
    expect(environment.tasks[0]!.hash).toBe(environment.tasks[1]!.hash)
    expect(environment).toMatchObject({ settings: { scripts: 'files' }, data: { kind: 'files' }, notes: [] })
  })

  it('are a file with one script, or a folder of files in the order of their names', async () => {
    write('many/b.jsonl', lines.join('\n'))
    write('many/a.json', JSON.stringify(honey, null, 2))
    write('many/c.txt', 'not read')
    const environment = await openEnvironment('scripted', { scripts: join(folder, 'many') })
    expect(environment.tasks.map(({ id }) => id)).toEqual(['a', 'honey', 'b/2'])
  })

  it('that cannot be used are left out, counted, with their reasons', async () => {
    const text = [...lines.slice(0, 2), JSON.stringify(damaged), '{"id":', lines[0]].join('\n')
    const environment = await openEnvironment('scripted', { scripts: write('some.jsonl', text) })
    expect(environment.tasks).toHaveLength(2)
    const said =
      "scripted: 3 of 5 scripts are LEFT OUT. some.jsonl:3: Expected a place of the environment as 'Start', got 'attic'. docs/benchmarks.md describes the format; some.jsonl:4: It is not JSON: expected a value, got the end of the text; some.jsonl:5: Another script has the id 'honey'."
    expect(environment.notes).toEqual([said])
    expect(environment.data!.leftOut).toEqual({ count: 3, of: 5, text: said })
  })

  it.each([
    ['none that can be used', 'bad.jsonl', JSON.stringify(damaged), 'There is no script that can be played: bad.jsonl'],
    ['an empty file', 'empty.jsonl', '\n', 'There is no script that can be played: the files are empty'],
    ['a long id', 'id.json', JSON.stringify({ id: 'a\nb', script: honey }), "Expected an 'id' of 1 to 100"],
    ['no such file', undefined, '', 'cannot be read: there is no such file or folder'],
    ['a folder without scripts', 'none/x.txt', '', 'and .jsonl files in it, got none'],
  ])('are an error for %s', async (_, name, text, words) => {
    const path = name === undefined ? join(folder, 'nowhere.jsonl') : write(name, text)
    const message = expect.stringContaining(words) as string
    await expect(
      openEnvironment('scripted', { scripts: path.endsWith('.txt') ? dirname(path) : path }),
    ).rejects.toMatchObject({ code: 'bad-input', message })
  })
})

it('reads and solves 200 scripts in a few seconds', async () => {
  const many = Array.from({ length: 200 }, (_, index) =>
    JSON.stringify({ id: index, script: ownScripts()[index % 3]!.script }),
  )
  const begun = performance.now()
  const environment = await openEnvironment('scripted', { scripts: write('many.jsonl', many.join('\n')) })
  expect(await environment.diagnose!()).toEqual([
    'Of 200 scripts 200 can be completed, 0 cannot, and for 0 it was not found out.',
  ])
  // A fifth of what is allowed for a thousand; it takes about one second alone.
  expect(performance.now() - begun).toBeLessThan(20_000)
})
