import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WrittenPage } from './_browser.js'
import { chromiumPath, launchBrowser, millisecondsToReady, openPage, writePage } from './_browser.js'
import { largeRun } from './_runs.js'

const maxMilliseconds = 2000

describe.skipIf(chromiumPath === undefined)('a large page in a browser (skipped where Chromium is missing)', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser.close())

  describe('of 10,000 episodes', () => {
    let written: WrittenPage
    beforeAll(() => {
      written = writePage(largeRun(200))
    }, 120_000)
    afterAll(() => written.remove())

    it('is one file, and opens in less than two seconds', { retry: 1 }, async () => {
      expect(written.files).toEqual(['report.html'])
      const { page, problems } = await openPage(browser, written)
      expect(await page.locator('#episode-list output').innerText()).toBe('10,000 of 10,000 episodes')
      const milliseconds = await millisecondsToReady(page)
      await page.close()
      expect(problems).toEqual([])
      expect(milliseconds).toBeLessThan(maxMilliseconds)
    })

    it('filters, sorts and opens its last episode', async () => {
      const { page, problems } = await openPage(browser, written)
      const list = page.locator('#episode-list')
      await list.getByLabel('Change').selectOption('lost')
      expect(await list.locator('output').innerText()).toBe('4,000 of 10,000 episodes')
      await list.locator('th', { hasText: 'Task' }).getByRole('button').click()
      await list.locator('th', { hasText: 'Task' }).getByRole('button').click()
      await list.locator('tbody a').first().click()
      await page.locator('.steps > li').nth(10).waitFor()
      expect(await page.locator('#viewer h2').innerText()).toBe('task-199')
      expect(await page.locator('.side').count()).toBe(2)
      expect(problems).toEqual([])
      await page.close()
    })
  })
})
