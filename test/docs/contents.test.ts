import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import agentrefine3 from '../../perturbations/agentrefine-3.js'
import { perturbations } from '../../perturbations/index.js'
import { openEnvironment } from '../../src/environments/index.js'
import { createRandom, perturb, textOf } from '../../src/index.js'
import { withRegistered } from './_families.js'
import { pages, root } from './_pages.js'

const page = (name: string): string => pages.find(({ file }) => file === name)!.text

/** The texts of the TypeScript and YAML files of folders. */
const sourcesIn = (...folders: readonly string[]): readonly string[] =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|yaml)$/.test(name))
      .map((name) => readFileSync(join(root, folder, name), 'utf8')),
  )

const wordsOf = (text: string): number => text.trim().split(/\s+/).length

describe('the pages', () => {
  const docs = pages.filter(({ file }) => file.startsWith('docs/'))

  it('are at most 30, with 26,000 words', () => {
    expect(docs.length).toBeLessThanOrEqual(30)
    expect(docs.reduce((sum, { text }) => sum + wordsOf(text), 0)).toBeLessThanOrEqual(26_000)
  })

  it('are those to which messages and comments point', () => {
    const sources = sourcesIn('src', 'reports', 'perturbations', 'baselines', 'bench', 'experiments')
    const pointers = sources.flatMap((text) => text.match(/docs\/[a-z-]+\.md/g) ?? [])
    expect(pointers.filter((pointer) => !docs.some(({ file }) => file === pointer))).toEqual([])
    expect(pointers.length).toBeGreaterThan(10)
  })
})

describe('docs/perturbations.md', () => {
  it('lists what is registered; npx jiti test/docs/_families.ts writes it', () => {
    const text = page('docs/perturbations.md')
    expect(withRegistered(text)).toBe(text)
    for (const { name } of perturbations) expect(text).toMatch(new RegExp(`^(\\| |- )\`${name}\``, 'm'))
  })
})

describe('README.md', () => {
  it('has at most 700 words', () => expect(wordsOf(page('README.md'))).toBeLessThanOrEqual(700))

  it('shows one turn in both wordings as it is played', async () => {
    const environment = await openEnvironment('household', {})
    const wordings = [environment, perturb(environment, [{ perturbation: agentrefine3 }])]
    const [said, ...prompts] = ['the agent says', 'take {obj} from {recep}', 'from {recep} take {obj}']
    const rows = [`| ${said!} | ${prompts.map((form) => `prompt: \`${form}\``).join(' | ')} |`]
    for (const action of ['take pen 4 from dresser 1', 'from dresser 1 take pen 4']) {
      const answers: string[] = []
      for (const [at, wording] of wordings.entries()) {
        const world = await wording.begin(environment.tasks[0]!, createRandom('0'))
        expect(world.briefing.forms.map(({ template }) => template)).toContain(prompts[at])
        await world.step('go to dresser 1')
        answers.push(textOf((await world.step(action)).observation))
      }
      rows.push(`| \`${action}\` | ${answers.join(' | ')} |`)
    }
    expect(page('README.md').replaceAll('**', '').split('\n')).toEqual(expect.arrayContaining(rows))
    expect(rows.join()).toContain('Nothing happens.')
  })
})

describe('docs/architecture.md', () => {
  it('names every folder of src', () => {
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    const missing = folders.filter(({ name }) => !page('docs/architecture.md').includes(`| \`src/${name}/\` |`))
    expect(missing.map(({ name }) => name)).toEqual([])
  })
})

describe('docs/troubleshooting.md', () => {
  it('quotes messages that the program prints', () => {
    const source = sourcesIn('src', 'reports').join()
    const quoted = [...page('docs/troubleshooting.md').matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell]) => [
      ...cell!.matchAll(/`([^`]+)`/g),
    ])
    const parts = quoted.flatMap(([, message]) => message!.split('…').map((part) => part.replace(/^'|'$/g, '').trim()))
    const long = parts.filter(({ length }) => length > 12)
    expect(long.filter((part) => !source.includes(part))).toEqual([])
    expect(long.length).toBeGreaterThan(20)
  })
})
