import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Trajectory } from '../../src/core/episode.js'
import type { EpisodeRow } from '../../src/results/episode-row.js'
import type { LlamaOptions, LlamaServer } from '../models/llama-server.js'
import { startLlama } from '../models/llama-server.js'
import { scratchFolder } from '../scratch.js'
import { linesOf, partingOf, reportOf, rowsOf, shaketable } from './_command.js'

const scratch = scratchFolder()
let server: LlamaServer | undefined
afterEach(async () => server?.close())

/** Always goes to the first place that a prompt lists, in the original wording. */
const goes: LlamaOptions = {
  says: (prompt) => {
    const task = prompt.slice(prompt.lastIndexOf('You are in'))
    return `go to ${/[a-z]+ \d+/.exec(task)?.[0] ?? 'desk 1'}`
  },
  alternatives: ['move', 'take'],
}
async function run(llama: LlamaOptions, perturb: string, ...more: string[]) {
  await server?.close()
  server = await startLlama({ model: 'tuned', ...llama })
  const out = mkdtempSync(join(scratch, 'run-'))
  const grid = `--env household --tasks 2 --perturb ${perturb} --seeds 1 --temperatures 0 --steps 12 --agent act`
  const model = `--model tuned --base-url ${server.baseUrl} --max-tokens 64 --out ${out}`
  const ended = await shaketable([...`run ${model} ${grid}`.split(' '), ...more], scratch)
  return {
    ...ended,
    out,
    rows: () => rowsOf(out),
    trajectories: () => linesOf(join(out, 'trajectories.jsonl')).map((line) => JSON.parse(line) as Trajectory),
    report: (name: string) => reportOf(out)[name]!,
  }
}

const perturbed = (rows: readonly EpisodeRow[]) => rows.filter(({ condition }) => condition !== 'none')

describe('a run with logprobs', () => {
  it('compares both wordings of every action, and replays to the byte', async () => {
    const exchanges = join(scratch, 'exchanges.jsonl')
    const recorded = await run(goes, 'agentrefine-2', '--set', 'logprobs=true', '--record', exchanges)
    expect(recorded.code, recorded.stderr).toBe(0)
    expect(recorded.stderr).toContain('tuned: log-probabilities are kept.')
    const rows = perturbed(recorded.rows())
    expect(rows).toHaveLength(2)
    for (const { measures } of rows) {
      expect(measures.actionTokens!.tokens).toBeGreaterThanOrEqual(12)
      expect(measures.wordings).toMatchObject({ steps: 12, asked: 12, scored: 12, preferred: 0 })
      expect(measures.wordings!.present).toBeLessThan(measures.wordings!.original)
    }
    expect(recorded.report('tables/behaviour.md')).toContain('tuned: only the first token')
    const [step] = recorded.trajectories().find(({ steps }) => steps[0]?.wordings)!.steps
    expect(step).toMatchObject({ wordings: { present: { text: expect.stringMatching(/^move to /) as string } } })
    const replayed = await run(goes, 'agentrefine-2', '--set', 'logprobs=true', '--replay', exchanges)
    expect(replayed.code, replayed.stderr).toBe(0)
    expect(server!.received).toEqual([])
    expect(partingOf(recorded.out, replayed.out)).toBeUndefined()
  })
})
