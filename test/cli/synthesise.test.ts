import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { teacher } from '../../src/training/synthesis/teacher.js'
import { scratchFolder } from '../scratch.js'
import { shaketable } from './_command.js'
import type { Request } from './_served.js'
import { serveChat } from './_served.js'

const folder = scratchFolder()
const synthesise = (...args: string[]) => shaketable(['data', 'synthesise', ...args], folder)
const taught = ['--model', 'teacher', '--count', '5']
const text = (name: string): string => readFileSync(join(folder, name), 'utf8')

/** Plausible counts, so that no note is said about them. */
const usage = { prompt_tokens: 1000, completion_tokens: 500 }

/** A server that answers as the teacher does, every fifth time in prose. */
const serveTeacher = (wait = 0): Promise<string> =>
  serveChat(async ({ messages, seed }: Request, count) => {
    await setTimeout(wait)
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
    const { code, stdout, stderr } = await synthesise(...taught, '--out', 'worlds.jsonl')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('| scripts | ')
    expect(stdout).toContain('Wrote 5 of 5 trajectories to worlds.jsonl; worlds.stages holds the stages')
    expect(readdirSync(join(folder, 'worlds.stages')).sort()).toEqual([
      'rejected.jsonl',
      'settings.json',
      'trajectories.jsonl',
      'yields.md',
    ])
    const verified = await shaketable(['data', 'verify', 'worlds.jsonl', '--world'], folder)
    expect([verified.code, verified.stdout]).toEqual([0, 'worlds.jsonl: 5 accepted, 0 rejected (profile strict)\n'])
  })

  it('refuses stages of other settings', async () => {
    await synthesise(...taught, '--out', 'seeded.jsonl')
    const other = await synthesise(...taught, '--out', 'seeded.jsonl', '--seed', '7', '--repairs', '3')
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('made with other settings: repairs, seed.')])
    const forced = await synthesise(...taught, '--out', 'seeded.jsonl', '--seed', '7', '--force')
    expect([forced.code, text('seeded.stages/settings.json')]).toEqual([0, expect.stringContaining('"seed": 7')])
  })
})

describe('a model behind servers', () => {
  it('is recorded, and replayed without a server', async () => {
    const address = await serveTeacher()
    const args = ['--model', 'tuned', '--count', '4']
    await synthesise(...args, '--base-url', address, '--out', 'recorded.jsonl', '--record', 'tape.jsonl')
    const replayed = await synthesise(...args, '--out', 'replayed.jsonl', '--replay', 'tape.jsonl')
    expect(replayed.code, replayed.stderr).toBe(0)
    expect(text('replayed.jsonl')).toBe(text('recorded.jsonl'))
  })
})
