import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parsePublished } from '../../../src/results/published/parse-published.js'
import { sharedData } from '../../shared-data.js'

const head = 'table,model,setting,environment,perturbation,metric,value,std,held_in,source'
const line = 'T3,AgentRefine,base=LLaMA-3-8B;full data,alfworld,P1,success,56.0,1.5,true,"page, 103 [NOTE a ""copy""]"'

describe('published numbers', () => {
  it('are read with all their fields', () => {
    expect(parsePublished(`${head}\n${line}\n`)).toEqual([
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
    ])
  })

  const rate = 'Column value: expected percentages from 0 to 100'
  it.each([
    ['no values', 'table,model,environment,metric\n', 'got none named value.'],
    ['no model', `${head}\nT,,,e,,success,1,,,\n`, 'x.csv:2: Column model: got nothing ("").'],
    ['a rate below 0', `${head}\nT,m,,e,,success,-1,,,\n`, `x.csv:2: ${rate} ("-1").`],
    ['a rate above 100', `${head}\n${line}\nT,m,,e,,f1,101,,,\n`, `x.csv:3: ${rate} ("101").`],
    ['no number', `${head}\nT,m,,e,,steps,1e9,,,\n`, 'x.csv:2: Column value: expected a number ("1e9").'],
    ['a field too few', `${head}\nT,m\n`, 'x.csv:2: Expected 10 fields as in the first line, got 2.'],
    ['a quote that is open', `${head}\n${line}\nT,"m\n`, 'x.csv:3: Expected a closing quote'],
  ])('are refused with a reason: %s', (_, text, message) => {
    expect(() => parsePublished(text, 'x.csv')).toThrow(message)
  })
})

it.skipIf(sharedData === undefined)(
  'include every number of the published tables (skipped without the shared data)',
  () => {
    const rows = parsePublished(readFileSync(join(sharedData!, 'published-results.csv'), 'utf8'))
    expect(rows).toHaveLength(559)
    expect(rows.filter(({ note }) => note !== undefined)).toHaveLength(17)
  },
)
