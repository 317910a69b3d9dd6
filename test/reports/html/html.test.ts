import { createHash } from 'node:crypto'
import { Script } from 'node:vm'
import { describe, expect, it } from 'vitest'
// Imported first, since the package's entry point, which each report imports, imports all reports.
import { reports } from '../../../reports/index.js'
import { aggregate } from '../../../src/results/aggregate.js'
import { allTables, terminalTables } from '../../../reports/tables/index.js'
import { chartsOf } from '../../../reports/charts/charts-of.js'
import html from '../../../reports/html/html.js'
import { fittingCharts, fittingTables, maxOnPage } from '../../../reports/html/fitting.js'
import { contentSecurityPolicy } from '../../../reports/html/page-document.js'
import { pageScript } from '../../../reports/html/page-script.js'
import { makePlan, makeRun } from '../fixture.js'
import { richRun } from '../rich-example.js'
import { workedExample } from '../worked-example.js'
import { runWithTrajectories } from './_runs.js'

const pageOf = (run: Parameters<typeof html.render>[0]): string => [...html.render(run)].at(-1)!.text

describe('the page', () => {
  const page = pageOf(runWithTrajectories())

  it('is one file among those of the report', () => {
    expect([...html.render(workedExample())].map(({ file }) => file)).toEqual(['report.html'])
    expect(reports).toContain(html)
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(page).toMatch(/<\/html>\n$/)
  })

  it('allows only its own style and script, by their hashes, in a policy before both', () => {
    const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(page)!
    const hashed = (tag: string): string => {
      const text = new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(page)![1]!
      return `&#39;sha256-${createHash('sha256').update(text).digest('base64')}&#39;`
    }
    expect(policy[1]!.split('; ')).toEqual([
      'default-src &#39;none&#39;',
      `style-src ${hashed('style')}`,
      `script-src ${hashed('script')}`,
      'img-src data:',
      'base-uri &#39;none&#39;',
      'form-action &#39;none&#39;',
      'require-trusted-types-for &#39;script&#39;',
      'trusted-types &#39;none&#39;',
    ])
    expect(policy.index).toBeLessThan(page.indexOf('<style>'))
    expect(page.match(/<(?:script|style)>/g)).toHaveLength(2)
  })

  it('lets the script add files only if there are some', () => {
    expect(contentSecurityPolicy('', '', false)).not.toContain('strict-dynamic')
    expect(contentSecurityPolicy('', '', true)).toMatch(
      /script-src 'sha256-[^']+' 'strict-dynamic';.*trusted-types episodes$/,
    )
  })

  it('loads nothing', () => {
    for (const text of [page, pageOf(richRun())]) {
      const seen = text.replace(/<style>.*?<\/style>|<script\b.*?<\/script>/gs, '')
      expect(seen).not.toMatch(/<[^>]+ (?:style|on\w+)=/)
      expect(seen).not.toMatch(/ (?:src|srcset|action|poster|xlink:href)=/)
      expect(seen).not.toMatch(/ href="(?!#|data:,")/)
      expect(text).not.toMatch(/@import|url\(|https?:\/\/(?!www\.w3\.org\/2000\/svg)/)
    }
  })

  it('has unique ids', () => {
    const ids = [...pageOf(richRun()).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of [
      'page',
      'main',
      'viewer',
      'overview',
      'conditions',
      'models',
      'changes',
      'charts',
      'tables',
      'episodes',
      'index',
    ]) {
      expect(ids).toContain(id)
    }
  })

  it('can be created for a run without episodes, and for one without twins', () => {
    const plan = makePlan({})
    expect(pageOf({ plan, rows: [] })).toContain(
      'Only 0 of 144 planned episodes are measurements: 144 were not played.',
    )
    const untwinned = pageOf(makeRun(makePlan({ columns: ['agentrefine-1'] }), (at) => at))
    expect(untwinned).toContain('No clean twin was played')
    expect(untwinned).not.toContain('<section id="changes"')
  })

  it('states that it has no trajectories', () => {
    expect(pageOf(workedExample())).toContain('This page does not include the trajectories of the episodes.')
    expect(page).not.toContain('This page does not include the trajectories of the episodes.')
  })
})

describe('the content that fits on the page', () => {
  const summary = aggregate(richRun())
  const rows = (detail: 'each-temperature' | 'pooled'): number =>
    allTables(summary, detail).reduce((sum, table) => sum + table.rows.length, 0)

  it('is every table and chart of a run of several models and environments', () => {
    for (const one of [summary, aggregate(workedExample())]) {
      expect(fittingTables(one, undefined)).toEqual({ shown: allTables(one, 'each-temperature') })
      expect(fittingCharts(one)).toEqual({ shown: chartsOf(one, { embedded: true }) })
    }
  })

  it('is fewer rows if there are too many, with a note', () => {
    expect(fittingTables(summary, undefined, rows('each-temperature')).note).toBeUndefined()
    const pooled = fittingTables(summary, undefined, rows('each-temperature') - 1)
    expect(pooled.shown).toEqual(allTables(summary, 'pooled'))
    expect(pooled.note).toMatch(/^Rows for single temperatures are only in the tables beside this page\.$/)
    const fewest = fittingTables(summary, undefined, rows('pooled') - 1)
    expect(fewest.shown).toEqual(terminalTables(summary))
    expect(fewest.note).toContain('and some tables are only beside this page')
  })

  it('is the first charts if they are too large, with a note on the others', () => {
    const charts = chartsOf(summary, { embedded: true })
    const { shown, note } = fittingCharts(summary, charts[0]!.svg.length + charts[1]!.svg.length)
    expect(shown).toEqual(charts.slice(0, 2))
    expect(note).toContain(
      `${String(charts.length - 2)} more charts in files beside this page: ${charts[2]!.file}.svg, `,
    )
    expect(maxOnPage.characters).toBeGreaterThan(charts.reduce((sum, { svg }) => sum + svg.length, 0))
  })
})

describe('the script of the page', () => {
  it('is one classic script', () => {
    const script = pageScript()
    expect(() => new Script(script)).not.toThrow()
    expect(script).not.toMatch(/<\/script/i)
    expect(script).not.toMatch(/\b(?:innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|new Function)\b/)
    expect(script.length).toBeLessThan(100_000)
  })
})
