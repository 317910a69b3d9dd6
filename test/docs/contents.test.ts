import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import agentrefine3 from '../../perturbations/agentrefine-3.js'
import { openEnvironment } from '../../src/environments/index.js'
import { createRandom, perturb, textOf } from '../../src/index.js'
import { pages, root } from './_pages.js'

const page = (name: string): string => pages.find(({ file }) => file === name)!.text

describe('README.md', () => {
  it('has at most 900 words', () => {
    expect(page('README.md').trim().split(/\s+/).length).toBeLessThanOrEqual(900)
  })

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
  it('names every folder of src, and draws it', () => {
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    const drawn = readFileSync(join(root, 'docs/images/layers.svg'), 'utf8')
    const named = (name: string): boolean => page('docs/architecture.md').includes(`| \`src/${name}/\` |`)
    const names = folders.map(({ name }) => name)
    expect(names.filter((name) => !named(name) || !new RegExp(`>(src/)?${name}<`).test(drawn))).toEqual([])
  })
})

describe('docs/troubleshooting.md', () => {
  it('quotes messages that the program prints', () => {
    const source = ['src', 'reports']
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
      )
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(root, name), 'utf8'))
      .join()
    const quoted = [...page('docs/troubleshooting.md').matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell]) => [
      ...cell!.matchAll(/`([^`]+)`/g),
    ])
    const parts = quoted.flatMap(([, message]) => message!.split('…').map((part) => part.replace(/^'|'$/g, '').trim()))
    const long = parts.filter(({ length }) => length > 12)
    expect(long.filter((part) => !source.includes(part))).toEqual([])
    expect(long.length).toBeGreaterThan(20)
  })
})

describe('CITATION.cff', () => {
  it('has what the format requires, and the version and licence of the package', () => {
    const citation = parse(readFileSync(join(root, 'CITATION.cff'), 'utf8')) as Record<string, unknown>
    const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>
    expect(citation).toMatchObject({ 'cff-version': '1.2.0', type: 'software', version, license })
    for (const key of ['message', 'title']) expect(citation[key]).toMatch(/shaketable/)
    expect(citation['authors']).toEqual([{ name: 'The shaketable authors' }])
  })
})
