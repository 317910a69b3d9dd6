import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { escapeLineEnds, jsonLine } from '../../src/files/json.js'
import { parseJsonInput, readJson, recordsIn } from '../../src/files/read-json.js'
import { scratchFolder } from '../scratch.js'

describe('JSON as other programs write it', () => {
  it.each([
    ['\ufeff{"a": 1}', { a: 1 }],
    [
      '{"a": NaN, "b": [Infinity, -Infinity, 2], "c": "NaN, \\" -Infinity"}',
      { a: null, b: [null, null, 2], c: 'NaN, " -Infinity' },
    ],
    ['[NaN]', [null]],
    ['-Infinity', null],
    [' {\r\n"a": "x\u2028y"}\r\n', { a: 'x\u2028y' }],
  ])('reads %j', (text, value) => {
    expect(parseJsonInput(text)).toEqual({ value })
  })

  it.each([
    ['', /^Unexpected end of JSON input$/],
    ['{"a": 1,\n "b" 2}', /^line 2: /],
    ['[nul]', /^Unexpected token/],
  ])('says why %j is not JSON', (text, fault) => {
    expect(parseJsonInput(text)).toEqual({ fault: expect.stringMatching(fault) as string })
  })
})

describe('a file of JSON', () => {
  const path = join(scratchFolder(), 'a.json')

  it('names itself and the line of a fault', () => {
    writeFileSync(path, '\ufeff{"a":\n1,}')
    expect(() => readJson('The list', path, 'Mend it.')).toThrow(
      /^The list \S+a\.json: it is not JSON: line 2: .*\. Mend it\.$/,
    )
  })

  it('has the records of an array or of lines', () => {
    const records = [
      { value: 1, place: 'f, entry 0' },
      { value: { a: 2 }, place: 'f, entry 1' },
    ]
    expect(recordsIn('[1,\n{"a": 2}]', 'f', 'Mend it.')).toEqual(records)
    expect(recordsIn('1\n\n{"a": 2}\r\n', 'f', 'Mend it.')).toEqual([
      { value: 1, place: 'f:1' },
      { value: { a: 2 }, place: 'f:3' },
    ])
    expect(() => recordsIn('1\n{"a": 2', 'f', 'Mend it.')).toThrow(/^f:2: it is not JSON: /)
    expect(() => recordsIn('[1,\n\n2', 'f', 'Mend it.')).toThrow(/^f: it is not JSON: /)
  })
})

describe('a line of JSON', () => {
  it('has no character that another language takes for a line end', () => {
    const value = { 'a\u2028': ['b\u2029c\u0085\u000b\u000c\u001c\n'] }
    const line = jsonLine(value)
    expect(line).toBe('{"a\\u2028":["b\\u2029c\\u0085\\u000b\\f\\u001c\\n"]}')
    expect(JSON.parse(line)).toEqual(value)
    expect(escapeLineEnds(line)).toBe(line)
  })
})
