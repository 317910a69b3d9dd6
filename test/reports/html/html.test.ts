import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { Script } from 'node:vm'
import { describe, expect, it } from 'vitest'
// Imported first, since the package's entry point, which each report imports, imports all reports.
import html from '../../../reports/html/html.js'
import { pageScript } from '../../../reports/html/html.js'
import { makePlan, makeRun } from '../fixture.js'
import { richRun } from '../rich-example.js'
import { runWithTrajectories } from './_runs.js'

const pageOf = (run: Parameters<typeof html.render>[0]): string => [...html.render(run)].at(-1)!.text

describe('the page', () => {
  const page = pageOf(runWithTrajectories())

  it('allows only its own style and script, by their hashes, in a policy before both', () => {
    const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]+)"\/>/.exec(page)!
    const hashed = (tag: string): string => {
      const text = new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(page)![1]!
      return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    }
    expect(policy[1]!.split('; ')).toEqual([
      "default-src 'none'",
      `style-src ${hashed('style')}`,
      `script-src ${hashed('script')}`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ])
    expect(policy.index).toBeLessThan(page.indexOf('<style>'))
    expect(page.match(/<(?:script|style)>/g)).toHaveLength(2)
  })

  it('loads nothing', () => {
    for (const text of [page, pageOf(richRun())]) {
      const seen = text.replace(/<style>.*?<\/style>|<script\b.*?<\/script>/gs, '')
      expect(seen).not.toMatch(/<[^>]+ (?:style|on\w+)=/)
      expect(seen).not.toMatch(/ (?:src|srcset|action|poster|xlink:href)=/)
      expect(seen).not.toMatch(/ href="(?!#|data:,")/)
      expect(text).not.toMatch(/@import|url\(|https?:\/\/(?!www\.w3\.org\/\d{4}\/|www\.w3\.org\/1998\/Math\/MathML)/)
    }
  })

  it('can be created for a run without episodes, and for one without twins', () => {
    const plan = makePlan({})
    expect(pageOf({ plan, rows: [] })).toContain(
      'Only 0 of 144 planned episodes are measurements: 144 were not played.',
    )
    const untwinned = pageOf(makeRun(makePlan({ conditions: ['agentrefine-1'] }), (at) => at))
    expect(untwinned).toContain('No clean twin was played')
  })
})

describe('the script of the page', () => {
  it('is one classic script', () => {
    const script = pageScript()
    expect(() => new Script(script)).not.toThrow()
    expect(script).not.toMatch(/<\/script/i)
    expect(script).not.toMatch(/\b(?:outerHTML|insertAdjacentHTML|document\.write|eval|new Function)\b/)
    const folder = new URL('../../../reports/html/', import.meta.url)
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (name.endsWith('.tsx')) expect(readFileSync(new URL(name, folder), 'utf8')).not.toMatch(/innerHTML/i)
    }
    expect(script.length).toBeLessThan(100_000)
  })
})
