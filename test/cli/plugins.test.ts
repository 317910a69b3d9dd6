import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readPage } from '../docs/_pages.js'
import { scratchFolder } from '../scratch.js'
import { rowsOf, shaketable } from './_command.js'

const scratch = scratchFolder()

const everyKind = fileURLToPath(new URL('../fixtures/plugins/every-kind.ts', import.meta.url))
const write = (name: string, text: string): void => writeFileSync(join(scratch, name), text)
const perform = async (line: string, code = 0): Promise<string> => {
  const ended = await shaketable(line.split(' '), scratch)
  expect(ended, line).toMatchObject({ code })
  return ended.stdout + ended.stderr
}

describe('a file with one of every kind', () => {
  it('is accepted by each command that names a kind', async () => {
    write('rows.json', JSON.stringify([{ id: 'a', conversations: [{ from: 'human', value: 'I am sorry.' }] }]))
    expect(await perform(`list --plugin ${everyKind}`)).toMatch(
      /two-rooms[^]*walk[^]*sorry \(data filter\)[^]*stubborn[^]*terse[^]*keys[^]*always/,
    )
    expect(await perform(`validate --plugin ${everyKind} --perturb sorry`, 2)).toContain(
      "'sorry' is a data filter: it changes the training data, not the environment. Use it with shaketable data filter-ind",
    )
    expect(await perform(`validate --plugin ${everyKind}`)).toContain('always')
    expect(await perform(`run --plugin ${everyKind} --env two-rooms --perturb sorry --out none`, 2)).toContain(
      "'sorry' is a data filter",
    )
    await perform(
      `run --plugin ${everyKind} --env two-rooms --model stubborn,oracle --agent terse --perturb P1 --temperatures 0 --seeds 1 --out own`,
    )
    const keys = readFileSync(join(scratch, 'own/report/keys.txt'), 'utf8')
    expect(keys.match(/ success/g)).toHaveLength(3)
    expect(keys.match(/ step-limit/g)).toHaveLength(1)
    rmSync(join(scratch, 'own/report'), { recursive: true })
    await perform(`report own --plugin ${everyKind}`)
    expect(readFileSync(join(scratch, 'own/report/keys.txt'), 'utf8')).toBe(keys)
    expect(await perform(`play two-rooms --list --plugin ${everyKind}`)).toContain('study')
    await perform(`data collect --plugin ${everyKind} --env two-rooms --policy stubborn --agent terse --out own.jsonl`)
    expect(await perform(`data filter-ind rows.json --plugin ${everyKind} --dry-run`)).toContain('sorry')
  })
})

describe('a plug-in that ends the command, never answers or throws later', () => {
  const model = (complete: string): string =>
    `import { defineModel } from 'shaketable'\nexport default defineModel({ name: 'own', complete: async () => { ${complete} } })\n`
  const waits = 'The plug-in ./own.ts waits for something that never happens'
  const ended = (code: number): string =>
    `The plug-in ./own.ts called process.exit(${String(code)}) before the work was done`
  it.each<readonly [title: string, text: string, says: string]>([
    ['exits while it is loaded', 'process.exit(0)', ended(0)],
    ['exits in a hook', model('process.exit(0)'), ended(0)],
    ['exits after its hook', model("setTimeout(() => process.exit(0)); return { text: 'look' }"), ended(0)],
    ['never answers', model('await new Promise(() => undefined)'), waits],
    [
      'has an environment that never answers',
      `import { defineEnvironment } from 'shaketable'
       export const own = defineEnvironment({ name: 'own', tasks: [{ id: 'a', goal: 'Go.' }], begin: () => new Promise(() => undefined) })`,
      waits,
    ],
  ])('is named, and the exit code is not 0: it %s', async (title, text, says) => {
    write('own.ts', text)
    const [env, model] = title.includes('environment') ? ['own', 'oracle'] : ['household', 'own']
    const grid = `run --env ${env} --model ${model} --tasks 2 --seeds 1 --temperatures 0 --perturb none --plugin ./own.ts`
    for (const workers of title === 'exits in a hook' ? ['0', '2'] : ['0']) {
      const out = `${title.replaceAll(' ', '-')}-${workers}`
      const { code, stderr } = await shaketable([...grid.split(' '), '--workers', workers, '--out', out], scratch)
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(says) as string })
      expect(stderr).not.toContain('Please report it')
    }
  })
})

it.each([
  ['a model throws', "defineModel({ name: 'own', complete: () => { throw new Error(key) } })"],
  ['a model says', "defineModel({ name: 'own', complete: () => ({ text: key }) })"],
  [
    'a perturbation throws',
    "definePerturbation({ name: 'own', promise: 'invariant', open: () => { throw new Error(key) } })",
  ],
  ['loading throws', '(() => { throw new Error(key) })()'],
])('no key is stored or shown that %s', async (title, made) => {
  const name = made.slice(0, made.indexOf('('))
  const key = 'const { OPENAI_API_KEY: own } = process.env\nconst key = `${own} ${"x".repeat(590 - own.length)}${own}`'
  write('own.ts', `${name === '' ? '' : `import { ${name} } from 'shaketable'\n`}${key}\nexport default ${made}\n`)
  const own = title.includes('model') ? '--model own --perturb placebo' : '--model random --perturb own'
  const out = title.replaceAll(' ', '-')
  const args = `run --env household --tasks 1 --seeds 1 --temperatures 0 --plugin ./own.ts ${own} --out ${out}`
  const { stderr, stdout } = await shaketable(args.split(' '), scratch, { OPENAI_API_KEY: 'key-PLUGINKEY123456' })
  const folder = join(scratch, out)
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
  const texts = files.filter((file) => /\.\w+$/.test(file)).map((file) => readFileSync(join(folder, file), 'utf8'))
  for (const text of [stderr, stdout, ...texts]) expect(text).not.toMatch(/key-P|PLUGIN/)
})

describe('shaketable init', () => {
  it.each(['perturbation', 'environment', 'agent', 'report', 'experiment', 'ci'])(
    'writes a starter of kind %s whose next commands work, and changes no file',
    async (kind) => {
      const folder = mkdtempSync(join(scratch, 'init-'))
      const performIn = async (line: string): Promise<string> => {
        const words = line.match(/'[^']*'|\S+/g)!.map((word) => word.replace(/^'|'$/g, ''))
        const ended = await shaketable(words, folder)
        expect(ended, `${line}\n${ended.stderr}${ended.stdout}`).toMatchObject({ code: 0 })
        return ended.stdout
      }
      const said = await performIn(`init ${kind} my-own`)
      const next = [...said.matchAll(/^ {2}shaketable (.*)$/gm)].map(([, line]) => line!)
      expect(next.length).toBeGreaterThan(0)
      for (const line of next) if (!line.startsWith('play ')) await performIn(line)
      const runs = readdirSync(join(folder, 'runs'))
      if (kind === 'report')
        expect(readFileSync(join(folder, 'runs', runs[0]!, 'report/my-own.md'), 'utf8')).toContain('%')
      const prompts = readFileSync(join(folder, 'runs', runs[0]!, 'prompts.jsonl'), 'utf8')
      expect(prompts).toMatch(/go to \{\w+\}/)
      expect(prompts).not.toContain('[object Object]')
      const again = await shaketable(['init', kind, 'my-own'], folder)
      expect(again.stderr).toContain('exists already and was not changed')
    },
  )
})

describe('the plug-ins of the pages', () => {
  const files = ['docs/environments.md', 'docs/plugins.md', 'docs/write-a-perturbation.md', 'README.md']
  const blocks = files.flatMap((file) => readPage(file).blocks.filter(({ name }) => name?.endsWith('.ts') === true))
  const definitions = blocks.flatMap(({ name, text }) => {
    const [, kind = '', own = ''] = /define(\w+)\(\{\s*name: '([\w-]+)'/.exec(text) ?? []
    const used = { Perturbation: 'perturb', Environment: 'env', Agent: 'agent', Report: 'report' }[kind]
    return used === undefined ? [] : [[name!, own, used, text] as const]
  })
  it('are found', () => expect(new Set(definitions.map(([, , used]) => used)).size).toBe(4))

  it.each(definitions)('%s, %s, is played as --%s', async (name, own, used, text) => {
    const folder = mkdtempSync(join(scratch, 'page-'))
    writeFileSync(join(folder, name), text)
    const env = used === 'env' ? own : 'household'
    const use = `--perturb ${used === 'perturb' ? own : 'placebo'}${used === 'agent' ? ` --agent ${own}` : ''}`
    const grid = `--env ${env} --tasks 2 --model oracle --seeds 1 --temperatures 0 --out own`
    const ended = await shaketable(`run --plugin ./${name} ${grid} ${use}`.split(' '), folder)
    expect(ended, ended.stderr).toMatchObject({ code: 0 })
    expect(new Set(rowsOf(join(folder, 'own')).map(({ outcome }) => outcome))).toEqual(new Set(['success']))
  })
})

describe('an installed package', () => {
  const install = (name: string, manifest: object, text: string): void => {
    mkdirSync(join(scratch, 'node_modules', name), { recursive: true })
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', type: 'module', ...manifest }))
    write(`node_modules/${name}/main.js`, text)
  }

  it('is a plug-in under its name', async () => {
    install(
      '@lab/words',
      { exports: { import: './main.js' } },
      "import { ShaketableError, definePerturbation } from 'shaketable'\nexport default definePerturbation({ name: 'of-a-lab', summary: '', source: '', promise: 'invariant', open: () => { throw new ShaketableError('perturbation', 'no words here') } })",
    )
    expect(await perform('list perturbations --plugin @lab/words')).toContain('of-a-lab')
    expect(await perform('validate --tasks 1 --plugin @lab/words', 1)).toContain(
      "The hook 'open' of the perturbation 'of-a-lab' (@lab/words): no words here.",
    )
  })
})
