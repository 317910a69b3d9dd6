import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { allTables } from '../../reports/tables/index.js'
import { latexLine, latexText } from '../../src/tables/_latex-text.js'
import { latexOf } from '../../reports/tables/paper.js'
import { aggregate } from '../../src/results/aggregate.js'
import { parsePublished } from '../../src/results/published/parse-published.js'
import type { Cell, Column, Table } from '../../src/tables/table.js'
import { nasty } from '../reports/nasty.js'
import { richRun } from '../reports/rich-example.js'

const published = parsePublished(readFileSync(new URL('../../baselines/published.csv', import.meta.url), 'utf8')).rows
const hasLatex = spawnSync('pdflatex', ['--version']).status === 0
const ascii = String.fromCharCode(...Array.from({ length: 95 }, (_, code) => code + 32))

/** The log of pdflatex for a document of one paper's width that includes each text as a file. */
function compile(texts: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'shaketable-latex-'))
  try {
    texts.forEach((text, index) => writeFileSync(join(folder, `table-${String(index)}.tex`), text))
    const inputs = texts.map((_, index) => `\\input{table-${String(index)}}\\clearpage\n`).join('')
    writeFileSync(
      join(folder, 'all.tex'),
      `\\documentclass{article}\\usepackage{booktabs,threeparttable}\\begin{document}\n${inputs}\\end{document}\n`,
    )
    const run = (): unknown =>
      execFileSync('pdflatex', ['-halt-on-error', '-interaction=nonstopmode', 'all.tex'], {
        cwd: folder,
        stdio: 'pipe',
      })
    run()
    run()
    return readFileSync(join(folder, 'all.log'), 'latin1')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function expectClean(log: string): void {
  expect(log).toMatch(/Output written on all\.pdf/)
  const complaints = /^(?:!|LaTeX Warning|Overfull|Missing character|pdfTeX (?:error|warning)).*/gm
  expect(log.match(complaints) ?? []).toEqual([])
}

describe('a name with letters that pdfLaTeX lacks', () => {
  it.each([
    ['naïve Å Çé ı Ọ ű', 'na{\\"{\\i}}ve {\\r{A}} {\\c{C}}{\\\'{e}} {\\i} {\\d{O}} {\\H{u}}'],
    ['e\u0301', "{\\'{e}}"],
    ['Straße Øre łódź æ', "Stra{\\ss}e {\\O}re {\\l}{\\'{o}}d{\\'{z}} {\\ae}"],
    ['ą þ Đ', 'a th D'],
    ['Т-Банк Ёж й', 'T{-}Bank Ezh i'],
    ['β Ω ά Α', '{$\\beta$} {$\\Omega$} {$\\alpha$} A'],
    ['ệ', '{\\^{{\\d{e}}}}'],
    ['通', '{\\ifdefined\\Umathchar 通\\else U+901A\\fi}'],
  ])('is printed: %s', (text, latex) => {
    expect(latexText(text)).toBe(latex)
  })

  it('is broken between words, not behind an accent', () => {
    expect(latexLine('Übersetzungsmodell-großes')).toBe('{\\"{U}}bersetzungsmodell{-}\\allowbreak{}gro{\\ss}es')
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
    const text = latexOf([one('通义-7b'), one('通义-8b')], [])
    expect(text.match(/need XeLaTeX or LuaLaTeX/g)).toHaveLength(1)
    expect(text).toMatch(/^% Letters such as 通 need/)
    expect(latexOf([one('é')], [])).not.toContain('XeLaTeX')
  })
})

describe('compiling LaTeX (skipped without pdflatex)', () => {
  it.skipIf(!hasLatex)('compiles every table of a run, published rows too', { timeout: 120_000 }, () => {
    expectClean(compile(allTables(aggregate(richRun()), 'pooled', published).map((table) => latexOf([table], []))))
  })

  it.skipIf(!hasLatex)('compiles with any names of environments and models', { timeout: 120_000 }, () => {
    const names = new Map<string, string>()
    const rename = (name: string): string => {
      if (!names.has(name))
        names.set(name, `${String(names.size)}${nasty[names.size * 2]!} ${nasty[names.size * 2 + 1]!}`)
      return names.get(name)!
    }
    const tables = allTables(aggregate(richRun(rename)), 'pooled')
    expect(names.size).toBe(7)
    expectClean(compile(tables.map((table) => latexOf([table], []))))
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
    expectClean(compile([latexOf([table], [])]))
  })
})
