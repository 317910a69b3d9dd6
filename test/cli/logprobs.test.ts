import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { Trajectory } from '../../src/core/episode.js'
import { type LlamaOptions, type LlamaServer, startLlama } from '../models/llama-server.js'
import { scratchFolder } from '../scratch.js'
import { linesOf, partingOf, reportOf, rowsOf, succeed } from './_command.js'

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
const run = (baseUrl: string, more: string) =>
  succeed(
    `run --env household --tasks 2 --perturb agentrefine-2 --seeds 1 --temperatures 0 --steps 12 --agent act --model tuned --base-url ${baseUrl} --max-tokens 64 --set logprobs=true ${more}`,
    scratch,
  )

it('a run with logprobs compares both wordings of every action, and replays to the byte', async () => {
  server = await startLlama({ model: 'tuned', ...goes })
  const { stderr } = await run(server.baseUrl, '--record exchanges.jsonl --out recorded')
  expect(stderr).toContain('tuned: log-probabilities are kept.')
  const recorded = join(scratch, 'recorded')
  const rows = rowsOf(recorded).filter(({ condition }) => condition !== 'none')
  expect(rows).toHaveLength(2)
  for (const { measures } of rows) {
    expect(measures.actionTokens!.tokens).toBeGreaterThanOrEqual(12)
    expect(measures.wordings).toMatchObject({ steps: 12, asked: 12, scored: 12, preferred: 0 })
    expect(measures.wordings!.present).toBeLessThan(measures.wordings!.original)
  }
  expect(reportOf(recorded)['tables/behaviour.md']).toContain('tuned: only the first token')
  const trajectories = linesOf(join(recorded, 'trajectories.jsonl')).map((line) => JSON.parse(line) as Trajectory)
  const [step] = trajectories.find(({ steps }) => steps[0]?.wordings)!.steps
  expect(step).toMatchObject({ wordings: { present: { text: expect.stringMatching(/^move to /) as string } } })
  const asked = server.received.length
  await run(server.baseUrl, '--replay exchanges.jsonl --out replayed')
  expect(server.received).toHaveLength(asked)
  expect(partingOf(recorded, join(scratch, 'replayed'))).toBeUndefined()
})
