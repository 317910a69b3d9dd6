import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { createRandom, perturb, textOf } from '../../src/index.js'
import { loadDataFilters, loadPlugins } from '../../src/run/plugins.js'
import { createToy } from '../toy-environment.js'
import { told } from '../told-world.js'

const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/plugins/${name}`, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'shaketable-plugins-'))
afterAll(() => rmSync(folder, { recursive: true }))

function write(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

let written = 0

async function messageFor(text: string): Promise<string> {
  const path = write(`own-${String(written++)}.ts`, text)
  const thrown: unknown = await loadPlugins([path]).catch((error: unknown) => error)
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
    const [pullOpen] = await loadPlugins([fixture('pull-open.ts')])
    expect(pullOpen).toMatchObject({
      kind: 'lens',
      name: 'pull-open',
      version: '1',
      graded: false,
      promise: 'invariant',
    })
    const lens = pullOpen!.open({ briefing: {} as never, names: [], random: createRandom('1'), intensity: 1 })
    expect(lens.form!('open {recep}')).toBe('pull {recep} open')
  })

  it('may be plain objects written by hand, several in one file', async () => {
    const plugins = await loadPlugins([fixture('by-hand.js'), fixture('by-hand.js')])
    expect(plugins.map(({ name, version, graded }) => [name, version, graded])).toEqual([
      ['number-first', '1', false],
      ['loud', '1', false],
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
    const [walk] = await loadPlugins([path])
    const toy = createToy()
    const world = await perturb(toy, [{ perturbation: walk! }]).begin(toy.tasks[0]!, createRandom('1'))
    expect(told(world).admissible()).toContain('walk to drawer 1')
  })

  it('has the very same classes as this package', async () => {
    const path = write(
      'throws.mjs',
      "import { ShaketableError } from 'shaketable'\nexport default { name: 'throws', promise: 'harder', open() { throw new ShaketableError('perturbation', 'not here') } }",
    )
    const [throws] = await loadPlugins([path])
    const { ShaketableError } = await import('../../src/index.js')
    expect(() => throws!.open({} as never)).toThrow(ShaketableError)
  })

  it('says in one sentence what is wrong with its file', async () => {
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
      await messageFor(whole('open: 3')),
      await messageFor(whole("kind: 'filter'")),
      await messageFor(whole("graded: 'yes'")),
      await messageFor(`export default [${whole('').slice(15)}, {}]`),
    ]
    expect(messages.join('\n')).toMatchInlineSnapshot(`
      "The plug-in FILE cannot be loaded: ParseError: Unexpected token FILE:1:35
      The plug-in FILE cannot be loaded: broken in two lines
      The plug-in FILE cannot be loaded: Cannot find module './not-there' Require stack: - FILE
      The plug-in FILE defines no perturbation: it has no default export. Export one made by definePerturbation({ name, summary, source, promise, open }) as the default, or a list of them.
      The plug-in FILE defines no perturbation: its default export is a number. Export one made by definePerturbation({ name, summary, source, promise, open }) as the default, or a list of them.
      The plug-in FILE defines no perturbation: its default export is an empty list. Export one made by definePerturbation({ name, summary, source, promise, open }) as the default, or a list of them.
      The plug-in FILE defines no perturbation: its default export is null. Export one made by definePerturbation({ name, summary, source, promise, open }) as the default, or a list of them.
      The plug-in FILE defines no perturbation: for 'name' it needs a name of small letters, digits and single dashes, such as my-perturbation, got 'Own Name'. Export one made by definePerturbation({ name, summary, source, promise, open }) as the default, or a list of them.
      The plug-in FILE defines no perturbation: the name 'agentrefine-1' is taken; choose another. Export one made by definePerturbation({ name, summary, source, promise, open }) as the default, or a list of them.
      The plug-in FILE defines no perturbation: the name 'none' is taken; choose another. Export one made by definePerturbation({ name, summary, source, promise, open }) as the default, or a list of them.
      The plug-in FILE defines no perturbation: for 'promise' it needs 'invariant', 'identity', 'harder' or 'easier', got 'better'. Export one made by definePerturbation({ name, summary, source, promise, open }) as the default, or a list of them.
      The plug-in FILE defines no perturbation: for 'promise' it needs 'invariant', 'identity', 'harder' or 'easier', got nothing. Export one made by definePerturbation({ name, summary, source, promise, open }) as the default, or a list of them.
      The plug-in FILE defines no perturbation: for 'open' it needs a function that opens a lens, got a number. Export one made by definePerturbation({ name, summary, source, promise, open }) as the default, or a list of them.
      The plug-in FILE defines no perturbation: 'own' is a data filter, which is used with filter-ind. Export one made by definePerturbation({ name, summary, source, promise, open }) as the default, or a list of them.
      The plug-in FILE defines no perturbation: for 'graded' it needs true or false, got 'yes'. Export one made by definePerturbation({ name, summary, source, promise, open }) as the default, or a list of them.
      The plug-in FILE defines no perturbation: for 'name' it needs a name, got nothing. Export one made by definePerturbation({ name, summary, source, promise, open }) as the default, or a list of them."
    `)
  })

  it('is missed, when it is not there', async () => {
    await expect(loadPlugins([join(folder, 'nowhere.ts')])).rejects.toThrow(/There is no plug-in file at .*nowhere\.ts/)
    await expect(loadPlugins([folder])).rejects.toThrow('Give the path of a .ts or .js file')
  })

  it('does not share its name with another', async () => {
    const paths = [write('a.ts', whole('')), write('b.ts', whole(''))]
    await expect(loadPlugins(paths)).rejects.toThrow(/Both .*a\.ts and .*b\.ts define a perturbation 'own'/)
  })

  it.each([
    ['open: () => undefined', 'must give a lens, an object with the hooks form, name, prose, got undefined'],
    ['open: () => ({ names: () => 1 })', "has 'names', which is not a hook"],
    [
      "open: () => ({ form: { 'go to {recep}': 'walk to {recep}' } })",
      "The hook 'form' of 'own' must be a function, got object",
    ],
  ])('says what is wrong with a lens when it is opened: %s', async (change, message) => {
    const [own] = await loadPlugins([write(`lens-${String(change.length)}.ts`, whole(change))])
    const toy = createToy()
    await expect(perturb(toy, [{ perturbation: own! }]).begin(toy.tasks[0]!, createRandom('1'))).rejects.toThrow(
      message,
    )
  })
})

describe('a data filter of a plug-in', () => {
  const filter = (change: string): string =>
    `{ kind: 'filter', name: 'mine', summary: 's', source: 's', open: () => () => undefined, ${change} }`

  it('stands beside a perturbation in one file, and each is taken where it is used', async () => {
    const path = write('both.ts', `${whole('').replace('default {', 'default [{')}, ${filter('')}]`)
    expect((await loadPlugins([path])).map(({ name }) => name)).toEqual(['own'])
    const filters = await loadDataFilters([path])
    expect(filters).toMatchObject([{ kind: 'filter', name: 'mine', version: '1', rules: [], environments: [] }])
    expect(filters[0]!.open({ environments: [], evaluation: [] })({ turns: [] }, { file: 'x' })).toBe(undefined)
  })

  it.each([
    ["open: 'x'", "defines no data filter: for 'open' it needs a function that gives a test for rows, got 'x'."],
    [
      "rules: 'x'",
      "defines no data filter: for 'rules' it needs a list of rules, each with name and summary, got 'x'.",
    ],
    ["name: 'agentrefine-5'", "defines no data filter: the name 'agentrefine-5' is taken; choose another."],
  ])('is refused with %s', async (change, message) => {
    const path = write(`filter-${String(written++)}.ts`, `export default ${filter(change)}`)
    await expect(loadDataFilters([path])).rejects.toThrow(message)
  })

  it('is not taken for a perturbation, nor the other way round', async () => {
    const [lens, mine] = [write('lens.ts', whole('')), write('mine.ts', `export default ${filter('')}`)]
    await expect(loadPlugins([mine])).rejects.toThrow("'mine' is a data filter, which is used with filter-ind.")
    await expect(loadDataFilters([lens])).rejects.toThrow(
      "defines no data filter: 'own' is a perturbation of episodes.",
    )
  })
})

describe('a hook of a plug-in', () => {
  const scene = { briefing: {} as never, names: [], random: createRandom('1'), intensity: 1 }
  const open = async (lens: string, warn?: (message: string) => void) => {
    const path = write(
      `hook-${String(written++)}.js`,
      `export default { name: 'own', promise: 'invariant', open: ${lens} }`,
    )
    return (await loadPlugins([path], warn))[0]!.open(scene)
  }

  it.each([
    ['open', 'async () => ({})'],
    ['form', '() => ({ form: async (form) => form })'],
    ['name', '() => ({ name: async () => { throw new Error() } })'],
    ['prose', '() => ({ prose: (text) => Promise.resolve(text) })'],
  ])('%s that gives a promise is refused by its name at the first call', async (hook, lens) => {
    const call = async (): Promise<unknown> => {
      const opened = await open(lens)
      return [opened.form?.('look'), opened.name?.('desk 1'), opened.prose?.('You look.', 'observations')]
    }
    await expect(call).rejects.toMatchObject({
      code: 'perturbation',
      message: expect.stringMatching(
        `^The hook '${hook}' of 'own' gave a promise, but hooks must answer at once\\.`,
      ) as unknown,
    })
  })

  it('that asks for the date or for chance is named once, and nobody else is', async () => {
    const warned: string[] = []
    const lens = await open(
      `() => {
        if (!(new Date(2020, 1, 1) instanceof Date)) throw new Error('no date')
        return {
          name: (name) => (Math.random() < 0 ? '' : name),
          prose: (text) => (Date.now() < 0 || new Date() < 0 ? '' : text),
          form: (form) => form,
        }
      }`,
      (message) => warned.push(message),
    )
    for (let time = 0; time < 2; time++) {
      expect([lens.name!('desk 1'), lens.prose!('You look.', 'observations'), lens.form!('look')]).toEqual([
        'desk 1',
        'You look.',
        'look',
      ])
    }
    expect(Date.now()).toBeGreaterThan(0)
    const advice = 'so the same seed may give another text. Use scene.random instead.'
    expect(warned).toEqual([
      `The hook 'name' of 'own' asks for Math.random(), ${advice}`,
      `The hook 'prose' of 'own' asks for the date, ${advice}`,
    ])
  })
})
