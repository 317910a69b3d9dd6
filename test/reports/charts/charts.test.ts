import { describe, expect, it } from 'vitest'
import { chartsOf } from '../../../reports/charts/charts-of.js'
import { pdfOf } from '../../../reports/charts/pdf.js'
import { chartClass, dark, light } from '../../../reports/charts/palette.js'
import { reports } from '../../../reports/index.js'
import { createRandom } from '../../../src/core/random.js'
import { inventAggregate } from './fixture.js'
import { findAll, parseXml, textOf } from './xml.js'
import { contrast } from '../contrast.js'

const conditions = ['none', 'placebo', 'agentrefine-1', 'agentrefine-4:intensity=0.5', 'agentrefine-4:intensity=1']
const full = inventAggregate({ conditions, environments: ['household', 'sciworld'] }, createRandom('charts'))
const charts = chartsOf(full)

describe('the charts of a run', () => {
  it('are of four kinds, one for each environment, and one heat map of all environments', () => {
    expect(charts.map(({ file }) => file)).toEqual([
      'robustness-profile-household',
      'robustness-profile-sciworld',
      'heat-map',
      'steps-household',
      'steps-sciworld',
      'intensity-household',
      'intensity-sciworld',
    ])
  })

  it('are removed where they are left over from an earlier report, and no other file is', () => {
    const own = reports.find(({ name }) => name === 'charts')!
    const files = charts.map(({ file }) => `charts/${file}.svg`)
    expect(['charts/captions.md', ...files].filter((file) => own.isLeftover?.(file) !== true)).toEqual([])
    const others = reports.flatMap(({ name }) => (name === 'charts' ? [] : [`tables/${name}.csv`, `tables/${name}.md`]))
    const left = [...others, 'report.html', 'charts/my-steps.svg', 'charts/steps.txt', 'steps.svg']
    expect(left.filter((file) => own.isLeftover?.(file))).toEqual([])
  })

  it.each(charts)('$file is an image with its title, described by its caption, which names the experiment', (chart) => {
    const root = parseXml(chart.svg)
    const [title, description] = root.attributes['aria-labelledby']!.split(' ')
    expect(root.attributes).toMatchObject({ role: 'img', class: chartClass, xmlns: 'http://www.w3.org/2000/svg' })
    // The style sheet changes the colours of what is in the root.
    expect(findAll(root, 'g')[0]!.attributes['fill']).toBe(light.ink)
    const texts = [...findAll(root, 'title'), ...findAll(root, 'desc')]
    const wordsOf = (id: string | undefined) => texts.find(({ attributes }) => attributes.id === id)?.children.join('')
    expect([wordsOf(title), wordsOf(description)]).toEqual([chart.title, chart.caption.join(' ')])
    expect(`${title!} ${description!}`).toBe(`${chart.file}-title ${chart.file}-desc`)
    for (const part of ['3 tasks', '3 seeds (1–3)', 'temperatures 0, 1', 'Coverage ', 'plan '])
      expect(chart.caption.join(' ')).toContain(part)
  })

  it.each([
    ['several intensities', 'intensity', conditions.filter((label) => label !== 'agentrefine-4:intensity=0.5')],
    ['a clean twin', 'robustness-profile', conditions.filter((label) => label !== 'none')],
    ['a clean twin', 'heat-map', conditions.filter((label) => label !== 'none')],
    ['anything but the clean twin', 'heat-map', ['none']],
  ])('without %s have no %s', (_, name, labels) => {
    const names = chartsOf(inventAggregate({ conditions: labels }, createRandom('few'))).map(({ file }) => file)
    expect(names).not.toContain(name)
    expect(names).toContain('steps')
  })
})

const namedCharts = (environments: readonly string[], models: readonly string[] = ['reader']) =>
  chartsOf(inventAggregate({ environments, models, conditions: ['none', 'a'] }, createRandom('hostile')))

describe('untrusted names', () => {
  it.each([['</title><script>alert(1)</script>'], ["' onload='alert(1)"], [']]><!--']])(
    'are shown literally: %s',
    (name) => {
      for (const { svg } of namedCharts(['household'], [name])) {
        const root = parseXml(svg)
        const texts = ['title', 'text', 'desc'].flatMap((kind) => findAll(root, kind)).map(textOf)
        expect(texts.some((text) => text.includes(name))).toBe(true)
        expect(svg).not.toContain(name)
        expect(findAll(root, 'script')).toEqual([])
        expect(findAll(root, 'img')).toEqual([])
      }
    },
  )

  it('give safe, unique file names', () => {
    const named = namedCharts(['../../etc/passwd', 'etc passwd', 'ETC PASSWD', '', '..', '漢字', 'a'.repeat(300)])
    const files = named.map(({ file }) => file).filter((file) => file.startsWith('steps'))
    expect(files).toEqual([
      'steps-etc-passwd',
      'steps-etc-passwd-2',
      'steps-etc-passwd-3',
      'steps-environment',
      'steps-environment-2',
      'steps-environment-3',
      `steps-${'a'.repeat(40)}`,
    ])
  })
})

describe('a chart as PDF', () => {
  const [chart] = namedCharts(['household'], ['漢字 −†'])

  it('is one page with the same bytes each time, with ? for letters that Helvetica lacks', async () => {
    const [pdf, again] = [await pdfOf(chart!.svg, 'title'), await pdfOf(chart!.svg, 'title')]
    const text = Buffer.from(pdf.bytes).toString('latin1')
    expect(text).toMatch(/^%PDF-1\.\d\n/)
    expect(text.match(/\/Type \/Page\n/g)).toHaveLength(1)
    expect(text).toContain('/BaseFont /Helvetica-Bold')
    expect(Buffer.compare(pdf.bytes, again.bytes)).toBe(0)
    expect(pdf.isIncomplete).toBe(true)
    expect((await pdfOf(namedCharts(['household'])[0]!.svg, 'title')).isIncomplete).toBe(false)
  })

  it('refuses a file that is no font', async () => {
    await expect(pdfOf(chart!.svg, 'title', 'package.json')).rejects.toThrow(
      /^Expected a font in package.json: .*Give a .ttf or .otf file\.$/,
    )
  })
})

const shares = (hex: string): number[] => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)

it.each([light, dark])('a palette has legible text on paper and on the strongest cells', (palette) => {
  const [ink, paper] = [shares(palette.ink), shares(palette.paper)]
  expect(contrast(ink, paper)).toBeGreaterThan(7)
  expect(contrast(shares(palette.muted), paper)).toBeGreaterThan(4.5)
  for (const colour of [palette.vermillion, palette.blue]) {
    const strongest = shares(colour).map((share, part) => 0.65 * share + 0.35 * paper[part]!)
    expect(contrast(ink, strongest)).toBeGreaterThan(4.5)
  }
  expect(contrast(ink, shares(palette.cell))).toBeGreaterThan(7)
})
