import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { teacher } from '../../src/training/synthesis/teacher.js'
import { scratchFolder } from '../scratch.js'
import { shaketable, succeed } from './_command.js'
import { type Request, serveChat } from './_served.js'

const folder = scratchFolder()
const synthesise = (args: string) => succeed(`data synthesise ${args}`, folder)
const taught = '--model teacher --count 5'
const text = (name: string): string => readFileSync(join(folder, name), 'utf8')

/** Plausible counts, so that no note is said about them. */
const usage = { prompt_tokens: 1000, completion_tokens: 500 }

/** A server that answers as the teacher does, every fifth time in prose. */
const serveTeacher = (): Promise<string> =>
  serveChat(async ({ messages, seed }: Request, count) => {
    if (count % 5 === 0) return { content: 'Of course! Let me think about a nice world.', usage }
    // The label of the seed is not sent; the teacher needs only some seed.
    const { text: content } = await teacher.complete(messages.slice(0, 1), {
      temperature: 1,
      seed: seed % 1000,
      maxTokens: 1,
      stop: [],
    })
    return { content, usage }
  })

describe('shaketable data synthesise', () => {
  it('writes trajectories that verify accepts, with all stages and their yields', async () => {
    const { stdout, stderr } = await synthesise(`${taught} --out worlds.jsonl`)
    expect(stderr).toBe('')
    expect(stdout).toContain('| scripts | ')
    expect(stdout).toContain('Wrote 5 of 5 trajectories to worlds.jsonl; worlds.stages holds the stages')
    const stages = ['rejected.jsonl', 'settings.json', 'trajectories.jsonl', 'yields.md']
    expect(readdirSync(join(folder, 'worlds.stages')).sort()).toEqual(stages)
    const verified = await succeed('data verify worlds.jsonl --world', folder)
    expect(verified.stdout).toBe('worlds.jsonl: 5 accepted, 0 rejected (profile strict)\n')
  })

  it('refuses stages of other settings', async () => {
    await synthesise(`${taught} --out seeded.jsonl`)
    const other = `${taught} --out seeded.jsonl --seed 7 --repairs 3`
    const { code, stderr } = await shaketable(`data synthesise ${other}`, folder)
    expect([code, stderr]).toEqual([2, expect.stringContaining('made with other settings: repairs, seed.')])
    await synthesise(`${other} --force`)
    expect(text('seeded.stages/settings.json')).toContain('"seed": 7')
  })

  it('of a model behind servers is recorded, and replayed without a server', async () => {
    const address = await serveTeacher()
    await synthesise(`--model tuned --count 4 --base-url ${address} --out recorded.jsonl --record tape.jsonl`)
    await synthesise('--model tuned --count 4 --out replayed.jsonl --replay tape.jsonl')
    expect(text('replayed.jsonl')).toBe(text('recorded.jsonl'))
  })
})
