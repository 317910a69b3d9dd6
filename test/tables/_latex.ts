import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { latexPaperOf } from '../../src/tables/latex-paper.js'
import { type Table, describeMarks } from '../../src/tables/table.js'

/** Tables of one kind in LaTeX, with all that their captions say. */
export function latexOf(tables: readonly Table[]): string {
  const [{ title, name, by, environment }] = tables as readonly [Table]
  const parts = [name, by, environment].filter((part) => part !== undefined)
  return latexPaperOf(tables, {
    caption: `${title}.`,
    label: `tab:${parts.map((part) => part.replace(/[^A-Za-z0-9]+/g, '-')).join('-')}`,
    notes: [...new Set(tables.flatMap((table) => describeMarks(table, { best: 'Bold', heldIn: 'Underlined' })))],
    header: [],
    appendix: [...new Set(tables.flatMap(({ notes, origin }) => [...notes, ...origin]))],
    notices: [],
  })
}

export const hasLatex = spawnSync('pdflatex', ['--version']).status === 0

/** Every complaint of pdflatex on a document of one float a page. */
export function complaintsOf(head: string, texts: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'shaketable-paper-'))
  try {
    const inputs = texts.map((text, index) => {
      writeFileSync(join(folder, `t${String(index)}.tex`), text.replace('\\label{tab:', `\\label{${String(index)}:`))
      return `\\input{t${String(index)}}\\clearpage\n`
    })
    const packages = /Needs (\\usepackage\{.*?\})/.exec(texts[0]!)![1]!
    writeFileSync(
      join(folder, 'all.tex'),
      `${head}${packages}\\begin{document}\nText.\n${inputs.join('')}\\end{document}\n`,
    )
    for (let pass = 0; pass < 2; pass++) {
      execFileSync('pdflatex', ['-interaction=nonstopmode', 'all.tex'], { cwd: folder, stdio: 'pipe', timeout: 60_000 })
    }
    const log = readFileSync(join(folder, 'all.log'), 'latin1')
    return log.match(/^(?:!|LaTeX Warning|Package \S+ Warning|Overfull|Underfull|Missing character).*/gm) ?? []
  } finally {
    rmSync(folder, { recursive: true })
  }
}
