import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { realLlama, startRealLlama } from '../real-llama.js'
import { scratchFolder } from '../scratch.js'
import { reportOf, rowsOf, succeed } from './_command.js'

const scratch = scratchFolder()
const root = new URL('../..', import.meta.url).pathname
const recording = join(root, 'experiments/language-models/exchanges.jsonl.gz')

describe('the recorded language models', () => {
  it('replay without weights, and give the table that README shows', async () => {
    const { stdout, stderr } = await succeed(`run language-models --replay ${recording} --out models`, scratch)
    expect(rowsOf(join(scratch, 'models'))).toHaveLength(1200)
    const table = readFileSync(join(root, 'README.md'), 'utf8')
      .split('```')
      .find((block) => block.includes('smollm2-fixed'))!
      .replace(/^text\n/, '')
      .trimEnd()
    expect(stdout + stderr).toContain(table)
  }, 300_000)
})

const reason = 'set LLAMA_SERVER to llama.cpp’s server and LLAMA_MODEL to SmolLM2-135M-Instruct'
describe.skipIf(!realLlama || process.env.NIGHTLY !== '1')(`SmolLM2 behind llama.cpp's server (${reason})`, () => {
  it('gets the prompts of its chat template, and its ten recorded episodes replay to the byte', async () => {
    const server = await startRealLlama(4096)
    const grid =
      '--env household --tasks 5 --perturb agentrefine-2 --temperatures 0 --seeds 1 --steps 4 --max-tokens 48'
    const line = `run ${grid} --model ${server.model} --base-url ${server.baseUrl}`
    try {
      await succeed(`${line} --record tape.jsonl --out live`, scratch)
      const messages = [
        { role: 'system', content: 'You are in a house.' },
        { role: 'user', content: 'Take the <apple> 1.' },
        { role: 'assistant', content: 'Action: take apple 1\n' },
        { role: 'user', content: 'Nothing happens.' },
      ] as const
      const answer = await fetch(`${server.baseUrl.replace(/\/v1$/, '')}/apply-template`, {
        method: 'POST',
        body: JSON.stringify({ messages }),
      })
      expect(await answer.json()).toMatchObject({
        prompt: `${messages.map(({ role, content }) => `<|im_start|>${role}\n${content}<|im_end|>\n`).join('')}<|im_start|>assistant\n`,
      })
    } finally {
      await server.close()
    }
    expect(rowsOf(join(scratch, 'live'))).toHaveLength(10)
    for (const out of ['once', 'twice']) {
      await succeed(`${line} --replay tape.jsonl --out ${out}`, scratch)
      expect(reportOf(join(scratch, out))).toEqual(reportOf(join(scratch, 'live')))
    }
  }, 600_000)
})
