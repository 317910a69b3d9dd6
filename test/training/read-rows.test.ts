import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TrainingRow } from '../../src/training/data-filter.js'
import { createRowWriter } from '../../src/training/create-row-writer.js'
import type { ReadRowsOptions } from '../../src/training/read-rows.js'
import { readRows } from '../../src/training/read-rows.js'
import { rowFormats, rowOf } from '../../src/training/row-formats.js'

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'shaketable-rows-'))))
afterAll(() => rmSync(folder, { recursive: true }))

const record = (id: string): string =>
  JSON.stringify({
    id,
    conversations: [
      { from: 'human', value: `"{ [ {"id":1} \\ ${id}` },
      { from: 'gpt', value: 'é' },
    ],
  })
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(record) as [string, string, string, string]
const cut = b.slice(0, 40)

interface Read {
  readonly ids: readonly (string | undefined)[]
  readonly raws: readonly string[]
  readonly problems: readonly string[]
}

function read(content: string | Uint8Array, options: ReadRowsOptions = {}): Read {
  const path = join(folder, 'data.json')
  writeFileSync(path, content)
  const problems: string[] = []
  const rows = [
    ...readRows(path, {
      ...options,
      problem: (problem) => {
        expect(problem.file).toBe(path)
        problems.push(
          `${String(problem.record)}@${String(problem.line)}${problem.skipped ? '' : ' kept'}: ${problem.message}`,
        )
      },
    }),
  ]
  return { ids: rows.map(({ row }) => row.id), raws: rows.map(({ raw }) => raw), problems }
}

describe('reading training data', () => {
  it.each([
    ['an array on one line', `[${[a, b, c].join(',')}]`],
    ['an array with a record a line', `[\n${[a, b, c].join(',\n')}\n]\n`],
    ['JSON lines', `${[a, b, c].join('\n')}\n`],
    ['JSON lines without a last line end', [a, b, c].join('\n')],
    ['JSON lines with line ends of Windows and blank lines', [a, '', b, ' ', c].join('\r\n')],
    ['a byte order mark', `\ufeff${[a, b, c].join('\n')}`],
    ['a byte order mark before an array', `\ufeff [${[a, b, c].join(' , ')}] `],
  ])('reads %s, every record unchanged', (_, content) => {
    expect(read(content)).toEqual({ ids: ['a', 'b', 'c'], raws: [a, b, c], problems: [] })
  })

  it('reads records with numbers that JSON lacks where nobody reads them, and says where it does not', () => {
    const odd = [a, b, c].map((one) => one.replace('{', '{"reward":NaN,"other":[-Infinity],'))
    for (const content of [odd.join('\n'), `[${odd.join(',')}]`]) {
      expect(read(content)).toEqual({ ids: ['a', 'b', 'c'], raws: odd, problems: [] })
    }
    expect(read(`${a}\n{"id":"b","messages":[{"role":"user","content":"x"},{"role":NaN}]}`).problems).toEqual([
      "2@2: turn 2 of 'messages': expected a role under 'from' or 'role', got null",
    ])
  })

  it('reads a file of many chunks exactly, whatever is at their boundaries', () => {
    const many = Array.from({ length: 4000 }, (_, index) =>
      record(`\u00e9\ud83d\ude00${'x'.repeat(index % 700)}"\\${String(index)}`),
    )
    for (const content of [`[${many.join(',')}]`, many.join('\n')]) {
      expect(content.length).toBeGreaterThan(3 << 18)
      const { raws, problems } = read(content)
      expect(problems).toEqual([])
      expect(raws).toEqual(many)
    }
  })

  it.each([
    ['an empty file', '', []],
    ['an empty array', '[]', []],
    ['a record that is cut off in an array', `[${[a, cut, c, d].join(',')}]`, ['a', 'c', 'd']],
    ['a record without its end in an array', `[${[a, b.slice(0, -2), c, d].join(',')}]`, ['a', 'c', 'd']],
    ['a record that is cut off, on its own line in an array', `[\n${[a, cut, c, d].join(',\n')}\n]`, ['a', 'c', 'd']],
    ['a record that is cut off in lines', [a, cut, c, d].join('\n'), ['a', 'c', 'd']],
    ['a first record that is cut off in lines', [cut, a, c].join('\n'), ['a', 'c']],
    ['two records on one line', [a, c + d, b].join('\n'), ['a', 'c', 'd', 'b']],
    ['a file that is cut off in an array', `[${[a, b, cut].join(',')}`, ['a', 'b']],
    ['a file that is cut off in lines', [a, b, cut].join('\n'), ['a', 'b']],
    ['an array that is not closed', `[${[a, b].join(',')}`, ['a', 'b']],
    ['a stray quotation mark', `[${[a, `"${b}`, c].join(',')}]`, ['a', 'b', 'c']],
    ['values that are not records', `[${[a, '7', '"x"', '[1]', '{}', c].join(',')}]`, ['a', 'c']],
    ['two arrays one after the other', `[${a}]\n[${c}]`, ['a', 'c']],
    ['a number without digits', `[${[a, '{"id":"n","score":-,"messages":[]}', c].join(',')}]`, ['a', 'c']],
    ['a missing comma', `[${[a, '{"id":"m" "messages":[]}', c].join(',')}]`, ['a', 'c']],
    ['excessive nesting', `[${[a, '{"a":['.repeat(5000), c].join(',')}]`, ['a', 'c']],
  ])('skips only the broken parts of %s', (_, content, ids) => {
    const { ids: got, problems } = read(content)
    expect(got).toEqual(ids)
    if (content.length > 2) expect(problems.length).toBeGreaterThan(0)
  })

  it('reports record and line of each problem', () => {
    const lines = [a, a, '{"a":1}', '[1]', '{"id":3,"messages":[{"role":"narrator","content":""}]}']
    lines.push('{"messages":[{"role":"user"}]}', '{"messages":{}}', '{"messages":[{"role":"user","content":7}]}', cut)
    expect(read(lines.join('\n')).problems.join('\n')).toMatchInlineSnapshot(`
      "2@2 kept: its id 'a' has come before
      3@3: expected 'conversations', 'conversation' or 'messages', got the keys a
      4@4: expected an object, got a list
      5@5: turn 1 of 'messages': expected a role such as human, gpt, user, assistant or system, got 'narrator'
      6@6: turn 1 of 'messages': expected text under 'value' or 'content', got nothing
      7@7: expected a list under 'messages', got an object
      8@8: turn 1 of 'messages': expected a string under 'content', got a number
      9@9: it is not JSON: Unterminated string; the file ends here, it may be cut off"
    `)
    expect(read(`[\n${[a, cut, c].join(',\n')}`).problems.join('\n')).toMatchInlineSnapshot(`
      "2@3: it is not JSON: a string has no end on its line
      3@4 kept: expected ']' behind the last record, got the end of the file: it is cut off"
    `)
  })

  it('skips a record of 50 MB and reads the others', () => {
    const big = JSON.stringify({ id: 'big', conversations: [{ from: 'gpt', value: 'x'.repeat(50_000_000) }] })
    for (const content of [`[${[a, big, c].join(',')}]`, [a, big, c].join('\n')]) {
      const { ids, problems } = read(content)
      expect(ids).toEqual(['a', 'c'])
      expect(problems[0]).toContain('longer than the 50 MB')
    }
    expect(read([a, big, c].join('\n'), { maxBytes: 60_000_000 }).ids).toEqual(['a', 'big', 'c'])
  })

  it('skips a record that is not in UTF-8', () => {
    const { ids, problems } = read(
      Buffer.concat([Buffer.from(`${a}\n`), Buffer.from(`${b}\n`, 'latin1'), Buffer.from(c)]),
    )
    expect([ids, problems]).toEqual([['a', 'c'], ['2@2: it is not in UTF-8']])
  })

  it.each([
    ['UTF-16', Buffer.from(`\ufeff[${a}]`, 'utf16le'), /UTF-16\. Convert it: iconv -f UTF-16 /],
    ['UTF-16 without a mark', Buffer.from(`[${a}]`, 'utf16le'), /UTF-16\. Convert it: iconv -f UTF-16LE/],
    ['Parquet', Buffer.from('PAR1xxxx'), /Parquet file\. Convert it: python/],
    ['gzip', Buffer.from([0x1f, 0x8b, 8, 0]), /gunzip/],
    ['a pointer of Git LFS', Buffer.from('version https://git-lfs.github.com/spec/v1'), /git lfs pull/],
    ['CSV', Buffer.from('id,text\n1,x'), /Expected a JSON array or JSON lines in .*, but it begins with "id,text/],
  ])('refuses %s with what to do', (_, content, message) => {
    expect(() => read(content)).toThrow(message)
  })

  it('reports a missing file', () => {
    expect(() => [...readRows(join(folder, 'nothing.json'))]).toThrow(
      /there is nothing of that name\. Check the path\./,
    )
    expect(() => [...readRows(folder)]).toThrow(/is a folder, not a regular file/)
  })

  it('finds every complete record wherever a file is damaged', () => {
    const records = [a, b, c, d]
    fc.assert(
      fc.property(
        fc.constantFrom(',', ',\n', '\n'),
        fc.nat({ max: 3 }),
        fc.nat({ max: b.length - 1 }),
        fc.string({ unit: fc.constantFrom('"', '{', '}', '[', ']', '\\', 'x', '\n', ','), maxLength: 4 }),
        (between, which, at, junk) => {
          const damaged = records.map((text, index) => (index === which ? text.slice(0, at) + junk : text))
          const text = between === '\n' ? damaged.join(between) : `[${damaged.join(between)}]`
          const { ids } = read(/^[[{]/.test(text) ? text : `\n${a.replace('"a"', '"first"')}\n${text}`)
          const rest = ['a', 'b', 'c', 'd'].filter((_, index) => index !== which)
          expect(rest.filter((id) => !ids.includes(id)).length).toBeLessThanOrEqual(/[\\"]/.test(junk) ? 1 : 0)
        },
      ),
      { numRuns: 500, seed: 1 },
    )
  })

  it('ends in bounded time on files in which many values start and none ends', () => {
    const started = performance.now()
    for (const part of ['{"a":[', '{"a{"', '{"id":', '{"a":{"', '[{"']) {
      expect(read(`[${part.repeat(100_000)}`).ids).toEqual([])
    }
    expect(performance.now() - started).toBeLessThan(20_000)
  })
})

describe('a record', () => {
  it.each([
    ['conversations', 'from', 'value', 'human', 'gpt'],
    ['conversation', 'role', 'content', 'user', 'assistant'],
    ['messages', 'role', 'content', 'user', 'agent'],
    ['messages', 'from', 'value', 'Human', 'GPT'],
  ])('is read with %s of %s and %s', (turns, role, text, user, assistant) => {
    const value = {
      item_id: 7,
      [turns]: [
        { [role]: 'system', [text]: 's' },
        { [role]: user, [text]: 'u', loss: null },
        { [role]: assistant, [text]: 'a', loss: false, name: 'x' },
      ],
      game_file: 'g',
      reward: 1,
    }
    expect(rowOf(value)).toEqual({
      id: '7',
      turns: [
        { role: 'system', text: 's' },
        { role: 'user', text: 'u' },
        { role: 'assistant', text: 'a', loss: false },
      ],
      labels: { game_file: 'g' },
    })
  })

  it('may have a developer, and calls of functions, which are read as text', () => {
    const call = (name: string, given: unknown) => ({ id: 'c', type: 'function', function: { name, arguments: given } })
    const messages = [
      { role: 'developer', content: 'd' },
      { role: 'assistant', content: null, tool_calls: [call('take', '{"obj": "pen 1"}'), call('look', {})] },
      { role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: 'You take it.' }] },
      { role: 'assistant', content: 'Done.', weight: 0, function_call: { name: 'stop', arguments: '' } },
      { role: 'assistant', tool_calls: [call('look', '{}')], weight: 1 },
    ]
    expect(rowOf({ messages, parallel_tool_calls: false })).toEqual({
      turns: [
        { role: 'system', text: 'd' },
        { role: 'assistant', text: 'take {"obj": "pen 1"}\nlook {}' },
        { role: 'user', text: 'You take it.' },
        { role: 'assistant', text: 'Done.\nstop', loss: false },
        { role: 'assistant', text: 'look {}', loss: true },
      ],
    })
  })

  it('may have no turns, or text in parts', () => {
    expect(rowOf({ conversations: null, item_id: 'webshop_5238' })).toEqual({ id: 'webshop_5238', turns: [] })
    const parts = [{ type: 'text', text: 'x' }, { type: 'image_url' }, { type: 'text', text: 'y' }]
    expect(
      rowOf({
        messages: [
          { role: 'user', content: parts },
          { role: 'assistant', content: null },
        ],
      }),
    ).toMatchObject({
      turns: [{ text: 'xy' }, { text: '' }],
    })
  })
})

const rows: fc.Arbitrary<TrainingRow> = fc.record(
  {
    id: fc.string({ minLength: 1 }),
    turns: fc.array(
      fc
        .record({ role: fc.constantFrom('system', 'user', 'assistant'), text: fc.string({ unit: 'grapheme' }) })
        .map((turn) => (turn.role === 'assistant' ? { ...turn, loss: true } : turn)),
    ),
    labels: fc.constant({ game_file: 'g' }),
  },
  { requiredKeys: ['turns'] },
)

describe('writing training data', () => {
  it.each(rowFormats)('writes in $name what can be read back', (format) => {
    const path = join(folder, `written-${format.name}`)
    fc.assert(
      fc.property(fc.array(rows, { maxLength: 5 }), (list) => {
        const writer = createRowWriter(path, format.name)
        for (const row of list) writer.write(row)
        const written = writer.close()
        expect([written.records, written.bytes]).toEqual([list.length, readFileSync(path).length])
        const back = [...readRows(path)].map(({ row }) => row)
        const withoutLoss = (row: TrainingRow) => ({
          ...row,
          turns: row.turns.map((turn) =>
            turn.role === 'assistant' && format.loss !== 'none' ? turn : { role: turn.role, text: turn.text },
          ),
        })
        expect(back.map(withoutLoss)).toEqual(list.map(withoutLoss))
      }),
      { numRuns: 50 },
    )
  })

  it('writes a record unchanged, on one line in line formats', () => {
    const raw =
      '{\n  "id": "a",\n  "n": 12345678901234567890,\n  "messages": [\n    { "role": "user", "content": "x\\n\u2028y" }\n  ]\n}'
    const path = join(folder, 'raw')
    const lines = createRowWriter(path, 'lines')
    lines.writeRaw(raw)
    lines.close()
    expect(readFileSync(path, 'utf8')).toMatchInlineSnapshot(`
      "{"id": "a","n": 12345678901234567890,"messages": [{ "role": "user", "content": "x\\n\\u2028y" }]}
      "
    `)
    const array = createRowWriter(path, 'array')
    array.writeRaw(raw)
    array.writeRaw(a)
    array.close()
    expect(readFileSync(path, 'utf8')).toBe(`[\n${raw},\n${a}\n]\n`)
    expect([...readRows(path)].map((one) => one.raw)).toEqual([raw, a])
  })

  it('leaves the existing file unchanged until it is closed, and no draft', () => {
    const home = join(folder, 'home')
    mkdirSync(home)
    const path = join(home, 'x.json')
    writeFileSync(path, 'before')
    const writer = createRowWriter(path, 'agenttraj')
    writer.write({ id: 'x', turns: [] })
    writer.finish()
    expect(readFileSync(path, 'utf8')).toBe('before')
    writer.abandon()
    expect([readFileSync(path, 'utf8'), readdirSync(home)]).toEqual(['before', ['x.json']])
  })
})
