import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoredRun } from '../../../src/run/plan.js'
import { makePlan } from '../fixture.js'
import type { WrittenPage } from './_browser.js'
import { chromiumPath, launchBrowser, openPage, takePicture, writePage } from './_browser.js'
import { runWithTrajectories } from './_runs.js'

const hostileGoal = 'put some plate in countertop<img src=x onerror=alert(1)>'

/** A run whose tasks have goals and kinds, and whose prompts are reworded under the perturbation. */
function runWithGoals(): StoredRun {
  const made = makePlan({ environments: [{ name: 'household', tasks: 12 }] })
  const plan = {
    ...made,
    columns: made.columns.map((column) => ({
      ...column,
      perturbations: column.perturbations.map((one) => ({ ...one, summary: 'other words: take → grab' })),
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
  const unchanged = Array.from({ length: 9 }, (_, at) => `Rule ${String(at)}.`).join('\n')
  const perturbed = new Set([...run.rows].filter(({ column }) => column === 'agentrefine-1').map(({ key }) => key))
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

describe.skipIf(chromiumPath === undefined)('episodes in a browser (skipped where Chromium is missing)', () => {
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

  /** Opens the page, runs a test on it, and expects no problems. */
  const visit = async (
    hash: string,
    test: (page: Page) => Promise<void>,
    folder = written,
    options: BrowserContextOptions = {},
  ): Promise<void> => {
    const { page, problems } = await openPage(browser, folder, hash, options)
    try {
      await test(page)
      expect(problems).toEqual([])
    } finally {
      await page.close()
    }
  }
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

  it('labels every step of stacked twins on a phone, and does not scroll sideways', () =>
    visit(
      lost,
      async (page) => {
        await takePicture(page, 'list-phone')
        await openFirst(page)
        const labels = await page.locator('.steps .which:visible').allInnerTexts()
        expect(labels).toEqual(['clean', 'perturbed', 'clean', 'perturbed', 'clean', 'perturbed', 'perturbed'])
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
        await takePicture(page, 'episode-phone', true)
      },
      written,
      { viewport: { width: 390, height: 844 } },
    ))

  it('finds texts, and shows the matching line with the match marked', () =>
    visit('', async (page) => {
      await search(page, 'is YOURS')
      expect(await shown(page)).toBe('72 of 432 episodes')
      expect(await page.locator('.searching').innerText()).toBe('Searched 432 of 432 episodes')
      expect(await page.locator('.found').first().innerText()).toMatch(/^step 2, observation\s+The mug 1 is yours\.$/)
      expect(await page.locator('.found mark').first().innerText()).toBe('is yours')
      await page.locator('#episode-list').getByLabel('Model').selectOption('parrot')
      expect(await shown(page)).toBe('0 of 432 episodes')
      await search(page, 'rule 7')
      expect(await shown(page)).toBe('216 of 432 episodes')
      await takePicture(page, 'search')
    }))

  it('has its whole state in the address: filters, search, page, episode and step', () =>
    visit('', async (page) => {
      await search(page, 'mug')
      await page.locator('#episode-list').getByRole('button', { name: 'Next' }).click()
      expect(hashOf(page)).toBe('#episodes?find=mug&page=2')
      const state = async () => ({
        range: await page.locator('.pager .number').innerText(),
        first: await page.locator('#episode-list a.open').first().getAttribute('href'),
      })
      await page.locator('.found').first().waitFor()
      const before = await state()
      await page.reload()
      await page.locator('.found').first().waitFor()
      expect(await state()).toEqual(before)
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
      expect(await state()).toEqual(before)
    }))
})
