import { join } from 'node:path'
import { expect, it } from 'vitest'
import { playHostile } from '../_hostile-run.js'
import { bytesOf, partingOf, shaketable } from '../cli/_command.js'
import { hostileKinds, mixOf } from '../hostile-server.js'
import { scratchFolder } from '../scratch.js'

const scratch = scratchFolder()

it('a run of 1,000 exchanges with a server of which every second answer is hostile keeps every episode once, exactly as with a good server, byte for byte', async () => {
  const [calm, wild] = [join(scratch, 'calm'), join(scratch, 'wild')]
  const { port } = await playHostile(() => undefined, 5, calm)
  const run = await playHostile(mixOf('a hostile server'), 5, wild, port)
  for (const folder of [calm, wild]) expect((await shaketable(['report', folder], scratch)).code).toBe(0)
  const { planned, exchanges, calls, errors, sent, ...measured } = run
  expect(exchanges).toBeGreaterThanOrEqual(1000)
  expect(exchanges - calls).toBeGreaterThan(exchanges / 4)
  const told = bytesOf(wild)
  expect(Object.keys(told)).toContain('report.html')
  expect(told.rows!.split('\n')).toHaveLength(planned)
  expect(partingOf(wild, calm)).toBeUndefined()
  // Only a refusal that is not temporary ends an episode; the next session plays it again.
  expect(errors.length).toBeGreaterThan(0)
  for (const message of errors)
    expect(message).toMatch(/^model-error of tuned: http:\S+ answered (?:400: Bad request|302: the server has moved)/)
  expect(sent.size).toBeGreaterThan(hostileKinds.length * 0.9)
  expect(measured.seconds).toBeLessThan(100)
  expect(measured.residentMegabytes).toBeLessThan(500)
  expect(measured.longestGapMs).toBeLessThan(measured.longestAnnouncedMs)
}, 180_000)
