import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readRows } from '../../../src/training/records.js'
import { type SftJob, type SftOutcome, exportSft } from '../../../src/training/sft/export-sft.js'
import { type SftSetting, applySetting, sftSettings } from '../../../src/training/sft/settings.js'
import { scratchFolder } from '../../scratch.js'
import { readJsonLines } from '../../shared-data.js'

const fixture = fileURLToPath(new URL('../../fixtures/sft/trajectories.jsonl', import.meta.url))
const scratch = scratchFolder()
let folder: string
beforeEach(() => void (folder = mkdtempSync(join(scratch, 'x'))))

type Json = Readonly<Record<string, unknown>>
type Trainer = Exclude<SftJob['trainer'], 'sharegpt'>
const settings = Object.keys(sftSettings) as SftSetting[]
const trainers: readonly Trainer[] = ['llama-factory', 'trl']
const both = trainers.flatMap((trainer) => settings.map((setting) => ({ trainer, setting })))

/** A row whose turns are given as `s:`, `u:`, `a:` (learned from) and `w:` (wrong). */
function rowOf(id: string, ...turns: readonly string[]): string {
  const from: Readonly<Record<string, string>> = { s: 'system', u: 'human', a: 'gpt', w: 'gpt' }
  const conversations = turns.map((turn) => ({
    from: from[turn[0]!]!,
    loss: 'aw'.includes(turn[0]!) ? turn.startsWith('a') : null,
    value: turn.slice(2),
  }))
  return JSON.stringify({ id, conversations })
}

/** The fixture, and rows that end with a wrong turn or repeat their texts. */
const data = join(scratch, 'data.jsonl')
writeFileSync(
  data,
  [
    readFileSync(fixture, 'utf8').trimEnd(),
    rowOf('late', 's:Play.', 'u:A door.', 'a:open door', 'u:It is open.', 'w:open door', 'u:No.', 'w:opne (door)!'),
    rowOf('same', 'u:go', 'a:go', 'u:go', 'w:go', 'u:go', 'a:go'),
  ].join('\n') + '\n',
)

const run = (job: Partial<SftJob> & Pick<SftJob, 'trainer'>): SftOutcome =>
  exportSft({ data: [data], folder, name: 'mine', setting: 'refinement', force: false, ...job })
/** The configuration as PyYAML reads it, which the trainers use: YAML 1.1. */
const configOf = ({ files: { config } }: SftOutcome): Json =>
  parse(readFileSync(config!, 'utf8'), { version: '1.1' }) as Json

type Learned = readonly [before: readonly string[], text: string]

/**
 * What a trainer learns from a row, by its documentation: LLaMA-Factory with `mask_history` and TRL with
 * `completion_only_loss` from the last turn.
 */
const learnedFrom: Readonly<Record<Trainer, (row: Json) => readonly Learned[]>> = {
  'llama-factory'(row) {
    const texts = (row['conversations'] as { value: string }[]).map(({ value }) => value)
    return [[texts.slice(0, -1), texts.at(-1)!]]
  },
  trl(row) {
    const [prompt, completion] = ['prompt', 'completion'].map((key) => row[key] as { content: string }[])
    return [[prompt!.map(({ content }) => content), completion![0]!.content]]
  },
}

/** The turns that a setting learns from, each with the texts before it. */
const wanted = (setting: SftSetting): readonly Learned[] =>
  [...readRows(data)].flatMap(({ row }) => {
    const made = applySetting(row, setting)
    if ('unusable' in made) return []
    const texts = made.turns.map(({ text }) => text)
    return made.turns.flatMap(({ loss, text }, at) => (loss === true ? [[texts.slice(0, at), text] as const] : []))
  })

it.each(both)(
  'the turns that a trainer learns from are those of $setting, each in its context, with $trainer',
  ({ trainer, setting }) => {
    const outcome = run({ trainer, setting })
    expect(wanted(setting).length).toBeGreaterThan(4)
    expect(readJsonLines<Json>(outcome.files.file).flatMap(learnedFrom[trainer])).toEqual(wanted(setting))
  },
)

describe('the files for a trainer', () => {
  const own = {
    'llama-factory': { length: 'cutoff_len', mask: { dataset: 'mine.llama-factory', mask_history: true } },
    trl: { length: 'max_length', mask: { datasets: [{ data_files: 'mine.trl.jsonl' }], completion_only_loss: true } },
  } as const
  it.each(trainers)('mask for %s, and have the settings of AgentRefine, with gaps that it refuses', (trainer) => {
    const open = configOf(run({ trainer }))
    const filled = configOf(run({ trainer, baseModel: 'a/b', template: 'llama3', force: true }))
    const { length, mask } = own[trainer]
    const keys = ['model_name_or_path', 'lr_scheduler_type', length, 'num_train_epochs']
    const read = (config: Json) => keys.map((key) => config[key])
    // A name on the Hub has letters, digits, '-', '_' and '.'.
    expect(read(open)).toEqual(['<base model>', 'cosine', 8192, 10])
    expect(read(filled)).toEqual(['a/b', 'cosine', 8192, 10])
    expect(filled).toMatchObject({ learning_rate: 5e-6, warmup_steps: 0, gradient_accumulation_steps: 64 })
    expect(filled).toMatchObject(mask)
    if (trainer === 'llama-factory') expect([open['template'], filled['template']]).toEqual(['<template>', 'llama3'])
  })

  const good = rowOf('good', 'u:a', 'a:b')
  it.each([
    [rowOf('x', 'u:a', 's:b', 'u:c', 'a:d'), 'it has a system turn after the first turn'],
    [rowOf('x', 'a:b'), 'the assistant speaks first'],
    [rowOf('x', 'u:a', 'a:b', 'w:c'), 'the assistant speaks twice, and only one of both is learned from'],
    [rowOf('x', 'u:a', 'w:b'), 'nothing in it is learned from'],
    [rowOf('x', 'u:a', 'a: \n'), 'a turn that is learned from is empty'],
  ])('leave out %#: rows that trainers drop or learn wrongly from', (bad, why) => {
    const path = join(scratch, 'bad.jsonl')
    writeFileSync(path, `${bad}\n${good}\n{"id":\n`)
    for (const trainer of trainers) {
      let problems = 0
      const outcome = run({ trainer, data: [path], problem: () => void problems++ })
      expect(problems).toBe(1)
      expect(outcome).toMatchObject({ rows: 2, leftOut: { [why]: 1 }, size: { trajectories: 1, rows: 1 } })
    }
  })

  it('are refused where one exists, unless replacing is requested; then nothing is changed', () => {
    run({ trainer: 'llama-factory' })
    expect(() => run({ trainer: 'llama-factory' })).toThrow('mine.llama-factory.jsonl is there already')
    writeFileSync(join(folder, 'mine.trl.yaml'), 'edited')
    expect(() => run({ trainer: 'trl' })).toThrow('mine.trl.yaml is there already')
    expect(readdirSync(folder)).not.toContain('mine.trl.jsonl')
    run({ trainer: 'trl', force: true })
    expect(readFileSync(join(folder, 'mine.trl.yaml'), 'utf8')).toContain('completion_only_loss: true')
  })

  it('of ShareGPT have a loss for each turn, and an entry in the list of data sets', () => {
    run({ trainer: 'trl' })
    writeFileSync(join(folder, 'dataset_info.json'), '{"other": {}, "mine": {}}')
    const outcome = run({ trainer: 'sharegpt', data: [fixture] })
    expect(outcome).toMatchObject({
      rows: 3,
      turns: 11,
      masked: 5,
      kinds: { right: 3, wrong: 4, correction: 3, ready: 1 },
      leftOut: {},
    })
    expect(outcome.size.tokens).toBeGreaterThan(outcome.size.learnedTokens)
    expect(readJsonLines<Json>(outcome.files.file)[2]).toEqual({
      id: 'household_2',
      conversations: [
        { from: 'human', loss: null, value: 'You play in a household.' },
        { from: 'gpt', loss: false, value: 'Ok.' },
        { from: 'human', loss: null, value: 'You see a desk 1.' },
        { from: 'gpt', loss: true, value: 'Action: go to desk 1' },
      ],
    })
    const info = JSON.parse(readFileSync(outcome.files.info!, 'utf8')) as Record<string, object>
    expect(Object.keys(info)).toEqual(['other', 'mine'])
    expect(info['mine']).toMatchObject({ file_name: 'mine.jsonl', tags: { role_tag: 'from', assistant_tag: 'gpt' } })
    writeFileSync(outcome.files.info!, '{"lima": 1}')
    expect(() => run({ trainer: 'sharegpt', force: true })).toThrow(/dataset_info/)
    expect(readFileSync(outcome.files.info!, 'utf8')).toBe('{"lima": 1}')
  })
})
