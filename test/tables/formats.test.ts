import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvField, csvOf } from '../../src/tables/csv.js'
import { latexLine, latexText } from '../../src/tables/_latex-text.js'
import { complaintsOf, hasLatex, latexOf } from './_latex.js'
import { readCsv } from '../../src/results/published/read-csv.js'
import { markdownOf, markdownText } from '../../src/tables/markdown.js'
import { plainText, widthOf } from '../../src/tables/plain.js'
import { terminalOf } from '../../src/tables/terminal.js'
import { figuresOf } from '../../src/tables/figures.js'
import { type Cell, type Column, type Table, figureText } from '../../src/tables/table.js'
import { nasty } from '../reports/nasty.js'
import { cellText } from '../reports/part.js'

const column = (shows: Column['shows'], title = '', metric = '', label = ''): Column => ({
  ...{ title, shows, metric },
  ...(label !== '' && { label }),
})

const table: Table = {
  name: 'robustness',
  environment: 'house_hold',
  title: 'Robustness on house_hold',
  notes: ['Figures in percent & points.', 'P1 is a|b.'],
  marks: { best: 'the best of its column', heldIn: 'trained on it' },
  origin: ['Coverage 99.0 %.', 'shaketable 0.1.0, plan abc.'],
  heads: ['Model', 'T'],
  groups: [
    {
      title: 'Success rate',
      columns: [column('percent', 'None', 'success', 'none'), column('percent', 'P1', 'success', 'a|b')],
    },
    {
      title: 'Change',
      columns: [column('change', 'P1', 'success-change', 'a|b'), column('coverage', 'Pairs', 'pairs', 'a|b')],
    },
  ],
  rows: [
    {
      ...{ heads: ['gpt_4', '0'], model: 'gpt_4', agent: 'act', temperature: 0 },
      cells: [
        { value: 0.601, deviation: 0.026, runs: 5, low: 0.5, high: 0.7, valid: 20, planned: 20 },
        { value: 1 / 3, valid: 19, planned: 20 },
        { value: -0.123, low: -0.18, high: 0.066 },
        { valid: 19, planned: 20 },
      ],
    },
    {
      ...{ heads: ['gpt_4', 'all'], model: 'gpt_4', agent: 'act' },
      cells: [{ value: 1, deviation: 0, best: true, heldIn: true }, {}, { value: -0.0001 }, { valid: 0, planned: 20 }],
    },
    {
      ...{ heads: ['<i>"50%",\\$x', 'all'], model: '<i>"50%",\\$x', agent: 'act' },
      cells: [{ valid: 0, planned: 20 }, { value: 0 }, {}, {}],
    },
  ],
}

describe('the formats of a table', () => {
  it('is aligned text in a terminal', () => {
    expect(terminalOf([table], 80)).toMatchInlineSnapshot(`
      "Robustness on house_hold

                         Success rate          Change
      Model         T             None     P1            P1  Pairs
      ────────────────────────────────────────────────────────────
      gpt_4         0     60.1 (2.6)    33.3†  -12 [-18, 7]  19/20
                    all  100.0 (0.0)°‡     –     0            0/20
      <i>"50%",\\$x  all      –†          0.0     –             0/0

      Figures in percent & points.
      P1 is a|b.
      °: the best of its column.
      ‡: trained on it.
      Coverage 99.0 %.
      shaketable 0.1.0, plan abc.
      "
    `)
  })

  it('has groups of columns whole below each other in a narrow terminal', () => {
    const titles = terminalOf([table], 55).match(/.*(?:Success rate|Change|P1).*/g)!
    expect(titles.slice(0, 4).map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['Success rate'],
      ['Model', 'T', 'None', 'P1'],
      ['Change'],
      ['Model', 'T', 'P1', 'Pairs'],
    ])
  })

  it('is Markdown', () => {
    expect(markdownOf([table])).toMatchInlineSnapshot(`
      "## Robustness on house\\_hold

      | Model | T | Success rate: None | Success rate: P1 | Change: P1 | Change: Pairs |
      | --- | --- | ---: | ---: | ---: | ---: |
      | gpt\\_4 | 0 | 60.1 (2.6) | 33.3† | -12 [-18, 7] | 19/20 |
      | gpt\\_4 | all | <ins>**100.0**</ins> (0.0) | – | 0 | 0/20 |
      | &lt;i>"50%",\\\\\\$x | all | –† | 0.0 | – | 0/0 |

      - Figures in percent &amp; points.
      - P1 is a\\|b.
      - Bold: the best of its column.
      - Underlined: trained on it.
      - Coverage 99.0 %.
      - shaketable 0.1.0, plan abc.
      "
    `)
  })

  it('is CSV with a line for each figure', () => {
    expect(csvOf([table])).toMatchInlineSnapshot(`
      "table,by,environment,model,agent,temperature,condition,metric,value,deviation,low,high,runs,valid,planned,best,held_in,published,note,kind
      robustness,,house_hold,gpt_4,act,0,none,success,0.601,0.026,0.5,0.7,5,20,20,,,,,
      robustness,,house_hold,gpt_4,act,0,a|b,success,0.3333333333333333,,,,,19,20,,,,,
      robustness,,house_hold,gpt_4,act,0,a|b,success-change,-0.123,,-0.18,0.066,,,,,,,,
      robustness,,house_hold,gpt_4,act,0,a|b,pairs,,,,,,19,20,,,,,
      robustness,,house_hold,gpt_4,act,all,none,success,1,0,,,,,,true,true,,,
      robustness,,house_hold,gpt_4,act,all,a|b,success-change,-0.0001,,,,,,,,,,,
      robustness,,house_hold,gpt_4,act,all,a|b,pairs,,,,,,0,20,,,,,
      robustness,,house_hold,"<i>""50%"",\\$x",act,all,none,success,,,,,,0,20,,,,,
      robustness,,house_hold,"<i>""50%"",\\$x",act,all,a|b,success,0,,,,,,,,,,,
      "
    `)
  })

  it('has what holds for a whole CSV file in comments above, of which no field is a formula', () => {
    const text = csvOf([table], ['Model: a,=1+1; @b\n', 'Seeds: 1, 2.'])
    expect(text.startsWith("# Model: a,'=1+1; '@b \r\n# Seeds: 1, 2.\r\ntable,by,environment,")).toBe(true)
  })

  it('is LaTeX in the style of a paper', () => {
    expect(latexOf([table])).toMatchInlineSnapshot(`
      "% Needs \\usepackage{booktabs,graphicx}
      \\begin{table}[t]
      \\centering
      \\hbadness=10000
      \\caption{Robustness on house\\_hold.}
      \\label{tab:robustness-house-hold}
      \\vspace{0.3em}
      \\small
      \\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%
      \\begin{tabular}{@{}llr@{}lr@{}lr@{}lr@{}l@{}}
      \\toprule
      {} &  & \\multicolumn{4}{c}{Success rate} & \\multicolumn{4}{c}{Change} \\\\
      \\cmidrule(lr){3-6} \\cmidrule(lr){7-10}
      {}Model & T & \\multicolumn{2}{c}{None} & \\multicolumn{2}{c}{P1} & \\multicolumn{2}{c}{P1} & \\multicolumn{2}{c}{Pairs} \\\\
      \\midrule
      {}gpt\\_4 & 0 & 60.1 & \\,{\\scriptsize (2.6)} & 33.3 & $^{\\dagger}$ & $-$12 & \\,{\\scriptsize [$-$18, 7]} & 19/20 &  \\\\
      {} & all & \\underline{\\textbf{100.0}} & \\,{\\scriptsize (0.0)} & -- &  & 0 &  & 0/20 &  \\\\
      {}\\textless{}i\\textgreater{}{\\char34}50\\%{\\char34},\\textbackslash{}\\$x & all & -- & $^{\\dagger}$ & 0.0 &  & -- &  & 0/0 &  \\\\
      \\bottomrule
      \\end{tabular}}
      \\par\\smallskip
      \\begin{minipage}{\\linewidth}
      \\scriptsize\\raggedright
      Bold: the best of its column. Underlined: trained on it.
      \\end{minipage}
      \\end{table}
      % For an appendix, without the percent signs:
      % Figures in percent \\& points.
      % P1 is a\\textbar{}b.
      % Coverage 99.0 \\%.
      % shaketable 0.1.0, plan abc.
      "
    `)
  })
})

describe('a cell as text', () => {
  it.each<[Column['shows'], Parameters<typeof cellText>[0], string]>([
    ['percent', { value: 0.6006, deviation: 0.0264 }, '60.1 (2.6)'],
    ['percent', { value: 0.6, valid: 3, planned: 4 }, '60.0†'],
    ['percent', { valid: 0, planned: 4 }, '–†'],
    ['change', { value: -0.00004 }, '0.0'],
    ['change', { value: -0.123, low: -0.18, high: -0.066, valid: 1, planned: 2 }, '-12.3 [-18.0, -6.6]'],
    ['share', { value: 0.453, low: 0.301, high: 0.602 }, '45.3 [30.1, 60.2]'],
    ['p', { value: 0.0123 }, '0.012'],
    ['p', { value: 0.00099 }, '<0.001'],
    ['percent', { text: 'not declared' }, 'not declared'],
    ['percent', { value: 0.0268, decimals: 2 }, '2.68'],
  ])('%s %o', (shows, cell, expected) => {
    expect(cellText(cell, column(shows))).toBe(expected)
  })
})

describe('decimals', () => {
  const shown = (shows: Column['shows'], cells: readonly Cell[]): string[] =>
    figuresOf({
      ...table,
      groups: [{ title: '', columns: [column(shows)] }],
      rows: cells.map((cell) => ({ heads: ['m', '0'], model: 'm', agent: 'a', cells: [cell] })),
    }).map((row) => figureText(row[0]!))

  const rate = (value: number, deviation?: number): Cell => ({ value, ...(deviation && { deviation }) })
  it.each<[string, Column['shows'], readonly Cell[], readonly string[]]>([
    [
      'the same for a whole column, by its median spread',
      'percent',
      [rate(0.5, 0.011), rate(0.5, 0.14), rate(0.25, 0.023), rate(1)],
      ['50.0 (1.1)', '50.0 (14.0)', '25.0 (2.3)', '100.0'],
    ],
    [
      'enough for a small spread not to look like none',
      'percent',
      [rate(0.5, 0.12), rate(0.5, 0.14), rate(0.25, 0.0043)],
      ['50.0 (12.0)', '50.0 (14.0)', '25.0 (0.4)'],
    ],
    ['by half the interval of a change', 'change', [{ value: -0.1, low: -0.35, high: 0.05 }], ['-10 [-35, 5]']],
    ['always one for a number', 'number', [{ value: 5, low: 0, high: 100 }], ['5.0 [0.0, 100.0]']],
  ])('are %s', (_, shows, cells, expected) => {
    expect(shown(shows, cells)).toEqual(expected)
  })
})

describe('untrusted text', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...nasty))

  it('is quoted in CSV so that it can be read back', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (fields) => {
        expect(readCsv(['x', ...fields.map(csvField)].join(','), 'x')[0]!.fields.slice(1)).toEqual(fields)
      }),
    )
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1'])(
    'is not a formula in a CSV file: %j',
    (name) => {
      const row = { ...table.rows[0]!, model: name, label: name, published: name, cells: [{ text: name }] }
      const fields = readCsv(csvOf([{ ...table, name, rows: [row] }]), 'x')
        .slice(1)
        .flatMap((one) => one.fields)
      expect(fields.filter((field) => field !== '' && !/^[\w']/.test(field))).toEqual([])
      expect(fields.filter((field) => field === `'${name}`)).toHaveLength(4)
    },
  )

  it('is shown unchanged in Markdown, on one line', () => {
    fc.assert(
      fc.property(text, (given) => {
        const escaped = markdownText(given)
        expect(escaped).not.toMatch(/[\r\n<]|(?<!\\)(?:\\\\)*[|`*_[\]]/)
        const shown = escaped
          .replaceAll('&lt;', '<')
          .replaceAll('&amp;', '&')
          .replace(/\\([\\`*_[\]|~#$])/g, '$1')
        expect(shown).toBe(plainText(given))
      }),
    )
  })

  it('contains no command in LaTeX', () => {
    fc.assert(
      fc.property(text, (given) => {
        const escaped = latexText(given)
        expect(latexLine(given).replaceAll('\\allowbreak{}', '')).toBe(escaped)
        // What stands for letters: those of other engines, with accents, Greek ones.
        const ascii = escaped
          .replace(/\{\\ifdefined\\Umathchar [^\0-\x7f]\\else U\+[0-9A-F]+\\fi\}/gu, '')
          .replace(/\{\\[`'^"~=.urHvdcb]\{(?:\\?[A-Za-z]|\{\\[`'^"~=.urHvdcb]\{\\?[A-Za-z]\}\})\}\}/g, '')
          .replace(/\{\\(?:ss|ae|AE|oe|OE|o|O|l|L|i)\}/g, '')
        expect(ascii).toMatch(/^[ -~]*$/)
        const rest = ascii.replace(
          /\\[#$%&_{}]|\\(?:textbackslash|textasciitilde|textasciicircum|textless|textgreater|textbar|ldots)\{\}|\{(?:\\char\d+|-+|``?|''?|\$[^$]*\$|U\+[0-9A-F]+)\}/g,
          '',
        )
        expect(rest).not.toMatch(/[\\{}$&#^_~%]/)
      }),
    )
  })

  it('has no effect on a terminal', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(plainText(given)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
        expect(plainText(given)).toHaveLength(given.length)
      }),
    )
    expect(widthOf('名前 😀e\u0301')).toBe(8)
  })
})

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
    const cells = words.map((text): Cell => ({ text, best: true, heldIn: true }))
    const everywhere: Table = {
      ...{ name: ascii, environment: words.join(), title: words.join(' '), notes: words, origin: words, heads: words },
      marks: { best: ascii, heldIn: ascii },
      groups: words.map((title) => ({ title, columns: [column('text', title, 'x')] })),
      rows: words.map((name, index) => ({
        heads: words.map((_, place) => words[(index + place) % words.length]!),
        ...{ model: name, agent: name, cells },
        ...(index > 3 && { published: name }),
      })),
    }
    const complaints = complaintsOf('\\documentclass{article}', [latexOf([everywhere])])
    expect(complaints.filter((line) => !/^(?:Overfull|LaTeX Warning: Float too large)/.test(line))).toEqual([])
  })
})
