import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { argumentsIn } from '../docs/_commands.js'
import { readPage } from '../docs/_pages.js'
import { scratchFolder } from '../scratch.js'
import { rowsOf, shaketable, start, succeed } from './_command.js'

const scratch = scratchFolder()

const everyKind = fileURLToPath(new URL('../fixtures/plugins/every-kind.ts', import.meta.url))
const write = (name: string, text: string): void => writeFileSync(join(scratch, name), text)
const perform = async (line: string, code = 0): Promise<string> => {
  const ended = await shaketable(line.split(' '), scratch)
  expect(ended, line).toMatchObject({ code })
  return ended.stdout + ended.stderr
}

it('a file with one of every kind is accepted by each command that names a kind', async () => {
  const own = `--plugin ${everyKind}`
  write('rows.json', JSON.stringify([{ id: 'a', conversations: [{ from: 'human', value: 'I am sorry.' }] }]))
  const kinds = /two-rooms[^]*walk[^]*sorry \(data filter\)[^]*stubborn[^]*terse[^]*keys[^]*always/
  expect(await perform(`list ${own}`)).toMatch(kinds)
  expect(await perform(`validate ${own} --perturb sorry`, 2)).toContain("Unknown perturbation 'sorry'.")
  expect(await perform(`validate ${own}`)).toContain('always')
  const grid = '--model stubborn,oracle --agent terse --perturb P1 --temperatures 0 --seeds 1 --out own'
  await perform(`run ${own} --env two-rooms ${grid}`)
  const keys = readFileSync(join(scratch, 'own/report/keys.txt'), 'utf8')
  expect(keys.match(/ success| step-limit/g)!.sort()).toEqual([' step-limit', ...Array<string>(3).fill(' success')])
  await perform(`report own ${own} --out again`)
  expect(readFileSync(join(scratch, 'again/keys.txt'), 'utf8')).toBe(keys)
  expect(await perform(`play two-rooms --list ${own}`)).toContain('study')
  await perform(`data collect ${own} --env two-rooms --policy stubborn --agent terse --out own.jsonl`)
  expect(await perform(`data filter-ind rows.json ${own} --dry-run`)).toContain('sorry')
}, 300_000)

it.each([
  ['a model says', "defineModel({ name: 'own', complete: () => ({ text: key }) })"],
  ['loading throws', '(() => { throw new Error(key) })()'],
])('no key is stored or shown that %s', async (title, made) => {
  const name = made.slice(0, made.indexOf('('))
  const key = 'const { OPENAI_API_KEY: own } = process.env\nconst key = `${own} ${"x".repeat(590 - own.length)}${own}`'
  write('own.ts', `${name === '' ? '' : `import { ${name} } from 'shaketable'\n`}${key}\nexport default ${made}\n`)
  const out = title.replaceAll(' ', '-')
  const grid =
    'run --env household --tasks 1 --seeds 1 --temperatures 0 --plugin ./own.ts --model own --perturb placebo'
  const { stderr, stdout } = await shaketable(`${grid} --out ${out}`, scratch, {
    OPENAI_API_KEY: 'key-PLUGINKEY123456',
  })
  const folder = join(scratch, out)
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
  const texts = files.filter((file) => /\.\w+$/.test(file)).map((file) => readFileSync(join(folder, file), 'utf8'))
  for (const text of [stderr, stdout, ...texts]) expect(text).not.toMatch(/key-P|PLUGIN/)
})

describe('shaketable init', () => {
  it.each(['perturbation', 'environment'])(
    'writes a starter of kind %s whose next commands work, and changes no file',
    async (kind) => {
      const folder = mkdtempSync(join(scratch, 'init-'))
      const { stdout } = await succeed(['init', kind, 'my-own'], folder)
      const next = stdout.split('\n').flatMap((line) => argumentsIn(line))
      expect(next.length).toBeGreaterThan(0)
      for (const words of next) if (words[0] !== 'play') await succeed(words, folder)
      const runs = readdirSync(join(folder, 'runs'))
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
    await succeed(`run --plugin ./${name} ${grid} ${use}`, folder)
    expect(new Set(rowsOf(join(folder, 'own')).map(({ outcome }) => outcome))).toEqual(new Set(['success']))
  })
})

it('an installed package is a plug-in under its name', async () => {
  const folder = join(scratch, 'node_modules/@lab/words')
  mkdirSync(folder, { recursive: true })
  const manifest = { name: '@lab/words', version: '1.0.0', type: 'module', exports: { import: './main.js' } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  writeFileSync(
    join(folder, 'main.js'),
    "import { definePerturbation } from 'shaketable'\nexport default definePerturbation({ name: 'of-a-lab', summary: '', source: '', promise: 'invariant', open: () => ({}) })",
  )
  expect(await perform('list perturbations --plugin @lab/words')).toContain('of-a-lab')
})

it('a hook that never ends leaves Ctrl-C to the command: the second one ends it', async () => {
  const hook =
    "name: 'endless', summary: 'x', source: 'x', promise: 'invariant', open: () => ({ act: () => { for (;;); } })"
  write(
    'endless.ts',
    `import { definePerturbation } from 'shaketable'\nexport default definePerturbation({ ${hook} })\n`,
  )
  const line =
    'run --env household --tasks 1 --seeds 1 --model reader --plugin endless.ts --perturb endless --out endless'
  const { child, ended } = start(line.split(' '), scratch)
  try {
    let told = ''
    child.stderr!.on('data', (text: string) => (told += text))
    for (const words of ['Playing', 'Press Ctrl-C again']) {
      await expect.poll(() => told, { timeout: 30_000 }).toContain(words)
      child.kill('SIGINT')
    }
    expect((await ended).code).toBe(130)
  } finally {
    child.kill('SIGKILL')
  }
}, 60_000)
