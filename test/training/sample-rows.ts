import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { TrainingTurn } from '../../src/training/data-filter.js'

type Rows = Readonly<Record<string, readonly TrainingTurn[]>>

const path = new URL('../fixtures/sample-rows.yaml', import.meta.url)
const file = parse(readFileSync(path, 'utf8')) as Record<'others' | 'inDomain' | 'rewritten', Record<string, string[]>>
const rowsOf = (texts: Record<string, string[]>): Rows =>
  Object.fromEntries(
    Object.entries(texts).map(([name, said]) => [
      name,
      said.map((text, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', text })),
    ]),
  )

export const otherRows: Rows = rowsOf(file.others)
export const inDomainRows: Rows = rowsOf(file.inDomain)
export const rewrittenRows: Rows = rowsOf(file.rewritten)
