import { describe, expect, it } from 'vitest'
import { chartsOf } from '../../../reports/charts/charts-of.js'
import { createRandom } from '../../../src/core/random.js'
import { inventAggregate } from './fixture.js'
import { findAll, parseXml, textOf } from './xml.js'

const charts = (environments: readonly string[], models: readonly string[] = ['reader']): ReturnType<typeof chartsOf> =>
  chartsOf(inventAggregate({ environments, models, columns: ['none', 'a'] }, createRandom('hostile')))

describe('names that nobody vouches for', () => {
  it.each([
    ['</title><script>alert(1)</script>'],
    ['"><img src=x onerror=alert(1)>'],
    ["' onload='alert(1)"],
    [']]><!--'],
    ['&lt;b&gt; &amp; &#60;'],
  ])('are shown letter by letter: %s', (name) => {
    for (const { svg } of charts(['household'], [name])) {
      const root = parseXml(svg)
      const told = findAll(root, 'title').map(({ children }) => children.join(''))
      expect(told.some((text) => text.includes(name))).toBe(true)
      expect(svg).not.toContain(name)
      expect(findAll(root, 'script')).toEqual([])
      expect(findAll(root, 'img')).toEqual([])
    }
  })

  it('lose what turns writing around, control characters and what XML does not have', () => {
    for (const { svg } of charts(['household'], ['a\u202eb\u2066c\u0000d\u001be\ufffef\ud800g\u2028h'])) {
      const told = findAll(parseXml(svg), 'title').map(({ children }) => children.join(''))
      expect(told.some((text) => text.includes('a b c d e f g h'))).toBe(true)
    }
  })

  it('are cut where they are long, with all of them where the pointer rests', () => {
    const name = `${'very-'.repeat(60)}long`
    for (const { svg, name: kind } of charts(['household'], [name])) {
      const labels = findAll(parseXml(svg), 'text').filter(({ children }) =>
        children.some((child) => typeof child !== 'string' && child.children.join('').startsWith(name)),
      )
      expect(labels.length, kind).toBeGreaterThan(0)
      for (const label of labels) expect(textOf(label)).toMatch(/^very.*….{2}/)
      expect(svg.length).toBeLessThan(400_000)
    }
  })

  it('give names of files that are safe and differ', () => {
    const files = charts(['../../etc/passwd', 'etc passwd', 'ETC PASSWD', '', '..', '漢字', 'a'.repeat(300)])
      .filter(({ name }) => name === 'degradation')
      .map(({ file }) => file)
    expect(files).toEqual([
      'degradation-etc-passwd',
      'degradation-etc-passwd-2',
      'degradation-etc-passwd-3',
      'degradation-environment',
      'degradation-environment-2',
      'degradation-environment-3',
      `degradation-${'a'.repeat(40)}`,
    ])
  })
})
