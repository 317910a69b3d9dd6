import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { completeExperiment } from '../../src/run/experiment.js'
import { readExperimentFile } from '../../src/run/experiment-file.js'
import { scratchFolder } from '../scratch.js'

const scratch = scratchFolder()
const before = process.cwd()
afterAll(() => process.chdir(before))

/** The models of an experiment file in an empty folder with these files and folders (with `/` at the end). */
function models(text: string, ...paths: readonly string[]) {
  const folder = mkdtempSync(join(scratch, 'case-'))
  process.chdir(folder)
  for (const path of paths) {
    mkdirSync(join(folder, path.endsWith('/') ? path : join(path, '..')), { recursive: true })
    if (!path.endsWith('/')) writeFileSync(join(folder, path), '{}')
  }
  writeFileSync('grid.yaml', text)
  return completeExperiment({ file: readExperimentFile('grid.yaml'), flags: {} })
}

function complaint(text: string, ...paths: readonly string[]): string {
  try {
    return `no complaint: ${JSON.stringify(models(text, ...paths).experiment.models)}`
  } catch (thrown) {
    return (thrown as Error).message
  }
}

const folders = ['c/checkpoint-1000/', 'c/checkpoint-200/', 'c/checkpoint-9/', 'c/.cache-1/']
const baseUrl = 'baseUrl: http://localhost:8000/v1'

describe('models: { from }', () => {
  it('makes a model behind a server of each folder, in the order of their numbers', () => {
    const { experiment } = models(`models: { from: c/checkpoint-*, ${baseUrl}, maxTokens: 64 }`, ...folders)
    const shared = { baseUrl: 'http://localhost:8000/v1', maxTokens: 64 }
    expect(experiment.models).toEqual(
      [9, 200, 1000].map((step) => {
        const name = `checkpoint-${String(step)}`
        return { ...shared, name, model: name, checkpoint: { series: 'checkpoint', step } }
      }),
    )
  })

  it('fills in the body of requests, where the number alone stays a number', () => {
    const body = "extraBody: { lora: [{ id: '{step}', scale: 1 }], adapter: 'out/{name}', tags: ['at {step}'] }"
    const { experiment } = models(`models: { from: [lora-0, lora-1], ${baseUrl}, model: base, ${body} }`)
    expect(experiment.models.map(({ extraBody }) => extraBody)).toEqual(
      [0, 1].map((step) => ({
        lora: [{ id: step, scale: 1 }],
        adapter: `out/lora-${String(step)}`,
        tags: [`at ${String(step)}`],
      })),
    )
  })

  it('makes models in files of files', () => {
    const text = 'models: { from: m/tuned-*.json, heldIn: [household] }'
    expect(models(text, 'm/tuned-80.json', 'm/tuned-80.json.made', 'm/tuned-9.json').experiment.models).toEqual(
      [9, 80].map((step) => ({
        name: `tuned-${String(step)}`,
        file: `m/tuned-${String(step)}.json`,
        heldIn: ['household'],
        checkpoint: { series: 'tuned', step },
      })),
    )
  })

  it.each<[entry: string, paths: readonly string[], steps: string]>([
    ['from: [step-200, step-100]', [], 'step-100 step-100 step@100, step-200 step-200 step@200'],
    ['from: [org/m-1000, org/m-500]', [], 'org/m-500 org/m-500 org/m@500, org/m-1000 org/m-1000 org/m@1000'],
    ["from: 'g/q*.gguf'", ['g/q4-20.gguf', 'g/q4-3.gguf'], 'q4-3 q4-3 q4@3, q4-20 q4-20 q4@20'],
    [
      "from: c/checkpoint-*, name: 'a-{name}', model: './{path}'",
      folders.slice(0, 2),
      'a-checkpoint-200 ./c/checkpoint-200 a-checkpoint@200, a-checkpoint-1000 ./c/checkpoint-1000 a-checkpoint@1000',
    ],
    ['from: runs/*', ['runs/2/', 'runs/1/'], '1 1 runs@1, 2 2 runs@2'],
  ])('takes { %s }', (entry, paths, expected) => {
    const { experiment } = models(`models:\n  - { ${entry}, ${baseUrl} }`, ...paths)
    const shown = experiment.models.map(
      ({ name, model, checkpoint }) => `${name} ${model!} ${checkpoint!.series}@${String(checkpoint!.step)}`,
    )
    expect(shown.join(', ')).toBe(expected)
  })

  it('stands beside other models, and errors name the entry', () => {
    const text = `models:\n  - { name: base, ${baseUrl}, checkpoint: { series: checkpoint, step: 0 } }\n  - { from: c/*, ${baseUrl} }\n  - reader`
    const { experiment, where } = models(text, ...folders)
    const names = experiment.models.map(({ name }) => name).join(' ')
    expect(names).toBe('base checkpoint-9 checkpoint-200 checkpoint-1000 reader')
    expect(where(['models', 4])).toBe('grid.yaml:4:5: models.2')
    expect(where(['models', 3, 'agent'])).toBe('grid.yaml:3:5: models.1.agent')
  })

  it.each<[entry: string, paths: readonly string[], said: string]>([
    ['from: c/none-*', folders, "expected 'c/none-*' to match folders, .gguf files"],
    ['from: c/*', Array.from({ length: 257 }, (_, step) => `c/${String(step)}/`), 'at most 256 checkpoints, got 257'],
    ['from: c/*', [...folders, 'c/final/'], "in the name of each checkpoint, which gives their order, got 'final'"],
    ['from: c/*', ['c/tuned-1.json'], 'expected checkpoints behind a server'],
    ['from: c/*/adapter', folders, 'only its last part may have *'],
    ['from: c/*', ['c/a-1/', 'c/b-2/'], 'expected names that differ in their number alone, got a, b'],
    ['from: [c/*, d/*], series: s', ['c/a-1/', 'd/b-1/'], "got 'a-1' and 'b-1' at 1"],
    ['name: a, series: s', [], 'expected series with from alone'],
  ])('is refused in a sentence: { %s }', (entry, paths, said) => {
    expect(complaint(`models:\n  - { ${entry}, ${baseUrl} }`, ...paths)).toContain(said)
  })
})
