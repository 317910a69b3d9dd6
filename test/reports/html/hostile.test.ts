import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import html from '../../../reports/html/html.js'
import type { Trajectory } from '../../../src/core/episode.js'
import type { Plan, StoredRun } from '../../../src/run/plan.js'
import { makePlan, makeRow, makeRun } from '../fixture.js'
import { type WrittenPage, chromiumPath, launchBrowser, takePicture, visit, writePage } from './_browser.js'
import { makeStep } from './_runs.js'

/** Text that would run, draw or hide something on a page that does not escape it. Scripts would set `hacked`. */
const hostile = {
  script: '<script>window.hacked = 1</script>',
  close: '</script><script>window.hacked = 2</script>',
  image: '<img src=x onerror="window.hacked = 3">',
  attribute: '" onmouseover="window.hacked = 4" x="',
  entity: '&lt;script&gt;&#x3C;img src=x&#x3E;',
  comment: '<!--<script>',
  style: '</style><style>body { display: none }</style>',
  title: '</title></textarea></noscript><svg onload="window.hacked = 5">',
  direction: 'abc\u202edcba\u2066x\u2069',
  control: 'a\u0000b\u001b[2Jc\u200bd\u2028e',
  half: 'x\ud800y',
  long: 'very-'.repeat(60),
} as const

const all = Object.values(hostile).join(' ')

/** A megabyte of text with a hostile end. */
const megabyte = `${'The quick brown fox. '.repeat(50_000).slice(0, 1_048_576 - 46)}${hostile.close}`.padEnd(
  1_048_576,
  '.',
)

/** A run in which every name, id, error and text is hostile. */
function hostileRun(): StoredRun {
  const named = makePlan({
    environments: [{ name: `house ${all}`, tasks: 3 }],
    conditions: ['none', `agentrefine-1 ${all}`],
    models: [`model ${all}`, `other ${hostile.attribute}`],
    agents: [`agent ${hostile.image}`],
    temperatures: [0],
    seeds: [1, 2],
  })
  const plan: Plan = {
    ...named,
    version: hostile.script,
    environments: named.environments.map((environment) => ({
      ...environment,
      version: hostile.image,
      tasks: environment.tasks.map((task, index) => ({
        ...task,
        id: `${Object.values(hostile)[index]!} ${task.id} ${all}`,
      })),
    })),
  }
  const run = makeRun(plan, (at) => {
    const lost = at.condition !== 'none' && at.model.startsWith('model')
    const row = lost ? makeRow(at, 'step-limit', 0.5) : makeRow(at, 'success', 1)
    return at.seed === 2 && lost ? { ...row, outcome: 'model-error', error: `The server said ${all}` } : row
  })
  const trajectory: Trajectory = {
    prompt: [{ role: 'system', content: all }],
    opening: { observation: all, original: `${all} underneath` },
    steps: [
      makeStep(all, {
        command: `${all} heard`,
        reply: all,
        thoughts: [all],
        reasoning: [all],
        toolCalls: [{ name: all, arguments: all }],
      }),
      makeStep('look', { observation: megabyte, original: hostile.script, formatError: all, fault: 'length' }),
    ],
    failedCall: [{ outcome: 'timeout', waitMs: 0, milliseconds: 10 }],
  }
  return {
    ...run,
    notes: [`outcomes.jsonl: ${all}`],
    stopped: all,
    trajectories: (keys) => new Map(keys.map((key) => [key, trajectory])),
  }
}

const unseen = /[\u0000\u001b\u200b\u202a-\u202e\u2028\u2066-\u2069]|[\ud800-\udbff](?![\udc00-\udfff])/

describe('a page of hostile text', () => {
  const [page] = [...html.render(hostileRun())]

  it('has its own scripts, styles and elements, and no others', () => {
    const { text } = page!
    const plain = [...html.render({ ...hostileRun(), notes: [] })][0]!.text
    for (const tag of ['script', 'style', 'title', 'img', 'svg', 'noscript']) {
      expect(text.match(new RegExp(`<${tag}\\b`, 'g'))?.length, tag).toBe(
        plain.match(new RegExp(`<${tag}\\b`, 'g'))?.length,
      )
    }
    expect(text.match(/<script\b/g)).toHaveLength(text.match(/<\/script>/g)!.length)
    expect(text).not.toContain('<img')
    expect(text).not.toContain(hostile.script)
    expect(text.replace(/<style>.*?<\/style>|<script\b.*?<\/script>/gs, '').replace(/"[^"]*"/g, '""')).not.toMatch(
      /<[^<>]* (?:on\w+|style)=/,
    )
    expect(text).not.toMatch(unseen)
  })
})

describe.skipIf(chromiumPath === undefined)('hostile text in a browser (skipped where Chromium is missing)', () => {
  let browser: Browser
  let written: WrittenPage

  beforeAll(async () => {
    browser = await launchBrowser()
    written = writePage(hostileRun())
  }, 60_000)
  afterAll(async () => {
    await browser.close()
    written.remove()
  })

  it('is shown literally, never runs and makes no request', () =>
    visit(browser, written, '', async (page) => {
      const text = await page.locator('body').innerText()
      for (const part of ['script', 'close', 'image', 'entity', 'comment', 'style'] as const)
        expect(text).toContain(hostile[part])
      expect(text).toContain('abc⟨U+202E⟩dcba⟨U+2066⟩x⟨U+2069⟩')
      expect(text).toContain('a⟨U+0000⟩b⟨U+001B⟩[2Jc⟨U+200B⟩d⟨U+2028⟩e')
      expect(text).not.toMatch(unseen)
      const foreign = 'img:not([src^="data:image/svg+xml,"]), iframe, object, embed, base, form'
      expect(await page.locator(foreign).count()).toBe(0)

      await page.locator('#episode-list tbody a').nth(2).click()
      await page.locator('.steps').waitFor()
      const shown = await page.locator('#viewer').innerText()
      for (const part of [hostile.script, hostile.image, hostile.entity]) expect(shown).toContain(part)
      expect(shown).not.toMatch(unseen)
      for (const folded of await page.locator('#viewer summary').all()) await folded.click()
      await page.evaluate(
        "for (const element of document.querySelectorAll('*')) element.dispatchEvent(new MouseEvent('mouseover'))",
      )
      await takePicture(page, 'hostile-episode')
      expect(await page.evaluate('window.hacked')).toBeUndefined()
    }))
})
