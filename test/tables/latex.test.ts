import { describe, expect, it } from 'vitest'
import { latexText } from '../../src/tables/_latex-text.js'
import { complaintsOf, hasLatex, latexOf } from './_latex.js'
import type { Cell, Column, Table } from '../../src/tables/table.js'
import { nasty } from '../reports/nasty.js'

const ascii = String.fromCharCode(...Array.from({ length: 95 }, (_, code) => code + 32))

describe('a name in LaTeX', () => {
  it.each([
    ['Å Çé ı ű', "{\\r{A}} {\\c{C}}{\\'{e}} {\\i} {\\H{u}}"],
    ['β ≥', '{$\\beta$} {$\\geq$}'],
    ['通', '{\\ifdefined\\Umathchar 通\\else U+901A\\fi}'],
  ])('is printed: %s', (text, latex) => {
    expect(latexText(text)).toBe(latex)
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
