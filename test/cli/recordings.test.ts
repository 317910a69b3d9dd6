import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createReader } from '../../baselines/reader.js'
import { scratchFolder } from '../scratch.js'
import { linesOf, reportOf as reportIn, shaketable, succeed } from './_command.js'
import { closeServer, serveChat } from './_served.js'

const scratch = scratchFolder()

/** A server with the reader and random deviations that no seed controls: replies to equal requests differ. */
async function serve(options: { readonly delayMs?: number } = {}): Promise<{ address: string; calls: () => number }> {
  const reader = createReader()
  let calls = 0
  const address = await serveChat(async ({ messages, seed }, count) => {
    calls = count
    const deviation = count % 7
    const sampling = { temperature: 1, seed: seed + deviation, maxTokens: 50, stop: [] }
    const { text } = await Promise.resolve(reader.complete(messages, sampling)).catch(() => ({ text: 'look' }))
    await new Promise((resolve) => setTimeout(resolve, options.delayMs ?? 0))
    const content = deviation === 3 ? `go to shelf ${String(count)}` : text
    return { content, usage: { prompt_tokens: 50 + count, completion_tokens: 3 } }
  })
  return { address, calls: () => calls }
}

const experimentOf = (model: string) =>
  `run --env household --tasks 3 --perturb placebo,agentrefine-1 --model ${model} --seeds 2 --temperatures 1 --steps 12 --concurrency 5`
const experiment = `${experimentOf('tuned')} --no-probe`

const reportOf = (out: string): Readonly<Record<string, string>> => reportIn(join(scratch, out))

const run = (args: string, variables?: Readonly<Record<string, string>>) =>
  succeed(`${experiment} ${args}`, scratch, variables)

describe('a recorded run', () => {
  it('is replayed without server, key and address, to the byte', async () => {
    const { address } = await serve()
    const secret = address.replace('//', '//me:hunter22@').concat('?key=hunter33')
    const first = await run(`--base-url ${secret} --out first --record tapes/first.jsonl`, {
      OPENAI_API_KEY: 'sk-hunter44',
    })
    expect(first.stderr).toMatch(/^Recorded \d+ exchanges to tapes\/first\.jsonl\.$/m)
    expect(readFileSync(join(scratch, 'tapes', 'first.jsonl'), 'utf8')).not.toContain('hunter')
    closeServer()

    const replayed = await run('--out replayed --replay tapes/first.jsonl')
    expect(replayed.stderr).toContain('Replayed from tapes/first.jsonl; no model was asked.')
    expect(Object.keys(reportOf('first')).length).toBeGreaterThan(3)
    expect(reportOf('replayed')).toEqual(reportOf('first'))

    await run(`--out again --replay tapes/first.jsonl --base-url ${address}`)
    for (const name of ['outcomes.jsonl', 'trajectories.jsonl', 'prompts.jsonl'])
      expect(linesOf(join(scratch, 'again', name))).toEqual(linesOf(join(scratch, 'replayed', name)))
  })

  it('is replayed with what the probe found, and with the limit of replies that follows from it', async () => {
    let calls = 0
    const address = await serveChat((_, count) => {
      calls = count
      return { content: `<think>So.</think>look ${String(count)}` }
    })
    const own = experimentOf('guessed')
    const first = await succeed(`${own} --base-url ${address} --out probed --record probed.jsonl`, scratch)
    expect(first.stderr).toContain('thinks before it answers')
    expect(reportOf('probed')['report.json']).toContain('the server ignores seeds')
    closeServer()
    const before = calls
    await succeed(`${own} --out probed-again --replay probed.jsonl`, scratch)
    expect(calls).toBe(before)
    expect(reportOf('probed-again')).toEqual(reportOf('probed'))
  })

  it.each([
    ['--temperatures 0', 'the temperature (recorded 1, asked 0)'],
    ['--perturb agentrefine-2', 'the episode (recorded household · '],
    ['--model tunes', "Unknown recorded model 'tunes'. Did you mean 'tuned'?"],
  ])('explains in one sentence why it cannot replace a run with %s', async (changes, why) => {
    const { address } = await serve()
    if (!existsSync(join(scratch, 'small.jsonl')))
      await run(`--base-url ${address} --out small --record small.jsonl --steps 2`)
    const out = changes.replace(/\W+/g, '-')
    const line = `${experiment} --steps 2 ${changes} --out ${out} --replay small.jsonl`
    const { code, stderr } = await shaketable(line, scratch)
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)])
    expect(stderr).not.toContain('    at ')
    const outcomes = join(scratch, out, 'outcomes.jsonl')
    const rows = existsSync(outcomes) ? readFileSync(outcomes, 'utf8') : ''
    expect(rows).not.toContain('-error')
  })
})

it('a recording that is continued answers an equal experiment completely, and of a larger one what it has', async () => {
  const { address, calls } = await serve()
  const args = `--base-url ${address} --record kept.jsonl`
  await run(`${args} --out kept-1`)
  const asked = calls()
  const second = await run(`${args} --out kept-2`)
  expect(second.stderr).toContain(`Recorded 0 exchanges to kept.jsonl; ${String(asked)} calls were answered from it.`)
  expect(reportOf('kept-2')).toEqual(reportOf('kept-1'))
  const longer = await run(`${args} --out kept-3 --steps 13`)
  expect(longer.stderr).toMatch(new RegExp(`^Recorded [1-9]\\d* .*; ${String(asked)} calls were answered`, 'm'))
})
