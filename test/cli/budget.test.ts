import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch.js'
import { reportOf, rowsOf, shaketable, start } from './_command.js'
import { serveChat } from './_served.js'

const scratch = scratchFolder()

/** Episodes of at most 20 calls, played 8 at a time; a model that only looks around needs all of them. */
const args = (address: string, out: string, ...more: string[]): string[] => [
  ...['run', '--base-url', address, '--model', 'tuned', '--env', 'household', '--tasks', '20', '--perturb', 'none'],
  ...['--steps', '20', '--seeds', '1', '--concurrency', '8', '--no-probe', '--out', out, '--json', ...more],
]

/** A server that answers slowly, and every seventh time with an error. @returns its address and its requests so far */
async function slowServer(): Promise<{ readonly address: string; readonly requests: () => number }> {
  let requests = 0
  const address = await serveChat(async (_, count) => {
    requests = count
    await setTimeout(5 + ((count * 7) % 11))
    return count % 7 === 0 ? { status: 500, content: 'busy' } : { content: 'Action: look' }
  })
  return { address, requests: () => requests }
}

describe('a budget', () => {
  it('of calls is a ceiling for attempts, and little of it is spent on episodes that are abandoned', async () => {
    const { address, requests } = await slowServer()
    const { code, stdout } = await shaketable(args(address, 'calls', '--max', 'calls=150'), scratch)
    const { spent } = JSON.parse(stdout) as { spent: { attempts: number } }
    expect([code, requests() <= 150, spent.attempts]).toEqual([4, true, requests()])
    expect(rowsOf(join(scratch, 'calls')).length).toBeGreaterThanOrEqual(3)
    expect(existsSync(join(scratch, 'calls', 'sessions.jsonl'))).toBe(true)
  })

  it('is counted over sessions that were stopped or interrupted, in the report and as JSON, and a replay spends nothing', async () => {
    const { address, requests } = await slowServer()
    const record = ['--record', 'tape.jsonl']
    const small = (...more: string[]): string[] => [...args(address, 'spent', ...more), '--tasks', '3']
    await shaketable(small(...record, '--max', 'calls=30'), scratch)
    const running = start(small(...record), scratch)
    while (requests() < 45) await setTimeout(5)
    running.child.kill('SIGINT')
    const interrupted = await running.ended
    expect(interrupted.stderr).toMatch(/This session took \d+ calls in \d+ attempts/)
    const last = await shaketable(small(...record), scratch)
    const { spentInAll } = JSON.parse(last.stdout) as { spentInAll: { sessions: number; attempts: number } }
    expect(spentInAll).toMatchObject({ attempts: requests() })
    const page = readFileSync(join(scratch, 'spent', 'report', 'report.html'), 'utf8')
    expect(page).toMatch(
      /<dt>Cost<\/dt>.{0,400}<dd class="spent">(?:of|spent) in all <bdi[^>]*>\d+ calls in \d+ attempts, [\d,]+ tokens, 1 minute in \d sessions?/,
    )
    const whole = [...args(address, 'replayed', '--replay', 'tape.jsonl'), '--tasks', '3']
    const replayed = await shaketable(whole, scratch)
    expect(replayed.code, replayed.stderr).toBe(0)
    expect(replayed.stdout).not.toMatch(/"spent/)
    expect(reportOf(join(scratch, 'replayed'))).toEqual(reportOf(join(scratch, 'spent')))
  })
})
