import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
// First, as the front door, which each report imports, brings them all in.
import { reports } from '../../../reports/index.js'
import html from '../../../reports/html/html.js'
import { contentSecurityPolicy } from '../../../reports/html/content-security-policy.js'
import { makePlan, makeRun } from '../fixture.js'
import { richRun } from '../rich-example.js'
import { workedExample } from '../worked-example.js'
import { spokenRun } from './_spoken-run.js'

const pageOf = (run: Parameters<typeof html.render>[0]): string => [...html.render(run)].at(-1)!.text

describe('the page', () => {
  const page = pageOf(spokenRun())

  it('is one file among those of the report', () => {
    expect([...html.render(workedExample())].map(({ file }) => file)).toEqual(['report.html'])
    expect(reports).toContain(html)
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(page).toMatch(/<\/html>\n$/)
  })

  it('allows its own style and script by their hashes, before either, and nothing else', () => {
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

  it('lets the script add files only where there are some', () => {
    expect(contentSecurityPolicy('', '', false)).not.toContain('strict-dynamic')
    expect(contentSecurityPolicy('', '', true)).toMatch(
      /script-src 'sha256-[^']+' 'strict-dynamic';.*trusted-types episodes$/,
    )
  })

  it('brings everything with it', () => {
    for (const text of [page, pageOf(richRun())]) {
      const seen = text.replace(/<style>.*?<\/style>|<script\b.*?<\/script>/gs, '')
      expect(seen).not.toMatch(/<[^>]+ (?:style|on\w+)=/)
      expect(seen).not.toMatch(/ (?:src|srcset|action|poster|xlink:href)=/)
      expect(seen).not.toMatch(/ href="(?!#|data:,")/)
      expect(text).not.toMatch(/@import|url\(|https?:\/\/(?!www\.w3\.org\/2000\/svg)/)
    }
  })

  it('has ids of its own for everything', () => {
    const ids = [...pageOf(richRun()).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ['page', 'main', 'viewer', 'overview', 'changes', 'charts', 'tables', 'episodes', 'index']) {
      expect(ids).toContain(id)
    }
  })

  it('can be made of a run of which nothing was played, and of one without twins', () => {
    const plan = makePlan({})
    expect(pageOf({ plan, rows: [] })).toContain(
      'Only 0 of 144 planned episodes are measurements: 144 were not played.',
    )
    const untwinned = pageOf(makeRun(makePlan({ columns: ['agentrefine-1'] }), (at) => at))
    expect(untwinned).toContain('No clean twin was played')
    expect(untwinned).not.toContain('<section id="changes">')
  })

  it('says that nothing is known of what was said', () => {
    expect(pageOf(workedExample())).toContain('What was said in the episodes is not part of this page.')
    expect(page).not.toContain('What was said in the episodes is not part of this page.')
  })
})
