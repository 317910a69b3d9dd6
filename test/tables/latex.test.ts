import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { allTables } from '../../reports/tables/index.js'
import { latexText } from '../../src/tables/_latex-text.js'
import { complaintsOf, hasLatex, latexOf } from './_latex.js'
import { aggregate } from '../../src/results/aggregate.js'
import { parsePublished } from '../../src/results/published/parse-published.js'
import type { Cell, Column, Table } from '../../src/tables/table.js'
import { nasty } from '../reports/nasty.js'
import { richRun } from '../reports/rich-example.js'

const published = parsePublished(readFileSync(new URL('../../baselines/published.csv', import.meta.url), 'utf8')).rows
const ascii = String.fromCharCode(...Array.from({ length: 95 }, (_, code) => code + 32))

describe('a name with letters that pdfLaTeX lacks', () => {
  it.each([
    ['naïve Å Çé ı Ọ ű', 'na{\\"{\\i}}ve {\\r{A}} {\\c{C}}{\\\'{e}} {\\i} {\\d{O}} {\\H{u}}'],
    ['Т-Банк Ёж й', 'T{-}Bank Ezh i'],
    ['β Ω ά Α', '{$\\beta$} {$\\Omega$} {$\\alpha$} A'],
    ['ệ', '{\\^{{\\d{e}}}}'],
    ['通', '{\\ifdefined\\Umathchar 通\\else U+901A\\fi}'],
  ])('is printed: %s', (text, latex) => {
    expect(latexText(text)).toBe(latex)
  })

  it('is told of once, where letters need another engine', () => {
    const one = (name: string): Table => {
      const rows = [1, 2].map((row) => ({
        heads: [name, String(row)],
        model: name,
        agent: 'a',
        cells: [{ text: name }],
      }))
      const groups = [{ title: '', columns: [{ title: 'x', shows: 'text', metric: 'x' } as Column] }]
      return { name: 'a', title: 't', notes: [], marks: {}, origin: [], heads: ['m', 'n'], groups, rows }
    }
    const text = latexOf([one('通义-7b'), one('通义-8b')])
    expect(text.match(/need XeLaTeX or LuaLaTeX/g)).toHaveLength(1)
    expect(text).toMatch(/^% Letters such as 通 need/)
    expect(latexOf([one('é')])).not.toContain('XeLaTeX')
  })
})

describe('compiling LaTeX (skipped without pdflatex)', () => {
  it.skipIf(!hasLatex)('compiles every table of a run, published rows too', { timeout: 120_000 }, () => {
    const texts = allTables(aggregate(richRun()), 'pooled', published).map((table) => latexOf([table]))
    // Tables of everything may be longer than a page; the command refuses those.
    const complaints = complaintsOf('\\documentclass{article}', texts).filter(
      (line) => !line.includes('Float too large'),
    )
    expect(complaints).toEqual([])
  })

  it.skipIf(!hasLatex)('compiles with any text anywhere in a table', { timeout: 120_000 }, () => {
    const words = [...nasty, ascii]
    const columns = words.map((title): Column => ({ title, shows: 'text', metric: 'x' }))
    const cells = words.map((text): Cell => ({ text, best: true, heldIn: true }))
    const table: Table = {
      name: ascii,
      environment: words.join(),
      title: words.join(' '),
      notes: words,
      marks: { best: ascii, heldIn: ascii },
      origin: words,
      heads: words,
      groups: words.map((title, index) => ({ title, columns: [columns[index]!] })),
      rows: words.map((name, index) => ({
        heads: words.map((_, place) => words[(index + place) % words.length]!),
        model: name,
        agent: name,
        ...(index > 3 && { published: name }),
        cells,
      })),
    }
    const complaints = complaintsOf('\\documentclass{article}', [latexOf([table])])
    expect(complaints.filter((line) => !/^(?:Overfull|LaTeX Warning: Float too large)/.test(line))).toEqual([])
  })
})
