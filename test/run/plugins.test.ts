import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { createRandom, perturb, textOf } from '../../src/index.js'
import { hashOf } from '../../src/core/episode.js'
import type { Registry } from '../../src/run/registry.js'
import { loadRegistry } from '../../src/run/plugins.js'
import { createToy } from '../toy-environment.js'
import { syncWorld } from '../sync-world.js'

const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/plugins/${name}`, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'shaketable-plugins-'))
afterAll(() => rmSync(folder, { recursive: true }))

const loadLenses = async (paths: readonly string[]) => (await loadRegistry(paths)).own('lens')

function write(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

let written = 0

async function messageFor(text: string): Promise<string> {
  const path = write(`own-${String(written++)}.ts`, text)
  const thrown: unknown = await loadRegistry([path]).catch((error: unknown) => error)
  expect(thrown).toMatchObject({ name: 'ShaketableError', code: 'bad-input' })
  const { message } = thrown as Error
  expect(message).toContain(path)
  expect(message).not.toContain('\n')
  return message.replace(path, 'FILE').replaceAll(/\S*own-\d+.ts/g, 'FILE')
}

const whole = (change: string): string =>
  `export default { name: 'own', summary: 's', source: 's', promise: 'invariant', open: () => ({}), ${change} }`

describe('a plug-in', () => {
  it('is loaded from a .ts file and plays', async () => {
    const [pullOpen] = await loadLenses([fixture('pull-open.ts')])
    expect(pullOpen).toMatchObject({
      kind: 'lens',
      name: 'pull-open',
      version: expect.stringMatching(/^1\+[0-9a-f]{8}$/) as unknown,
      graded: false,
      promise: 'invariant',
    })
    const lens = pullOpen!.open({
      briefing: {} as never,
      names: [],
      random: createRandom('1'),
      intensity: 1,
      draw: 1,
      options: {},
    })
    expect(lens.form!('open {recep}')).toBe('pull {recep} open')
  })

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

  it('shares its classes with this package', async () => {
    const path = write(
      'throws.mjs',
      "import { ShaketableError } from 'shaketable'\nexport default { name: 'throws', promise: 'harder', open() { throw new ShaketableError('perturbation', 'not here') } }",
    )
    const [throws] = await loadLenses([path])
    const { ShaketableError } = await import('../../src/index.js')
    expect(() => throws!.open({} as never)).toThrow(ShaketableError)
  })

  it('explains in one sentence what is wrong with its file', async () => {
    const messages = [
      await messageFor('export default definePerturbation({'),
      await messageFor("throw new Error('broken\\nin two lines')"),
      await messageFor("import { nothing } from './not-there'\nexport default nothing"),
      await messageFor('export const name = 1'),
      await messageFor('export default 3'),
      await messageFor('export default []'),
      await messageFor('export default null'),
      await messageFor(whole("name: 'Own Name'")),
      await messageFor(whole("name: 'agentrefine-1'")),
      await messageFor(whole("name: 'none'")),
      await messageFor(whole("promise: 'better'")),
      await messageFor(whole('promise: undefined')),
      await messageFor(whole('adversarial: false')),
      await messageFor(whole('open: 3')),
      await messageFor(whole("kind: 'filter'")),
      await messageFor(whole("graded: 'yes'")),
      await messageFor(`export default [${whole('').slice(15)}, {}]`),
    ]
    expect(messages.join('\n')).toMatchInlineSnapshot(`
      "The plug-in FILE cannot be loaded: ParseError: Unexpected token FILE:1:35
      The plug-in FILE cannot be loaded: broken in two lines
      The plug-in FILE cannot be loaded: Cannot find module './not-there' Require stack: - FILE
      The plug-in FILE cannot be used: it exports none. Export a definition made by one of definePerturbation(), defineDataFilter(), defineEnvironment(), defineAgent(), defineModel(), defineReport(), defineLaw(), a list of them, or several by names.
      The plug-in FILE cannot be used: expected a definition, got 3. Export a definition made by one of definePerturbation(), defineDataFilter(), defineEnvironment(), defineAgent(), defineModel(), defineReport(), defineLaw(), a list of them, or several by names.
      The plug-in FILE cannot be used: its default export is an empty list. Export a definition made by one of definePerturbation(), defineDataFilter(), defineEnvironment(), defineAgent(), defineModel(), defineReport(), defineLaw(), a list of them, or several by names.
      The plug-in FILE cannot be used: expected a definition, got null. Export a definition made by one of definePerturbation(), defineDataFilter(), defineEnvironment(), defineAgent(), defineModel(), defineReport(), defineLaw(), a list of them, or several by names.
      The plug-in FILE cannot be used: for 'name' it needs a name of at most 60 small letters, digits and single dashes, such as my-perturbation, got 'Own Name'. Export a definition made by definePerturbation({ name, summary, source, promise, open }), a list of them, or several by names.
      The plug-in FILE cannot be used: the name 'agentrefine-1' is taken by a perturbation that ships with shaketable; choose another. Export a definition made by definePerturbation({ name, summary, source, promise, open }), a list of them, or several by names.
      The plug-in FILE cannot be used: the name 'none' is taken by a perturbation that ships with shaketable; choose another. Export a definition made by definePerturbation({ name, summary, source, promise, open }), a list of them, or several by names.
      The plug-in FILE cannot be used: for 'promise' it needs 'invariant', 'identity', 'harder' or 'easier', got 'better'. Export a definition made by definePerturbation({ name, summary, source, promise, open }), a list of them, or several by names.
      The plug-in FILE cannot be used: The perturbation 'own': 'promise' must be a string, got undefined. Export a definition made by definePerturbation({ name, summary, source, promise, open }), a list of them, or several by names.
      The plug-in FILE cannot be used: for 'adversarial' it needs true, or nothing at all, got false. Export a definition made by definePerturbation({ name, summary, source, promise, open }), a list of them, or several by names.
      The plug-in FILE cannot be used: The perturbation 'own': 'open' must be a function, got 3. Export a definition made by definePerturbation({ name, summary, source, promise, open }), a list of them, or several by names.
      The plug-in FILE cannot be used: The data filter 'own' has no field 'promise'. Known: name, summary, source, kind, version, rules, environments, open. Export a definition made by defineDataFilter({ name, summary, source, open }), a list of them, or several by names.
      The plug-in FILE cannot be used: The perturbation 'own': 'graded' must be true or false, got 'yes'. Export a definition made by definePerturbation({ name, summary, source, promise, open }), a list of them, or several by names.
      The plug-in FILE cannot be used: A perturbation: 'name' must be a string, got undefined. Export a definition made by definePerturbation({ name, summary, source, promise, open }), a list of them, or several by names."
    `)
  })

  it('is reported when it does not exist', async () => {
    await expect(loadRegistry([join(folder, 'nowhere.ts')])).rejects.toThrow(
      /There is no plug-in file at .*nowhere\.ts/,
    )
    await expect(loadRegistry([folder])).rejects.toThrow('Give the path of a .ts, .js or .json file')
  })

  it('may not have the same name as another', async () => {
    const paths = [write('a.ts', whole('')), write('b.ts', whole(''))]
    await expect(loadRegistry(paths)).rejects.toThrow(/Both .*a\.ts and .*b\.ts define a perturbation 'own'/)
  })

  it.each([
    ['open: () => undefined', 'commands, act, wrap, got undefined'],
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

  it.each([
    ["open: 'x'", "The data filter 'mine': 'open' must be a function, got 'x'."],
    ["rules: 'x'", "The data filter 'mine': 'rules' must be a list, got 'x'."],
    [
      "name: 'agentrefine-5'",
      "the name 'agentrefine-5' is taken by a data filter that ships with shaketable; choose another.",
    ],
  ])('is refused with %s', async (change, message) => {
    const path = write(`filter-${String(written++)}.ts`, `export default ${filter(change)}`)
    await expect(loadRegistry([path])).rejects.toThrow(message)
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
    ['name', '() => ({ name: async () => { throw new Error() } })'],
    ['text', '() => ({ text: (pieces) => Promise.resolve(pieces) })'],
  ])('%s that returns a promise is refused by its name at the first call', async (hook, lens) => {
    const call = async (): Promise<unknown> => {
      const opened = await open(lens)
      return [
        opened.form?.('look'),
        opened.name?.('desk 1'),
        opened.text?.(['You look.'], { part: 'observations' } as never),
      ]
    }
    await expect(call).rejects.toMatchObject({
      code: 'perturbation',
      message: expect.stringMatching(
        `^The hook '${hook}' of the perturbation 'own' \\(\\S+\\) gave a promise, but it must answer at once\\.`,
      ) as unknown,
    })
  })
})

describe('a definition of any kind', () => {
  const define = (maker: string, fields: string): string =>
    `import { ${maker} } from 'shaketable'\nexport default ${maker}({ name: 'own', ${fields} })`
  const briefing = { system: '', instruction: [], forms: [], examples: [], goal: '', help: [] }
  const load = async (text: string) => loadRegistry([write(`kind-${String(written++)}.ts`, text)])

  it.each([
    ['definePerturbation', "promis: 'invariant', open() {}", "no field 'promis'. Did you mean 'promise'?"],
    ['definePerturbation', "promise: 'invariant', intensity: true, open() {}", "Did you mean 'graded'?"],
    ['definePerturbation', "promise: 'invariant', environment: 'houshold', open() {}", "Did you mean 'household'?"],
    ['definePerturbation', "promise: 'invariant', counterpartOf: 'agentrefin-1', open() {}", "'agentrefine-1'?"],
    ['defineDataFilter', 'rulez: [], open() {}', "no field 'rulez'. Did you mean 'rules'?"],
    ['defineEnvironment', 'tasks: [], begn() {}, begin() {}', "no field 'begn'. Did you mean 'begin'?"],
    ['defineAgent', "begin() {}, stops: ['x']", "no field 'stops'. Did you mean 'stop'?"],
    ['defineAgent', "begin() {}, stop: 'x'", "'stop' must be a list of strings, got 'x'"],
    ['defineModel', 'settings: {}', "needs a function 'complete' or 'create', got neither"],
    ['defineModel', 'complet() {}, complete() {}', "no field 'complet'. Did you mean 'complete'?"],
    ['defineReport', 'render: 3', "'render' must be a function, got 3"],
    ['defineReport', "name: 'main', *render() {}", "the name 'main' is taken by a report that ships with shaketable"],
    ['defineLaw', "summary: 's', check: 3", "'check' must be a function, got 3"],
    ['defineLaw', "summary: 's', chek() {}, check() {}", "no field 'chek'. Did you mean 'check'?"],
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

  it('may hand on the text [object Object] that it was given', async () => {
    const registry = await load(
      define(
        'defineAgent',
        `begin(briefing, opening) {
          const lines = [briefing.goal, opening]
          return {
            messages: () => [{ role: 'user', content: lines.join() }], read() {},
            observe: (action, observation) => void lines.push(observation) }
        }`,
      ),
    )
    const told = '[object Object] is printed'
    const agent = registry.find('agent', 'own')
    const observing = agent.begin(briefing, 'hall')
    observing.observe('look', told)
    const begun = [observing, agent.begin(briefing, told), agent.begin({ ...briefing, goal: told }, 'hall')]
    for (const one of begun) expect(one.messages()[0]!.content).toContain(told)
  })

  it('may be written by hand if it names its kind', async () => {
    const registry = await load("export const a = { kind: 'agent', name: 'own', begin() {} }")
    expect(registry.own('agent')[0]!.phrase('look')).toBe('look')
    await expect(load("export const a = { kind: 'agnt', name: 'own' }")).rejects.toThrow("Did you mean 'agent'?")
  })

  const calls: readonly (readonly [string, string, (registry: Registry) => unknown, string])[] = [
    [
      'defineAgent',
      "begin() { throw new Error('no\\nluck') }",
      (registry) => registry.find('agent', 'own').begin(briefing, ''),
      "The hook 'begin' of the agent 'own' (FILE) threw: no luck. Correct it there; SHAKETABLE_DEBUG=1 prints where.",
    ],
    [
      'defineAgent',
      'begin: () => ({ messages: () => [{ role: 1 }], read() {}, observe() {} })',
      (registry) => registry.find('agent', 'own').begin(briefing, '').messages(),
      "The hook 'messages' of the agent 'own' (FILE) must give a list of messages, each such as { role, content }, got a list.",
    ],
    [
      'defineAgent',
      "begin: () => ({ messages: () => [{ role: 'user', content: `${{}}Observation:` }], read() {}, observe() {} })",
      (registry) => registry.find('agent', 'own').begin(briefing, '').messages(),
      "The hook 'messages' of the agent 'own' (FILE) must give text, got [object Object] in it: an object was put into a text. Put in its fields, such as above and below of layBriefing(briefing).",
    ],
    [
      'definePerturbation',
      "promise: 'invariant', open: () => ({ text: (pieces) => pieces + {} })",
      (registry) => registry.find('lens', 'own').open({} as never).text!(['a'], {} as never),
      "The hook 'text' of the perturbation 'own' (FILE) must give text, got [object Object] in it: an object was put into a text. Put in its fields, such as above and below of layBriefing(briefing).",
    ],
    [
      'defineAgent',
      "begin: () => ({ messages() {}, read: () => ({ action: '', formatError: true }), observe() {} })",
      (registry) => registry.find('agent', 'own').begin(briefing, '').read('look'),
      "What the hook 'read' of the agent 'own' (FILE) gave: 'formatError' must be a string, got true.",
    ],
    [
      'defineAgent',
      "begin: () => ({ messages() {}, read: () => ({ action: 'look', thought: ['so'] }), observe() {} })",
      (registry) => registry.find('agent', 'own').begin(briefing, '').read('look'),
      "What the hook 'read' of the agent 'own' (FILE) gave: 'thought' must be a string, got a list.",
    ],
    [
      'defineAgent',
      "begin: () => ({ messages() {}, read: () => ({ acton: 'look' }), observe() {} })",
      (registry) => registry.find('agent', 'own').begin(briefing, '').read('look'),
      "What the hook 'read' of the agent 'own' (FILE) gave has no field 'acton'. Did you mean 'action'? Known: action, thought, actionEnded, formatError.",
    ],
    ...(
      [
        ["text: 'look', reasoning: 1", "'reasoning' must be a string, got 1"],
        ["text: 'look', promptTokens: '9'", "'promptTokens' must be a number, got '9'"],
        [
          "text: '', toolCalls: [{ name: 'act', arguments: {} }]",
          "'toolCalls' must be a list of calls, each with a name and its arguments as strings, got a list",
        ],
      ] as const
    ).map(([given, message]): (typeof calls)[number] => [
      'defineModel',
      `complete: async () => ({ ${given} })`,
      (registry) =>
        registry
          .find('model', 'own')
          .create()
          .complete([], {} as never),
      `What the hook 'complete' of the model 'own' (FILE) gave: ${message}.`,
    ]),
    [
      'defineModel',
      "complete: async () => 'look'",
      (registry) =>
        registry
          .find('model', 'own')
          .create()
          .complete([], {} as never),
      "The hook 'complete' of the model 'own' (FILE) must give a completion, an object such as { text: 'look' }, got 'look'.",
    ],
    [
      'defineModel',
      'create: async () => 3',
      (registry) => registry.find('model', 'own').create(),
      "The hook 'create' of the model 'own' (FILE) gave a promise, but it must answer at once. Make it a plain function; what takes time belongs into the module, before its export.",
    ],
    [
      'defineReport',
      "*render() { yield 1; throw new Error('half way') }",
      (registry) => [...registry.find('report', 'own').render({ plan: {} } as never)],
      "The hook 'render' of the report 'own' (FILE) threw: half way. Correct it there; SHAKETABLE_DEBUG=1 prints where.",
    ],
  ]
  it.each(calls)('has its hooks checked: %s({ %s })', async (maker, fields, call, message) => {
    const registry = await load(define(maker, fields))
    const thrown: unknown = await (async () => call(registry))().catch((error: unknown) => error)
    expect((thrown as Error).message.replace(/\(\S+\.ts\)/, '(FILE)')).toBe(message)
  })
})
