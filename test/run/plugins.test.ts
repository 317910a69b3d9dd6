import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createRandom, perturb, textOf } from '../../src/index.js'
import { hashOf } from '../../src/core/episode.js'
import type { Registry } from '../../src/run/registry.js'
import { loadRegistry } from '../../src/run/plugins.js'
import { createToy } from '../toy-environment.js'
import { syncWorld } from '../sync-world.js'
import { scratchFolder } from '../scratch.js'

const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/plugins/${name}`, import.meta.url))
const folder = scratchFolder()

const loadLenses = async (paths: readonly string[]) => (await loadRegistry(paths)).own('lens')

function write(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

let written = 0

const whole = (change: string): string =>
  `export default { name: 'own', summary: 's', source: 's', promise: 'invariant', open: () => ({}), ${change} }`

describe('a plug-in', () => {
  it('may consist of plain objects written by hand, several in one file', async () => {
    const plugins = await loadLenses([fixture('by-hand.js'), fixture('by-hand.js')])
    expect(plugins.map(({ name, graded }) => [name, graded])).toEqual([
      ['number-first', false],
      ['loud', false],
    ])
    const toy = createToy()
    const world = await perturb(toy, [{ perturbation: plugins[0]! }]).begin(toy.tasks[0]!, createRandom('1'))
    expect(textOf(world.opening)).toContain('a 1. sinkbasin, a 1. drawer, a 10. drawer')
    expect(await world.step('go to 10. drawer')).toMatchObject({ command: 'go to drawer 10' })
  })

  it('needs no package beside it, and may have files of its own', async () => {
    write('words.ts', "export const words: Record<string, string> = { 'go to {recep}': 'walk to {recep}' }\n")
    const path = write(
      'walk.ts',
      `import { ShaketableError, definePerturbation, rewordActions } from 'shaketable'
       import { words } from './words'
       export default definePerturbation({ name: 'walk', summary: '', source: '', promise: 'invariant',
         open: () => { if (words === undefined) throw new ShaketableError('usage', 'no words'); return rewordActions(words) } })`,
    )
    const [walk] = await loadLenses([path])
    const toy = createToy()
    const world = await perturb(toy, [{ perturbation: walk! }]).begin(toy.tasks[0]!, createRandom('1'))
    expect(syncWorld(world).admissible()).toContain('walk to drawer 1')
  })

  it.each([
    ['export default definePerturbation({', 'cannot be loaded: ParseError'],
    ["import { nothing } from './not-there'\nexport default nothing", "Cannot find module './not-there'"],
    ['export const name = 1', 'it exports none. Export a definition made by definePerturbation(), '],
    ['export default []', 'its default export is an empty list'],
    [whole("name: 'Own Name'"), "for 'name' it needs .*, got 'Own Name'"],
    [whole("name: 'agentrefine-1'"), "the name 'agentrefine-1' is taken by a perturbation that ships"],
    [whole("promise: 'better'"), "for 'promise' it needs 'invariant', .*, got 'better'"],
    [whole("name: 'agentrefine-5'"), "the name 'agentrefine-5' is taken"],
    [whole("kind: 'filter'"), "The data filter 'own' has no field 'promise'"],
    [`export default [${whole('').slice(15)}, {}]`, "'name' must be a string, got undefined"],
  ])('explains in one sentence what is wrong with its file: %j', async (text, said) => {
    const path = write(`own-${String(written++)}.ts`, text)
    await expect(loadRegistry([path])).rejects.toMatchObject({
      ...{ name: 'ShaketableError', code: 'bad-input' },
      message: expect.stringMatching(
        new RegExp(`^The plug-in ${path}.*${said.replace(/[[\](){}]/g, '\\$&')}.*$`),
      ) as string,
    })
  })

  it('is reported when it does not exist', async () => {
    for (const path of [join(folder, 'nowhere.ts'), folder])
      await expect(loadRegistry([path])).rejects.toThrow('There is no plug-in file at')
  })

  it('may not have the same name as another', async () => {
    const paths = [write('a.ts', whole('')), write('b.ts', whole(''))]
    await expect(loadRegistry(paths)).rejects.toThrow(
      /b\.ts cannot be used: the name 'own' is taken by a perturbation of .*a\.ts; choose another/,
    )
  })

  it.each([
    ['open: () => undefined', "the hook 'open' of the perturbation 'own'"],
    ['open: () => ({ names: () => 1 })', "has no field 'names'. Did you mean 'name'? Known: form, name, text, brief,"],
    ["open: () => ({ form: { 'go to {recep}': 'walk to {recep}' } })", 'must be a function, got an object'],
  ])('is refused with a reason when the result of `open` is invalid: %s', async (change, message) => {
    const [own] = await loadLenses([write(`lens-${String(change.length)}.ts`, whole(change))])
    const toy = createToy()
    await expect(perturb(toy, [{ perturbation: own! }]).begin(toy.tasks[0]!, createRandom('1'))).rejects.toThrow(
      message,
    )
  })
})

describe('a data filter of a plug-in', () => {
  const filter = (change: string): string =>
    `{ kind: 'filter', name: 'mine', summary: 's', source: 's', open: () => () => undefined, ${change} }`

  it('is used where filters are used, beside a perturbation in the same file', async () => {
    const path = write('both.ts', `${whole('').replace('default {', 'default [{')}, ${filter('')}]`)
    expect((await loadLenses([path])).map(({ name }) => name)).toEqual(['own'])
    const filters = (await loadRegistry([path])).own('filter')
    expect(filters).toMatchObject([{ kind: 'filter', name: 'mine', version: '1', rules: [], environments: [] }])
    expect(filters[0]!.open({ environments: [], evaluation: [] })({ turns: [] }, { file: 'x' })).toBe(undefined)
  })
})

describe('a hook of a plug-in', () => {
  const scene = { briefing: {} as never, names: [], random: createRandom('1'), intensity: 1, draw: 1, options: {} }
  const open = async (lens: string) => {
    const path = write(
      `hook-${String(written++)}.js`,
      `export default { name: 'own', promise: 'invariant', open: ${lens} }`,
    )
    return (await loadLenses([path]))[0]!.open(scene)
  }

  it.each([
    ['open', 'async () => ({})'],
    ['form', '() => ({ form: async (form) => form })'],
  ])('%s that returns a promise is refused by its name at the first call', async (hook, lens) => {
    const call = async (): Promise<unknown> => {
      const opened = await open(lens)
      return opened.form?.('look')
    }
    await expect(call).rejects.toMatchObject({
      code: 'perturbation',
      message: expect.stringMatching(`^The hook '${hook}' of the perturbation 'own' .* gave a promise`) as unknown,
    })
  })
})

describe('a definition of any kind', () => {
  const define = (maker: string, fields: string): string =>
    `import { ${maker} } from 'shaketable'\nexport default ${maker}({ name: 'own', ${fields} })`
  const briefing = { system: '', instruction: [], forms: [], examples: [], goal: '', help: [] }
  const load = async (text: string) => loadRegistry([write(`kind-${String(written++)}.ts`, text)])

  it.each([
    ['defineAgent', "begin() {}, stop: 'x'", "'stop' must be a list of strings, got 'x'"],
    ['defineModel', 'settings: {}', "needs a function 'complete' or 'create', got neither"],
    ['defineReport', "name: 'main', *render() {}", "the name 'main' is taken by a report that ships with shaketable"],
  ])('is refused if a field is unknown or mistyped: %s({ %s })', async (maker, fields, message) => {
    await expect(load(define(maker, fields))).rejects.toThrow(message)
  })

  it('keeps every field', async () => {
    const registry = await loadRegistry([fixture('every-kind.ts')])
    expect(registry.find('lens', 'walk')).toMatchObject({ environment: 'two-rooms', counterpartOf: 'agentrefine-1' })
    for (const kind of ['lens', 'filter', 'environment', 'agent', 'model', 'report', 'law'] as const) {
      expect(registry.own(kind)).toHaveLength(1)
      expect(() => registry.find(kind, 'nowhere-near-anything')).toThrow(registry.own(kind)[0]!.name)
    }
    expect(registry.find('agent', 'reflexion:agent=terse').name).toBe('reflexion:agent=terse')
    expect(registry.find('lens', 'P3').name).toBe('agentrefine-3')
  })

  it('has a hash of its text in the keys of its episodes', async () => {
    const texts = [readFileSync(fixture('every-kind.ts'), 'utf8'), 'other'].map((text) => hashOf([text], 8))
    const registry = await loadRegistry([fixture('every-kind.ts')])
    const environment = await registry.find('environment', 'two-rooms').open()
    expect([
      registry.find('lens', 'walk').version,
      environment.version,
      registry.find('agent', 'terse').settings['plugin'],
      registry.find('model', 'stubborn').create().settings['plugin'],
    ]).toEqual([`1+${texts[0]!}`, `1+${texts[0]!}`, texts[0], texts[0]])
    expect(environment.tasks.map(({ id }) => id)).toEqual(['study'])
  })

  it('may be written by hand if it names its kind', async () => {
    const registry = await load("export const a = { kind: 'agent', name: 'own', begin() {} }")
    expect(registry.own('agent')[0]!.phrase('look')).toBe('look')
    await expect(load("export const a = { kind: 'agnt', name: 'own' }")).rejects.toThrow("Did you mean 'agent'?")
  })

  const complete = (registry: Registry) =>
    registry
      .find('model', 'own')
      .create()
      .complete([], {} as never)
  const begin = (registry: Registry) => registry.find('agent', 'own').begin(briefing, '')
  const calls: readonly (readonly [string, string, (registry: Registry) => unknown, string])[] = [
    [
      'defineAgent',
      "begin() { throw new Error('no\\nluck') }",
      begin,
      "'begin' of the agent 'own' (FILE) threw: no luck.",
    ],
    [
      'defineAgent',
      "begin: () => ({ messages: () => 'look', read() {}, observe() {} })",
      (registry) => begin(registry).messages(),
      "'messages' of the agent 'own' (FILE) gave: 'result' must be a list, got 'look'.",
    ],
    [
      'defineAgent',
      "begin: () => ({ messages() {}, read: () => ({ acton: 'look' }), observe() {} })",
      (registry) => begin(registry).read('look'),
      "'read' of the agent 'own' (FILE) gave has no field 'acton'. Did you mean 'action'?",
    ],
    [
      'defineModel',
      "complete: async () => { throw new Error('gone') }",
      complete,
      "'complete' of the model 'own' (FILE) threw: gone.",
    ],
  ]
  it.each(calls)('has its hooks checked: %s({ %s })', async (maker, fields, call, message) => {
    const registry = await load(define(maker, fields))
    const thrown: unknown = await (async () => call(registry))().catch((error: unknown) => error)
    expect((thrown as Error).message.replace(/\(\S+\.ts\)/, '(FILE)')).toContain(`he hook ${message}`)
  })
})
