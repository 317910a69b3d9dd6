import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoredRun } from '../../../src/run/plan.js'
import { contrast } from '../contrast.js'
import { makePlan } from '../fixture.js'
import { type WrittenPage, chromiumPath, launchBrowser, takePicture, visit, writePage } from './_browser.js'
import { runWithTrajectories } from './_runs.js'

const hostileGoal = 'put some plate in countertop<img src=x onerror=alert(1)>'

/** A run whose tasks have goals and kinds, and whose prompts are reworded under the perturbation. */
function runWithGoals(): StoredRun {
  const made = makePlan({ environments: [{ name: 'household', tasks: 12 }] })
  const plan = {
    ...made,
    conditions: made.conditions.map((condition) => ({
      ...condition,
      perturbations: condition.perturbations.map((one) => ({ ...one, summary: 'other words: take → grab' })),
    })),
    environments: made.environments.map((environment) => ({
      ...environment,
      tasks: environment.tasks.map((task, at) => ({
        ...task,
        kind: at < 4 ? 'heat' : 'cool',
        ...(at !== 11 && { goal: at === 0 ? hostileGoal : `put some plate ${String(at)} in countertop` }),
      })),
    })),
  }
  const run = runWithTrajectories(plan)
  const unchanged = 'Rule 1.\\nRule 2.'
  const perturbed = new Set(
    [...run.rows].filter(({ condition }) => condition === 'agentrefine-1').map(({ key }) => key),
  )
  return {
    ...run,
    trajectories: (keys) =>
      new Map(
        [...run.trajectories!(keys)].map(([key, trajectory]) => {
          const take = perturbed.has(key) ? "- 'from {recep} take {obj}'" : "- 'take {obj} from {recep}'"
          const content = `${unchanged}\n${take}: pick up\n${unchanged}`
          return [key, { ...trajectory, prompt: [{ role: 'system' as const, content }] }]
        }),
      ),
  }
}

describe.skipIf(chromiumPath === undefined)('the page in a browser (skipped where Chromium is missing)', () => {
  let browser: Browser
  let written: WrittenPage

  beforeAll(async () => {
    browser = await launchBrowser()
    written = writePage(runWithGoals())
  }, 60_000)
  afterAll(async () => {
    await browser.close()
    written.remove()
  })

  const on = (hash: string, test: (page: Page) => Promise<void>, options?: BrowserContextOptions): Promise<void> =>
    visit(browser, written, hash, test, options)
  const lost = '#episodes?model=parrot&change=lost'
  const shown = (page: Page): Promise<string> => page.locator('#episode-list output').innerText()
  const hashOf = (page: Page): string => new URL(page.url()).hash
  const openFirst = async (page: Page): Promise<void> => {
    await page.locator('#episode-list a.open').first().click()
    await page.locator('.steps').waitFor()
  }
  const search = async (page: Page, text: string): Promise<void> => {
    await page.getByLabel('Search the text of episodes').fill(text)
    await expect.poll(() => new URLSearchParams(hashOf(page).split('?')[1]).get('find')).toBe(text)
    await page.locator('.searching', { hasText: /^Searched/ }).waitFor()
  }

  it('shows what broke, with charts, an empty console and no request', () =>
    on('', async (page) => {
      expect(await page.title()).toBe('Robustness of reader and parrot on household · shaketable')
      const card = await page.locator('.card.worse').innerText()
      expect(card).toContain('Significantly worse under agentrefine-1: −100.0 points')
      expect(card).toContain('100 % of refused actions are in the old wording.')
      const widths = "[...document.querySelectorAll('figure img')].map(({ naturalWidth }) => naturalWidth)"
      await expect.poll(() => page.evaluate<number[]>(widths)).toEqual([456, 456, 456])
      await takePicture(page, 'whole', true)
    }))

  it('opens an episode beside its clean twin, with the first difference, refusals and memorised wording marked', () =>
    on(lost, async (page) => {
      await openFirst(page)
      expect(await page.locator('#page').isVisible()).toBe(false)
      expect(await page.locator('.side h3').allInnerTexts()).toEqual(['none success', 'agentrefine-1 step limit'])
      const rows = page.locator('.steps > li')
      expect(await rows.count()).toBe(4)
      expect(await rows.nth(2).getAttribute('id')).toBe('first-difference')
      const first = await rows.nth(2).innerText()
      for (const words of [
        'First difference',
        'take mug 1 from desk 1',
        'progress 100 %',
        'memorised wording: refused',
      ])
        expect(first).toContain(words)
      expect(await rows.nth(3).innerText()).toContain('repeated after it was refused')
      await rows.nth(1).locator('details summary').first().click()
      expect(await rows.nth(1).locator('details .text').first().innerText()).toContain('Thought: I look first.')
      await takePicture(page, 'episode', true)
    }))

  it.each(['dark', 'light'] as const)('has readable contrast in %s mode', (colorScheme) =>
    on(
      '',
      async (page) => {
        const pairs = await page.evaluate<[string, string][]>(readColours)
        expect(pairs.length).toBeGreaterThan(50)
        for (const [ink, paper] of pairs)
          expect(contrast(shares(ink), shares(paper)), `${ink} on ${paper}`).toBeGreaterThanOrEqual(4.5)
      },
      { colorScheme },
    ),
  )

  it('labels every step of stacked twins on a phone, and does not scroll sideways', () =>
    on(
      lost,
      async (page) => {
        await takePicture(page, 'list-phone')
        await openFirst(page)
        const labels = await page.locator('.steps .which:visible').allInnerTexts()
        expect(labels).toEqual(['clean', 'perturbed', 'clean', 'perturbed', 'clean', 'perturbed', 'perturbed'])
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
        await takePicture(page, 'episode-phone', true)
      },
      { viewport: { width: 390, height: 844 } },
    ))

  it('finds texts, and shows the matching line with the match marked', () =>
    on('', async (page) => {
      await search(page, 'is YOURS')
      expect(await shown(page)).toBe('72 of 432 episodes')
      expect(await page.locator('.searching').innerText()).toBe('Searched 432 of 432 episodes')
      expect(await page.locator('.found').first().innerText()).toMatch(/^step 2, observation\s+The mug 1 is yours\.$/)
      expect(await page.locator('.found mark').first().innerText()).toBe('is yours')
      await page.locator('#episode-list').getByLabel('Model').selectOption('parrot')
      expect(await shown(page)).toBe('0 of 432 episodes')
    }))

  it('has its whole state in the address: filters, search, page, episode and step', () =>
    on('', async (page) => {
      await search(page, 'mug')
      await page.locator('#episode-list').getByRole('button', { name: 'Next' }).click()
      expect(hashOf(page)).toBe('#episodes?find=mug&page=2')
      await page.reload()
      await page.locator('.found').first().waitFor()
      expect(await page.locator('.pager .number').innerText()).toBe('101 to 200')
      await openFirst(page)
      const key = hashOf(page).slice(1, 13)
      expect(hashOf(page)).toMatch(/^#[0-9a-f]{12}\?step=\d&find=mug&page=2$/)
      await page.locator('[data-step="1"] .step-number').last().click()
      await expect.poll(() => hashOf(page)).toContain('step=1')
      await page.reload()
      await page.locator('[data-step="1"]:focus').waitFor()
      expect(hashOf(page).slice(1, 13)).toBe(key)
      await page.locator('.controls .number', { hasText: '101 of 432' }).waitFor()
      await page.goBack()
      await page.goBack()
      await page.locator('#episodes').waitFor()
      expect(hashOf(page)).toBe('#episodes?find=mug&page=2')
    }))
})

/** Colours of text and background of every visible element with text of its own. Charts have their own test. */
const readColours = `(() => {
  const backgroundOf = (element) => {
    for (let one = element; one !== null; one = one.parentElement) {
      const { backgroundColor } = getComputedStyle(one)
      if (!/, 0\\)$|transparent/.test(backgroundColor)) return backgroundColor
    }
    return 'rgb(255, 255, 255)'
  }
  return [...document.querySelectorAll('body *')]
    .filter((element) => element.closest('svg, script, button:disabled') === null && element.checkVisibility())
    .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
    .map((element) => [getComputedStyle(element).color, backgroundOf(element)])
})()`

/** A computed colour as shares of 1. */
function shares(colour: string): number[] {
  const parts = colour.match(/[\d.]+/g)!.slice(0, 3)
  return parts.map((part) => Number(part) / (colour.startsWith('color(') ? 1 : 255))
}
