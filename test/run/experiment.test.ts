import { completeExperiment } from '../../src/run/experiment.js'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readExperimentFile } from '../../src/run/experiment-file.js'
import { type ExperimentFlags, readFlags, readSettings, settingsFor } from '../../src/run/experiment-flags.js'
import { type GivenExperiment, experimentJsonSchema } from '../../src/run/experiment-schema.js'
import { format, resolveConfig } from 'prettier'
import { parse } from 'yaml'
import { fileURLToPath } from 'node:url'
import { environmentKinds } from '../../src/environments/index.js'
import { scratchFolder } from '../scratch.js'

const scratch = scratchFolder()
const path = join(scratch, 'grid.yaml')

function complaint(text: string | Buffer): string {
  writeFileSync(path, text)
  return messageFrom(() => readExperimentFile(path))
}

function messageFrom(work: () => unknown): string {
  try {
    return `no complaint: ${JSON.stringify(work())}`
  } catch (thrown) {
    return (thrown as Error).message.replaceAll(`${scratch}/`, '')
  }
}

describe('an experiment file', () => {
  it('gives every setting of a grid', () => {
    const text = `
name: first
environments:
  - household
  - { name: other, data: ../games, tasks: [a, b] }
tasks: 20
perturbations: [none, agentrefine-1, agentrefine-1+agentrefine-4]
models:
  - reader
  - name: tuned
    baseUrl: http://localhost:8000/v1
    withoutInDomain: tuned-without
    heldIn: [household, other]
    variantOf: reader
temperatures: [0, 0.7]
seeds: 5
`
    writeFileSync(path, text)
    const { given, where } = readExperimentFile(path)
    expect(given).toEqual(parse(text))
    expect(where(['models', 1, 'name'])).toBe(`${path}:10:11: models.1.name`)
    expect(where(['models', 1, 'absent'])).toBe(`${path}:10:5: models.1.absent`)
    expect(where([])).toBe(`${path}:2:1`)
  })

  it.each([
    ['', ' expected settings by name.* got an empty file'],
    ['$schema: ./experiment.schema.json', ' expected settings by name.* got an empty file'],
    ['name: a\nperturbation: [none]', "2:1: expected one of name, .*'perturbation'; did you mean 'perturbations'"],
    ['models:\n  - name: x\n    baseURl: http://localhost/v1', "3:5: .*'baseURl'; did you mean 'baseUrl'"],
    ['models: []', '1:9: models: expected a list of models, got an empty list'],
    ['seeds: many', "1:8: seeds: expected a number of seeds .* or a list of seeds, got 'many'"],
    ['seeds:\n  - 0\n  - -1', '3:5: seeds.1: expected a seed from 0'],
    ['temperatures: [0, .nan]', '1:19: temperatures.1: expected a number from 0 to 2, got NaN'],
    ['name: ../../home', '1:7: name: expected a name of 1 to 64 letters'],
    ['baseUrl: ftp://me:secret@example.com/v1', "1:10: baseUrl: expected the http.*'ftp://…@example.com/v1'"],
    ['models: [{ name: x, baseUrl: "me:s3cret@host" }]', "1:30: models.0.baseUrl: .*got '…@host'"],
    ['models: [{ name: x, apiKeyEnv: sk-s3cret }]', "1:32: models.0.apiKeyEnv: .* never the key, got '…'"],
    ['models: [{ name: x, file: y, apiKeyEnv: MY_KEY }]', '1:10: models.0: .*not both'],
    ['models: { name: x, apiKey: s3cret, baseUrl: "http://me:s3cret@host" }', "1:20: .*got the key 'apiKey'"],
    ['models:\n  - baseUrl: http://localhost/v1', '2:5: models.0: expected a model with a name'],
    ['- name: a', '1:1: expected settings by name'],
    ['seeds: 1\nname: a\nseeds: 2', '3:1: expected YAML, .*unique'],
    ['__proto__: {name: a}', ''],
    ['name: *nobody', ' expected plain YAML.*: nobody'],
    ['seeds: &all\n  - 1\n  - *all', ''],
    ['&all\nname: a\nmodels: [*all]', ''],
    ['sedes: 3\nname: ../a\ntasks: 0', "1:1: .*'sedes'[^]*\n.*2:7: name: [^]*\n.*3:8: tasks: "],
    ['name: "a\\q"\nseeds: @', '1:9: expected YAML.*\n.*2:8: expected YAML'],
    [
      'a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]',
      ' expected plain YAML, .*Excessive alias count',
    ],
  ])('is refused with the place and without secrets: %j', (text, said) => {
    expect(complaint(text)).toMatch(new RegExp(`^grid\\.yaml:${said}`))
    expect(complaint(text)).not.toContain('s3cret')
  })

  it('with many problems is refused with the first of them', () => {
    const lines = complaint(Array.from({ length: 100 }, (_, index) => `seads${String(index)}: 5`).join('\n')).split(
      '\n',
    )
    expect(lines).toHaveLength(20)
  })
})

describe('the experiment files of the package', () => {
  const folder = fileURLToPath(new URL('../../experiments', import.meta.url))
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'))

  it.each(files)('name environments and options that there are: %s', (name) => {
    const file = readExperimentFile(join(folder, name))
    const flags = file.given.models === undefined ? { models: ['reader'] } : {}
    const { experiment } = completeExperiment({ file, flags })
    expect(experiment.name).toBe(name.replace('.yaml', ''))
    for (const { name: environment, options } of experiment.environments) {
      const known = environmentKinds.find((kind) => kind.name === environment)!.options
      expect(Object.keys(known)).toEqual(expect.arrayContaining(Object.keys(options)))
    }
  })
})

describe('flags', () => {
  it('give the same settings as a file', () => {
    expect(
      readFlags({
        env: ['household'],
        perturb: ['none,agentrefine-1', 'placebo'],
        model: ['reader, parrot'],
        seeds: '3',
        temperatures: '0,.5',
        tasks: '20',
        steps: '10',
        plugin: ['./a,b.ts'],
        set: ['attempts=3', 'primary={ metric: progress }', 'name=a.b', 'household.split=train'],
      }),
    ).toEqual({
      environments: ['household'],
      perturbations: ['none', 'agentrefine-1', 'placebo'],
      models: ['reader', 'parrot'],
      seeds: 3,
      temperatures: [0, 0.5],
      tasks: 20,
      stepLimit: 10,
      plugins: ['./a,b.ts'],
      attempts: 3,
      primary: { metric: 'progress' },
      name: 'a.b',
    })
    expect(readFlags({ seeds: '3,7', tasks: 'a,b' })).toEqual({ seeds: [3, 7], tasks: ['a', 'b'] })
    expect(readFlags({ tasks: 'valid_unseen/one' })).toEqual({ tasks: ['valid_unseen/one'] })
  })

  it.each<[ExperimentFlags, string]>([
    [{ seeds: 'many' }, '--seeds: expected a number of seeds from 1 to 10,000 (0 and up are played)'],
    [{ seeds: '0,-1' }, '--seeds: expected a seed from 0 to 2,147,483,647, got -1.'],
    [{ temperatures: 'NaN' }, "--temperatures: expected a number from 0 to 2, got 'NaN'."],
    [{ baseUrl: 'localhost' }, '--base-url: expected the http(s) address'],
    [{ set: ['attemps=3'] }, "got the key 'attemps'; did you mean 'attempts'?"],
  ])('report %j', (flags, message) => {
    expect(messageFrom(() => readFlags(flags))).toContain(message)
  })
})

describe('a base URL beside models', () => {
  it.each([
    ['if each has the name of a control', ['reader', 'parrot'], 'http://localhost:1/v1'],
    ['but for controls, if another can only be on a server', ['reader', 'tuned'], undefined],
  ])('is used for all models %s', (_, model, expected) => {
    const flags = readFlags({ model, baseUrl: 'http://localhost:1/v1' })
    const { experiment } = completeExperiment({ flags })
    expect(experiment.models.map(({ baseUrl }) => baseUrl)).toEqual([expected, expected])
  })

  it('is for models of a file that have none', () => {
    const complete = (given: GivenExperiment) =>
      completeExperiment({
        file: { given, where: () => '' },
        flags: { baseUrl: 'http://flag/v1' },
      }).experiment
    expect(complete({ models: ['a'], baseUrl: 'http://file/v1' }).baseUrl).toBe('http://flag/v1')
    const models = [{ name: 'a', baseUrl: 'http://file/v1' }, 'reader']
    expect(() => complete({ models })).toThrow("without a server of their own, but 'a' has an address")
  })
})

describe('a model on a server', () => {
  const baseUrl = 'http://localhost:1/v1'
  it.each<[string, GivenExperiment, object]>([
    ['plays the paper’s agent', { models: ['tuned'], baseUrl }, ['react', 512, 4096]],
    ['plays what is given', { models: ['tuned'], baseUrl, agents: ['act'], maxTokens: 100 }, ['act', 100, undefined]],
    ['is not what a control is', { models: ['reader'] }, ['act', 100, undefined]],
  ])('%s', (_, flags, expected) => {
    const { experiment } = completeExperiment({ flags })
    expect([experiment.agents[0], experiment.maxTokens, experiment.reasoningTokens]).toEqual(expected)
  })
})

const published = fileURLToPath(new URL('../../docs/experiment.schema.json', import.meta.url))

describe('the JSON Schema of an experiment file', () => {
  it('is published as defined in the code; `npx vitest run test/run/experiment.test.ts -u` writes it', async () => {
    const text = await format(experimentJsonSchema(), { ...(await resolveConfig(published)), parser: 'json' })
    await expect(text).toMatchFileSnapshot(published)
  })
})

describe('options of environments from flags', () => {
  it.each([
    [['household.data=DIR', 'babyai.labels=FILE'], { household: { data: 'DIR' }, babyai: { labels: 'FILE' } }],
    [['household.data=a=b.c', 'household.split=train'], { household: { data: 'a=b.c', split: 'train' } }],
    [['household.split=train', 'household.split=valid-seen'], { household: { split: 'valid-seen' } }],
    [['my.world.way=', 'process.command=a\nb'], { 'my.world': { way: '' }, process: { command: 'a\nb' } }],
  ])('are %j', (texts, expected) => {
    expect(readSettings(texts)).toEqual(expected)
  })

  it.each(['data=DIR', 'household.data', '.data=DIR', ''])('are not %j', (text) => {
    expect(() => readSettings([text])).toThrow('--set: expected ENVIRONMENT.OPTION=VALUE')
  })

  it('belong to an environment that is played', () => {
    const flags = readSettings(['pddl.data=DIR'])
    expect(settingsFor('pddl', flags, ['pddl', 'babyai'])).toEqual({ data: 'DIR' })
    expect(settingsFor('babyai', flags, ['pddl', 'babyai'])).toEqual({})
    expect(() => settingsFor('babyai', flags, ['babyai'])).toThrow("--set: 'pddl' is not among the environments")
  })
})
