import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parsePublished } from '../../../src/results/published/parse-published.js'
import { sharedData } from '../../shared-data.js'

const head = 'table,model,setting,environment,perturbation,metric,value,std,held_in,source'
const line = 'T3,AgentRefine,base=LLaMA-3-8B;full data,alfworld,P1,success,56.0,1.5,true,"page, 103 [NOTE a ""copy""]"'
const messages = (text: string): string[] =>
  parsePublished(text).problems.map((one) => `${String(one.line)}: ${one.message}`)

describe('published numbers', () => {
  it('are read with all their fields', () => {
    expect(parsePublished(`${head}\n${line}\n`)).toEqual({
      rows: [
        {
          line: 2,
          table: 'T3',
          model: 'AgentRefine',
          setting: { base: 'LLaMA-3-8B', 'full data': '' },
          environment: 'alfworld',
          perturbation: 'P1',
          metric: 'success',
          value: 56,
          deviation: 1.5,
          heldIn: true,
          source: 'page, 103',
          note: 'a "copy"',
        },
      ],
      problems: [],
    })
  })

  it.each<[string, string, string[]]>([
    ['no values', 'table,model,environment,metric\n', [expect.stringContaining('got none named value.')]],
    ['no model', `${head}\nT,,,e,,success,1,,,\n`, ['2: Column model: got nothing ("").']],
    [
      'a rate below 0 and one above 100',
      `${head}\nT,m,,e,,success,-1,,,\nT,m,,e,,f1,101,,,\n`,
      [
        '2: Column value: expected percentages from 0 to 100 ("-1").',
        '3: Column value: expected percentages from 0 to 100 ("101").',
      ],
    ],
    ['no number', `${head}\nT,m,,e,,steps,1e9,,,\n`, ['2: Column value: expected a number ("1e9").']],
    ['a quote that is open', `${head}\n${line}\nT,"m\n`, [expect.stringMatching(/^3: Expected a closing quote/)]],
  ])('are refused with a reason: %s', (_, text, expected) => {
    expect(messages(text)).toEqual(expected)
  })
})

it.skipIf(sharedData === undefined)(
  'include every number of the published tables (skipped without the shared data)',
  () => {
    const { rows, problems } = parsePublished(readFileSync(join(sharedData!, 'published-results.csv'), 'utf8'))
    expect(problems).toEqual([])
    expect(rows).toHaveLength(559)
    expect(rows.filter(({ note }) => note !== undefined)).toHaveLength(17)
  },
)
