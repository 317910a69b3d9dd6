import { describe, expect, it } from 'vitest'
import { jsonOf } from '../../../src/training/synthesis/stages.js'

describe('JSON in a reply', () => {
  it('is found in prose, in fences and alone', () => {
    expect(jsonOf('{"a": [1, {"b": "}"}]}')).toEqual({ value: { a: [1, { b: '}' }] } })
    expect(jsonOf('Here it is:\n```json\n[{"turn": 1}]\n```\nIs {this} what you want?')).toEqual({
      value: [{ turn: 1 }],
    })
    expect(jsonOf('A small one [] and then {"large": "\\"one\\""}')).toEqual({ value: { large: '"one"' } })
  })

  it.each([
    ['prose', 'I cannot do that.'],
    ['prose', ''],
    ['prose', 'walk to {place} and [sigh]'],
    ['json', '{"turns": [{"turn": 1}'],
    ['json', '{"a": 1,}'],
    ['json', '{"a": "not closed}'],
    ['json', '{"actions": {"go": 1, "go": 2}}'],
  ])('is missing (%s): %s', (rule, reply) => {
    expect(jsonOf(reply)).toMatchObject({ rule })
  })

  it('takes little time for a hostile reply', () => {
    const started = performance.now()
    jsonOf('{"'.repeat(500_000))
    jsonOf('[{'.repeat(500_000))
    jsonOf('{"a":1}'.repeat(150_000))
    expect(performance.now() - started).toBeLessThan(5000)
  })
})
