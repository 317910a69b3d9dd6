import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TrainingRow } from '../../src/training/data-filter.js'
import { createRowWriter } from '../../src/training/create-row-writer.js'
import { type RowProblem, readRows } from '../../src/training/records.js'
import { rowFormats, rowOf } from '../../src/training/row-formats.js'
import { scratchFolder } from '../scratch.js'

const folder = scratchFolder()

const record = (id: string): string =>
  JSON.stringify({
    id,
    conversations: [
      { from: 'human', value: `"{ [ {"id":1} \\ ${id}` },
      { from: 'gpt', value: 'é' },
    ],
  })
const [a, b, c] = ['a', 'b', 'c'].map(record) as [string, string, string]
const cut = b.slice(0, 40)

/** Ids of the rows (`-` where there is none), and `record: message` of the problems. */
function read(content: string | Uint8Array) {
  const path = join(folder, 'data.json')
  writeFileSync(path, content)
  const problems: string[] = []
  const problem = ({ record, message }: RowProblem) => void problems.push(`${String(record)}: ${message}`)
  const rows = [...readRows(path, { problem })]
  return { ids: rows.map(({ row }) => row.id ?? '-'), raws: rows.map(({ raw }) => raw), problems }
}

const turns = [
  { turn: 0, role: 'DM', Thought: '', Observation: 'a "quoted" {brace} [' },
  { turn: 1, role: 'Player', Thought: '', Action: 'look' },
].map((turn) => ({
  ...turn,
  ...(turn.role === 'DM' && { parameter_error: false, place_error: false, logic_error: false }),
}))
const list = JSON.stringify(turns)
const object = (id: string): string => JSON.stringify({ id, turns })

describe('reading training data', () => {
  const whole = [a, b, c]
  const odd = [a, b].map((one) => one.replace('{', '{"reward":NaN,"other":[-Infinity],'))
  it.each<[string, string, ids: string, raws?: readonly string[]]>([
    ['an array on one line', `[${whole.join(',')}]`, 'abc', whole],
    ['an array with a record a line', `[\n${whole.join(',\n')}\n]\n`, 'abc', whole],
    ['JSON lines without a last line end', whole.join('\n'), 'abc', whole],
    ['JSON lines with line ends of Windows and blank lines', [a, '', b, ' ', c].join('\r\n'), 'abc', whole],
    ['a byte order mark', `\ufeff${whole.join('\n')}`, 'abc', whole],
    ['a byte order mark before an array', `\ufeff [${whole.join(' , ')}] `, 'abc', whole],
    ['numbers that JSON lacks, in lines', odd.join('\n'), 'ab', odd],
    ['numbers that JSON lacks, in an array', `[${odd.join(',')}]`, 'ab'],
    ['one list of turns', list, '-'],
    ['one list with a turn a line', `[\n${turns.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`, '-'],
    ['a list of lists, laid out', JSON.stringify([turns, turns], null, 1), '--'],
    ['an array of objects', `\ufeff[\n${object('a')},\n${object('b')}\n]`, 'ab'],
    ['lists, one a line', `${list}\n\n${list}\r\n`, '--'],
    ['one object, laid out', JSON.stringify(JSON.parse(a), null, 1), 'a'],
    ['an empty array', '[]', ''],
    ['nothing', '', ''],
  ])('reads %s, with records unchanged', (_, content, ids, raws) => {
    expect(read(content)).toMatchObject({ ids: [...ids], problems: [], ...(raws && { raws }) })
  })

  it.each<[string, string | Buffer, readonly string[], readonly string[]]>([
    ['a cut line', [a, cut, c].join('\n'), ['a', 'c'], ['2: it is not JSON']],
    ['a cut first line', [cut, a, c].join('\n'), ['a', 'c'], ['1: it is not JSON']],
    ['others', [a, '{"a":1}', '[1]', '7', c].join('\n'), ['a', 'c'], ['2: expected', '3: turn 1', '4: expected']],
    ['Latin-1', Buffer.concat([Buffer.from(`${a}\n`), Buffer.from(b, 'latin1')]), ['a'], ['2: it is not in UTF-8']],
    ['an array with values that are no records', `[${a},7,"x",{},${c}]`, ['a', 'c'], ['2:', '3:', '4:']],
  ])('names what is broken in %s', (_, content, ids, problems) => {
    const found = read(content)
    expect(found.ids).toEqual(ids)
    expect(found.problems).toEqual(problems.map((words) => expect.stringMatching(`^${words}`) as unknown))
  })

  const broken = /data\.json: it is not JSON: .*Correct it/
  it.each([
    ['a record that breaks off in an array', `[\n${[a, cut, c].join(',\n')}]`, broken],
    ['a file that breaks off, laid out', JSON.stringify(turns, null, 1).slice(0, 80), broken],
    ['another encoding', Buffer.from(`[${a},${b}]`, 'latin1'), /line 1: expected text in UTF-8/],
    ['Parquet', Buffer.from('PAR1xxxx'), /begins with "PAR1xxxx".*convert others, such as Parquet/],
    ['gzip', Buffer.from([0x1f, 0x8b, 8, 0]), /begins with .*unpack a file that is compressed/],
  ])('refuses %s with what to do', (_, content, message) => {
    expect(() => read(content)).toThrow(message)
  })

  it('refuses a missing file and a folder', () => {
    expect(() => [...readRows(join(folder, 'nothing.json'))]).toThrow(/cannot be read: ENOENT/)
    expect(() => [...readRows(folder)]).toThrow(/is a folder/)
  })
})

it.each([
  ['conversations', 'from', 'value', 'human', 'gpt'],
  ['conversation', 'role', 'content', 'user', 'assistant'],
])('a record is read with %s of %s and %s', (key, role, text, user, assistant) => {
  const value = {
    item_id: 7,
    [key]: [
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

it('a record may have calls of functions, which are read as text, text in parts, and weights', () => {
  const call = (name: string, given: unknown) => ({ function: { name, arguments: given } })
  const messages = [
    { role: 'developer', content: 'd' },
    { role: 'assistant', content: null, tool_calls: [call('take', '{"obj": "pen 1"}'), call('look', {})] },
    { role: 'tool', content: [{ type: 'text', text: 'You take' }, { type: 'image_url' }, { text: ' it.' }] },
    { role: 'assistant', content: 'Done.', weight: 0, function_call: { name: 'stop', arguments: '' } },
  ]
  expect(rowOf({ messages })).toEqual({
    turns: [
      { role: 'system', text: 'd' },
      { role: 'assistant', text: 'take {"obj": "pen 1"}\nlook {}' },
      { role: 'user', text: 'You take it.' },
      { role: 'assistant', text: 'Done.\nstop', loss: false },
    ],
  })
  expect(rowOf({ conversations: null, item_id: 'webshop_5238' })).toEqual({ id: 'webshop_5238', turns: [] })
})

it.each([
  [{ messages: [{ role: 'narrator', content: '' }] }, /turn 1 of 'messages': expected a role/],
  [{ messages: [{ role: 'user', content: 7 }] }, /text under 'value' or 'content'/],
  [{ messages: {} }, /expected a list/],
  [{ turns: [{ role: 'DM' }] }, /^turn 1: 'turn' of the turn/],
])('a record is refused: %j', (value, message) => {
  expect(rowOf(value)).toEqual({ wrong: expect.stringMatching(message) as unknown })
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

it.each(rowFormats)('writing training data writes in $name what can be read back', (format) => {
  const path = join(folder, `written-${format.name}`)
  fc.assert(
    fc.property(fc.array(rows, { maxLength: 5 }), (given) => {
      const writer = createRowWriter(path, format.name)
      for (const row of given) writer.write(row)
      const written = writer.close()
      expect([written.records, written.bytes]).toEqual([given.length, readFileSync(path).length])
      expect([...readRows(path)].map(({ row }) => row)).toEqual(given)
    }),
    { numRuns: 50 },
  )
})
