import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch.js'
import { linesOf, shaketable } from './_command.js'

const fixtures = fileURLToPath(new URL('../fixtures/verify/', import.meta.url))
const script = join(fixtures, 'script.json')
const good = join(fixtures, 'good.json')

const folder = scratchFolder()

const write = (name: string, text: string | Buffer): string => {
  writeFileSync(join(folder, name), text)
  return name
}

describe('shaketable data verify', () => {
  it('prints one line for each rejection, and writes what is verified', async () => {
    const { code, stdout, stderr } = await shaketable(
      ['data', 'verify', 'trajectories.jsonl', '--script', 'script.json', '--out', join(folder, 'out.jsonl')],
      fixtures,
    )
    expect([code, stderr]).toEqual([1, ''])
    expect(stdout).toMatchInlineSnapshot(`
      "trajectories.jsonl:2: 'unknown-action': turn 7: action: "fetch milk" is none of the available actions: go to {place}, open {container}, take {thing} from {container}, put {thing} on {container}, look; 7 verified turns to continue from.
      trajectories.jsonl:3: 'unlisted-value': turn 7: value: the parameter thing of 'take {thing} from {container}' is "cheese", allowed are "knife", "apple", "milk", "book"; 7 verified turns to continue from.
      trajectories.jsonl:4: 'one-error': turn 12: error-turns: corrected errors: 1, at least 2 are asked for; nothing to continue from.
      trajectories.jsonl:5: 'no-success': turn 14: success: the last observation does not say "Task Succeed": "The milk lies on the shelf."; 13 verified turns to continue from.
      trajectories.jsonl:6: 'ends-early': turn 13: last-turn: the last turn is the Player's, and no answer follows; 13 verified turns to continue from.
      trajectories.jsonl: 1 accepted, 5 rejected (action 1, error-turns 1, last-turn 1, success 1, value 1) (profile strict)
      "
    `)
    const lines = linesOf(join(folder, 'out.jsonl')).map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.map(({ accepted, turns }) => [accepted, (turns as unknown[]).length])).toEqual(
      [15, 7, 7, 0, 13, 13].map((count, index) => [index === 0, count]),
    )
    expect(lines[1]!['rejection']).toMatchObject({ rule: 'action', position: 8, turn: 7 })
  })

  it('reports what is broken, by line and record, and verifies the rest', async () => {
    const line = JSON.stringify(JSON.parse(readFileSync(good, 'utf8')))
    const named = JSON.stringify({ id: 'a\u001b[31m', turns: JSON.parse(line) as unknown })
    write('broken.jsonl', `${line}\n${line.slice(0, 500)}\n{"a":1}\n${named}\n${named}\n`)
    const strict = await shaketable(['data', 'verify', 'broken.jsonl', '--script', script], folder)
    expect(strict.code).toBe(1)
    expect(strict.stdout).toMatchInlineSnapshot(`
      "broken.jsonl:2: unreadable: it is not JSON: Unterminated string; nothing to continue from.
      broken.jsonl:3: unreadable: expected a list of turns, or an object with such a list under 'turns'; nothing to continue from.
      broken.jsonl: 3 accepted, 2 rejected (unreadable 2) (profile strict)
      "
    `)
    expect(strict.stderr).toBe('')
    const literal = await shaketable(
      ['data', 'verify', 'broken.jsonl', '--script', script, '--profile', 'paper-literal'],
      folder,
    )
    expect([literal.code, literal.stdout]).toEqual([
      0,
      'broken.jsonl: 3 accepted, 0 rejected, 2 unreadable and left out (profile paper-literal)\n',
    ])
    expect(literal.stderr.split('\n')).toHaveLength(3)
  })
})
