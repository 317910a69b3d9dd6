import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { TrainingRow } from '../../../src/training/data-filter.js'
import { readRows } from '../../../src/training/read-rows.js'
import type { SftJob, SftOutcome } from '../../../src/training/sft/export-sft.js'
import { exportSft } from '../../../src/training/sft/export-sft.js'
import type { SftSetting } from '../../../src/training/sft/settings.js'
import { applySetting, sftSettings } from '../../../src/training/sft/settings.js'
import { scratchFolder } from '../../scratch.js'
import type { Labelled } from './_label-rules.js'
import { labelAxolotl, labelLlamaFactory, labelTrl } from './_label-rules.js'
import type { Message } from './_tokenizer.js'
import { createTokenizer, render } from './_tokenizer.js'

const fixture = fileURLToPath(new URL('../../fixtures/sft/trajectories.jsonl', import.meta.url))
const scratch = scratchFolder()
let count = 0
let folder: string
beforeEach(() => {
  folder = join(scratch, String(count++))
})

type Json = Readonly<Record<string, unknown>>
type Trainer = Exclude<SftJob['trainer'], 'sharegpt'>
const settings = Object.keys(sftSettings) as SftSetting[]
const trainers: readonly Trainer[] = ['llama-factory', 'axolotl', 'trl']
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

/** The fixture, rows that end with a wrong turn or repeat their texts, and texts with punctuation. */
const data = join(scratch, 'data.jsonl')
writeFileSync(
  data,
  [
    readFileSync(fixture, 'utf8').trimEnd(),
    rowOf('late', 's:Play.', 'u:A door.', 'a:open door', 'u:It is open.', 'w:open door', 'u:No.', 'w:opne (door)!'),
    rowOf('same', 'u:go', 'a:go', 'u:go', 'w:go', 'u:go', 'a:go'),
    rowOf('marks', 'u:{"a": [1]}', 'w:…', 'u:<b>', 'a:look; "é" – \\d+\n\n  end  ', 'u:ok', 'a:x [y]?'),
  ].join('\n') + '\n',
)

const run = (job: Partial<SftJob> & Pick<SftJob, 'trainer'>): Promise<SftOutcome> =>
  exportSft({ data: [data], folder, name: 'mine', setting: 'refinement', force: false, ...job })
const linesOf = (path: string): Json[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Json)
/** The settings as PyYAML reads them, which the trainers use: YAML 1.1. */
const configOf = ({ config }: SftOutcome): Json => parse(readFileSync(config!, 'utf8'), { version: '1.1' }) as Json
const entryOf = ({ name }: SftOutcome): Json =>
  (JSON.parse(readFileSync(join(folder, 'dataset_info.json'), 'utf8')) as Record<string, Json>)[name]!

/** What is learned from, and all that is read before it. */
interface Span {
  readonly before: string
  readonly learned: string
}
const tokenizer = createTokenizer()

function spansOf({ ids, learned }: Labelled): Span[] {
  const spans: Span[] = []
  for (let start = learned.indexOf(true); start !== -1;) {
    const end = learned.indexOf(false, start)
    const stop = end === -1 ? ids.length : end
    spans.push({ before: tokenizer.decode(ids.slice(0, start)), learned: tokenizer.decode(ids.slice(start, stop)) })
    start = learned.indexOf(true, stop)
  }
  return spans
}

/** The spans of what a trainer makes of a file, by its rule and the settings beside the file. */
function learnedBy(trainer: Trainer, outcome: SftOutcome, more: Json = {}): Span[] {
  const config = { ...configOf(outcome), ...more }
  return linesOf(outcome.file).flatMap((row) => {
    const labelled =
      trainer === 'llama-factory'
        ? labelLlamaFactory(tokenizer, row, entryOf(outcome), config)
        : trainer === 'axolotl'
          ? labelAxolotl(tokenizer, row, config)
          : labelTrl(tokenizer, row, config)
    return labelled === undefined ? [] : spansOf(labelled)
  })
}

const messagesOf = ({ turns }: TrainingRow): Message[] => turns.map(({ role, text }) => ({ role, content: text }))

/** The turns that a setting learns from, each with its context. */
function wanted(setting: SftSetting): Span[] {
  return [...readRows(data)].flatMap(({ row }) => {
    const made = applySetting(row, setting)
    if ('unusable' in made) return []
    return made.turns.flatMap(({ loss, text }, index) =>
      loss === true ? [{ before: render(messagesOf(made).slice(0, index), true), learned: `${text}<|end|>` }] : [],
    )
  })
}

describe('the tokens that a trainer learns from', () => {
  it.each(both)('are those of the turns of $setting, each in its context, with $trainer', async (job) => {
    const outcome = await run(job)
    expect(wanted(job.setting).length).toBeGreaterThan(5)
    expect(learnedBy(job.trainer, outcome)).toEqual(wanted(job.setting))
  })

  it('are others with LLaMA-Factory and a loss for each turn, which it ignores', async () => {
    const outcome = await run({ trainer: 'sharegpt' })
    const learned = (config: Json): string[] =>
      linesOf(outcome.file)
        .flatMap((row) => spansOf(labelLlamaFactory(tokenizer, row, entryOf(outcome), config)!))
        .map((span) => span.learned)
    const plain = learned({ cutoff_len: 8192 })
    expect(plain).toHaveLength(outcome.turns)
    expect(plain).toContain('Action: walk over to shelf 1<|end|>')
    const masked = learned({ cutoff_len: 8192, mask_history: true })
    expect(masked).toHaveLength(outcome.size.rows)
    expect(masked).toContain('opne (door)!<|end|>')
    expect(masked).not.toContain('Thought: It is the mug 2.\nAction: take mug 2 from shelf 1<|end|>')
  })

  it('are all but a bracket at the edge of a turn with axolotl, which finds it by another text in brackets', async () => {
    const path = join(scratch, 'brackets.jsonl')
    writeFileSync(path, rowOf('a', 'u:one', 'a:[two] or [three]', 'u:four', 'a:(five)'))
    const learned = learnedBy('axolotl', await run({ trainer: 'axolotl', data: [path] })).map((span) => span.learned)
    expect(learned).toEqual(['two] or [three', '<|end|>', '(five)<|end|>'])
  })

  it('are cut as the comments say where a row is too long', async () => {
    const [limit, instruction] = [70, 'Put a mug on the desk.']
    const short = { cutoff_len: limit, sequence_len: limit, max_length: limit }
    const all = wanted('refinement')
    const isShort = ({ before, learned }: Span): boolean => tokenizer.encode(before + learned).length <= limit
    expect(all.some(isShort) && !all.every(isShort)).toBe(true)
    const kept = learnedBy('llama-factory', await run({ trainer: 'llama-factory' }), short)
    expect(kept.map(({ learned }) => learned)).toEqual(all.map(({ learned }) => learned))
    expect(all[2]!.before).toContain(instruction)
    expect(kept[2]!.before).not.toContain(instruction)
    expect(learnedBy('trl', await run({ trainer: 'trl' }), short).length).toBeLessThan(all.length)
    expect(learnedBy('axolotl', await run({ trainer: 'axolotl' }), short).every(isShort)).toBe(true)
  })
})

describe('the files for a trainer', () => {
  it.each(trainers)('have the settings of AgentRefine for %s, with gaps that it refuses', async (trainer) => {
    const open = configOf(await run({ trainer }))
    const filled = configOf(await run({ trainer, baseModel: 'a/b', template: 'llama3', force: true }))
    const model = trainer === 'axolotl' ? 'base_model' : 'model_name_or_path'
    // A name on the Hub has letters, digits, '-', '_' and '.'.
    expect([open[model], filled[model]]).toEqual(['<base model>', 'a/b'])
    if (trainer === 'llama-factory') expect([open['template'], filled['template']]).toEqual(['<template>', 'llama3'])
    expect(filled).toMatchObject({
      learning_rate: 5e-6,
      warmup_steps: 0,
      [trainer === 'axolotl' ? 'lr_scheduler' : 'lr_scheduler_type']: 'cosine',
      [{ 'llama-factory': 'cutoff_len', axolotl: 'sequence_len', trl: 'max_length' }[trainer]]: 8192,
      [trainer === 'axolotl' ? 'micro_batch_size' : 'per_device_train_batch_size']: 1,
      gradient_accumulation_steps: 64,
      [trainer === 'axolotl' ? 'num_epochs' : 'num_train_epochs']: 10,
    })
    const [dataset] = (filled['datasets'] ?? [{}]) as readonly [Json]
    expect(filled['dataset'] ?? dataset['path']).toBe(
      { 'llama-factory': 'mine.llama-factory', axolotl: 'mine.axolotl.jsonl', trl: 'json' }[trainer],
    )
    if (trainer === 'trl') expect(dataset['data_files']).toBe('mine.trl.jsonl')
  })

  const good = rowOf('good', 'u:a', 'a:b')
  it.each([
    [rowOf('x', 'u:a', 's:b', 'u:c', 'a:d'), 'it has a system turn after the first turn'],
    [rowOf('x', 'a:b'), 'the assistant speaks first'],
    [rowOf('x', 'u:a', 'a:b', 'w:c'), 'the assistant speaks twice, and only one of both is learned from'],
    [rowOf('x', 'u:a', 'w:b'), 'nothing in it is learned from'],
    [rowOf('x', 'u:a', 'a: \n'), 'a turn that is learned from is empty'],
    [
      rowOf('x', ...new Array<string[]>(1001).fill(['u:a', 'a:b']).flat()),
      'more than 1000 of its turns are learned from',
    ],
  ])('leave out %#: rows that trainers drop or learn wrongly from', async (bad, why) => {
    const path = join(scratch, 'bad.jsonl')
    writeFileSync(path, `${bad}\n${good}\n`)
    for (const trainer of trainers) {
      const outcome = await run({ trainer, data: [path] })
      expect(outcome).toMatchObject({ rows: 2, leftOut: { [why]: 1 }, size: { trajectories: 1, rows: 1 } })
      expect(learnedBy(trainer, outcome).map(({ learned }) => learned)).toEqual(['b<|end|>'])
    }
  })

  it('are refused where one exists, unless replacing is requested; then nothing is changed', async () => {
    await run({ trainer: 'axolotl' })
    const config = join(folder, 'mine.axolotl.yaml')
    writeFileSync(config, 'edited')
    await expect(run({ trainer: 'axolotl' })).rejects.toThrow('mine.axolotl.jsonl is there already')
    writeFileSync(join(folder, 'mine.trl.yaml'), 'edited')
    await expect(run({ trainer: 'trl' })).rejects.toThrow('mine.trl.yaml is there already')
    expect(readFileSync(config, 'utf8')).toBe('edited')
    expect(readdirSync(folder)).not.toContain('mine.trl.jsonl')
    await run({ trainer: 'trl', force: true })
    expect(readFileSync(join(folder, 'mine.trl.yaml'), 'utf8')).toContain('completion_only_loss: true')
  })
})
