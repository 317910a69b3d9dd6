import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reports } from '../../../reports/index.js'
import { aggregate } from '../../../src/results/aggregate.js'
import { listEpisodes } from '../../../reports/html/episodes/list-episodes.js'
import html from '../../../reports/html/html.js'
import { thoughtsOn } from '../../../reports/html/thoughts.js'
import type { Trajectory } from '../../../src/core/episode.js'
import type { StoredRun } from '../../../src/run/plan.js'
import { makePlan, makeRun } from '../fixture.js'
import type { WrittenPage } from './_browser.js'
import { chromiumPath, launchBrowser, openPage, takePicture, writePage } from './_browser.js'
import { makeStep, thinkingRun } from './_runs.js'

const pageOf = (run: StoredRun): string => [...html.render(run)].at(-1)!.text
const sectionOf = (page: string): string => /<section id="thoughts".*?<\/section>/s.exec(page)?.[0] ?? ''
const measure = (run: StoredRun, list = listEpisodes(run)) => thoughtsOn(aggregate(run), run, list)

describe('the thoughts on the page', () => {
  it('are a table of their spread, and the same each time', () => {
    expect(reports).toContain(html)
    const page = pageOf(thinkingRun())
    const section = sectionOf(page)
    expect(page).toContain('<a href="#thoughts">Thoughts</a>')
    const [same, varied] = ['same', 'varied'].map(
      (model) => new RegExp(`<tr><th scope="row" data-value="${model}">.*?</tr>`, 's').exec(section)![0],
    )
    expect(same).toContain('>216</td>')
    expect(same).toContain('data-value="1">1.00</td>')
    expect(varied).toMatch(/data-value="0\.[12]\d+">0\.[12]\d <span class="muted">\[/)
    expect(sectionOf(pageOf(thinkingRun()))).toBe(section)
  })

  it('are not there if no episode has one, or none can be read', () => {
    const silent = thinkingRun(() => '')
    expect(sectionOf(pageOf(silent))).toBe('')
    const { plan, rows } = thinkingRun()
    expect(sectionOf(pageOf({ plan, rows }))).toBe('')
    expect(sectionOf(pageOf({ ...thinkingRun(), rows: [] }))).toBe('')
  })

  it('are of a bounded number of episodes and of thoughts', () => {
    const plan = makePlan({ environments: [{ name: 'household', tasks: 400 }], agents: ['react'] })
    const read = new Set<string>()
    const run: StoredRun = {
      ...makeRun(plan, (at) => at),
      trajectories: (keys) => {
        for (const key of keys) read.add(key)
        return new Map(keys.map((key) => [key, thoughtful(20, (at) => `I ${key} ${words(at)}`)]))
      },
    }
    const { tables } = measure(run)!
    expect(tables[0]!.rows.map(({ cells }) => cells[3]!.value)).toEqual([500, 500])
    expect(read.size).toBeLessThan(200)
  })

  it('are only named in a run with more episodes than the page lists', () => {
    const run = thinkingRun()
    const list = { ...listEpisodes(run), everyNth: 1 }
    const { tables, notes } = measure(run, list)!
    expect(tables).toEqual([])
    expect(notes.join(' ')).toContain('`shaketable data diversity RUN --out FOLDER`')
    expect(
      measure(
        thinkingRun(() => ''),
        list,
      ),
    ).toBeUndefined()
  })
})

describe.skipIf(chromiumPath === undefined)('the thoughts in a browser (skipped where Chromium is missing)', () => {
  let browser: Browser
  let written: WrittenPage
  beforeAll(async () => {
    browser = await launchBrowser()
    written = writePage(thinkingRun((at) => `I ${String.fromCharCode(97 + (at % 13))}x the <b>${words(at % 60)}</b>`))
  })
  afterAll(async () => {
    await browser.close()
    written.remove()
  })

  it.each([1440, 800, 390])('fit a window of %i pixels', async (width) => {
    const { page, problems } = await openPage(browser, written, '#thoughts', { viewport: { width, height: 900 } })
    await page.locator('#thoughts').scrollIntoViewIfNeeded()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    await takePicture(page, `thoughts-${String(width)}`, true)
    expect(problems).toEqual([])
    await page.close()
  })

  it('have a table that can be copied', async () => {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
    const page = await context.newPage()
    await page.goto(written.address)
    const button = page.locator('#thoughts .tools button', { hasText: 'CSV' })
    await button.click()
    await button.getByText('copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
      /\nthoughts,,varied,.*,mean-pairwise-cosine,0\./,
    )
    await context.close()
  })
})

function words(at: number): string {
  return Array.from({ length: 6 }, (_, place) => ((at + 1) * (place + 3) * 7919).toString(36)).join(' ')
}

function thoughtful(steps: number, thought: (at: number) => string): Trajectory {
  return {
    prompt: [{ role: 'user', content: 'Play.' }],
    opening: { observation: 'A room.' },
    steps: Array.from({ length: steps }, (_, at) =>
      makeStep('look', { reply: `Thought: ${thought(at)}\nAction: look` }),
    ),
  }
}
