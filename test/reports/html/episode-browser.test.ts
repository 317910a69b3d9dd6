import { writeFileSync, rmSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoredRun } from '../../../src/run/plan.js'
import { makePlan } from '../fixture.js'
import type { WrittenPage } from './_browser.js'
import { chromiumPath, launchBrowser, openPage, takePicture, writePage } from './_browser.js'
import { largeRun, runWithTrajectories } from './_runs.js'

const hostileGoal = 'put some plate in countertop<img src=x onerror=alert(1)>'

/** Whether the last episode of the list has the focus, as an expression of the page. */
const lastHasFocus = "document.activeElement === [...document.querySelectorAll('a.open')].at(-1)"

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
  const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.textContent')
  const openFirst = async (page: Page): Promise<void> => {
    await page.locator('#episode-list a.open').first().click()
    await page.locator('.steps').waitFor()
  }
  const search = async (page: Page, text: string): Promise<void> => {
    await page.getByLabel('Search the text of episodes').fill(text)
    await expect.poll(() => new URLSearchParams(hashOf(page).split('?')[1]).get('find')).toBe(text)
    await page.locator('.searching', { hasText: /^Searched/ }).waitFor()
  }

  it('names an episode by its goal with the id, or by the id alone, and gives the rule beside the condition', () =>
    visit(lost, async (page) => {
      await openFirst(page)
      expect(await page.locator('#viewer h2 bdi').allInnerTexts()).toEqual([hostileGoal, 'task-0'])
      expect(await page.locator('.condition').allInnerTexts()).toEqual([
        'none success',
        'agentrefine-1 step limit\n\nother words: take → grab',
      ])
      expect(await page.locator('.rewording').allInnerTexts()).toEqual([
        'take {obj} from {recep} → from {recep} take {obj}',
      ])
      await page.goto(`${written.address}#episodes?text=task-11`)
      await openFirst(page)
      expect(await page.locator('#viewer h2').innerText()).toBe('task-11')
    }))

  it('compares the prompts of twins, with long unchanged passages folded', () =>
    visit(lost, async (page) => {
      await openFirst(page)
      const comparison = page.locator('.prompt-comparison')
      const summary = comparison.locator('summary').first()
      expect(await summary.innerText()).toBe('Prompt: 1 of 19 lines differ from the clean twin')
      await summary.click()
      expect(await comparison.locator('details summary').allInnerTexts()).toEqual([
        '8 unchanged lines',
        '8 unchanged lines',
      ])
      expect(await comparison.getByText('Rule 8.').first().isVisible()).toBe(true)
      expect(await comparison.getByText('Rule 4.').first().isVisible()).toBe(false)
      expect(await comparison.locator('mark').allInnerTexts()).toEqual(['take {obj} ', ' take {obj}'])
      await takePicture(page, 'prompt-comparison')
    }))

  it.each([
    ['under the pointer', (page: Page) => page.locator('[data-step="2"] .said').last().hover(), {}],
    [
      'with the keyboard',
      async (page: Page) => [
        await page.keyboard.press('j'),
        await page.keyboard.press('j'),
        await page.keyboard.press('j'),
      ],
      {},
    ],
    [
      'by touch',
      (page: Page) => page.locator('[data-step="2"] .said').last().tap(),
      { hasTouch: true, viewport: { width: 390, height: 800 } },
    ],
  ])('shows both wordings of an action %s', (_, act, options) =>
    visit(
      '#episodes?model=reader&column=agentrefine-1',
      async (page) => {
        await openFirst(page)
        const wordings = page.locator('[data-step="2"] .wordings').last()
        expect(await wordings.isVisible()).toBe(false)
        await act(page)
        await wordings.waitFor()
        expect(await wordings.locator('dt, dd').allInnerTexts()).toEqual([
          'agent said',
          'from desk 1 take mug 1',
          'environment received',
          'take mug 1 from desk 1',
        ])
        expect(await wordings.locator('mark').count()).toBeGreaterThan(0)
      },
      written,
      options,
    ),
  )

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
      await search(page, 'refused: take mug')
      expect(await shown(page)).toBe('72 of 432 episodes')
      await takePicture(page, 'search')
      await search(page, 'refused: look')
      expect(await shown(page)).toBe('0 of 432 episodes')
      await search(page, 'prompt: rule 7')
      expect(await shown(page)).toBe('216 of 432 episodes')
    }))

  it('filters by kind, seed and refused actions', () =>
    visit('', async (page) => {
      for (const [label, choice, expected] of [
        ['Kind', 'heat', '144 of 432 episodes'],
        ['Seed', '2', '48 of 432 episodes'],
        ['Refused actions', 'memorised wording', '8 of 432 episodes'],
      ] as const) {
        await page.locator('#episode-list').getByLabel(label, { exact: true }).selectOption(choice)
        expect(await shown(page)).toBe(expected)
      }
      expect(hashOf(page)).toBe('#episodes?kind=heat&seed=2&refused=memorised+wording')
    }))

  it('has its whole state in the address: filters, search, order, page, episode and step', () =>
    visit('', async (page) => {
      await search(page, 'mug')
      await page.locator('#episode-list th', { hasText: 'Steps' }).getByRole('button').click()
      await page.locator('#episode-list').getByRole('button', { name: 'Next' }).click()
      expect(hashOf(page)).toBe('#episodes?find=mug&sort=-steps&page=2')
      const state = async () => ({
        range: await page.locator('.pager .number').innerText(),
        sorted: await page.locator('th[aria-sort]').innerText(),
        first: await page.locator('#episode-list a.open').first().getAttribute('href'),
      })
      await page.locator('.found').first().waitFor()
      const before = await state()
      await page.reload()
      await page.locator('.found').first().waitFor()
      expect(await state()).toEqual(before)
      await openFirst(page)
      const key = hashOf(page).slice(1, 13)
      expect(hashOf(page)).toMatch(/^#[0-9a-f]{12}\?step=\d&find=mug&sort=-steps&page=2$/)
      await page.locator('[data-step="0"]').focus()
      await expect.poll(() => hashOf(page)).toContain('step=0')
      await page.keyboard.press('j')
      await expect.poll(() => hashOf(page)).toContain('step=1')
      expect(await page.locator('[aria-current=step]').getAttribute('data-step')).toBe('1')
      await page.reload()
      await page.locator('[aria-current=step][data-step="1"]').waitFor()
      expect(hashOf(page).slice(1, 13)).toBe(key)
      expect(await page.locator('.controls .number').innerText()).toBe('101 of 432')
      await page.goBack()
      await page.locator('#episodes').waitFor()
      expect(await state()).toEqual(before)
      await page.goForward()
      await page.locator('[aria-current=step][data-step="1"]').waitFor()
    }))

  it('copies the link of an episode', async () => {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
    const page = await context.newPage()
    await page.goto(`${written.address}${lost}`)
    await openFirst(page)
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByText('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(page.url())
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('no'))")
    await page.getByRole('button', { name: 'Copy link' }).click()
    expect(await page.getByLabel('Link to this episode').inputValue()).toBe(page.url())
    await context.close()
  })

  it('shows the keys, and gives the focus back', () =>
    visit(lost, async (page) => {
      await page.locator('#episode-list a.open').nth(1).focus()
      await page.keyboard.press('?')
      const dialog = page.getByRole('dialog', { name: 'Keys' })
      await dialog.waitFor()
      expect(await dialog.locator('tr').count()).toBeGreaterThan(8)
      await page.keyboard.press('j')
      await page.keyboard.press('Tab')
      expect(await page.evaluate("document.activeElement.matches('body, dialog *')")).toBe(true)
      await takePicture(page, 'keys')
      await page.keyboard.press('Escape')
      expect(await dialog.count()).toBe(0)
      expect(await page.evaluate("[...document.querySelectorAll('a.open')].indexOf(document.activeElement)")).toBe(1)
      await page.getByRole('button', { name: 'Keys: ?' }).click()
      await dialog.getByRole('button', { name: 'Close' }).click()
      expect(await focused(page)).toBe('Keys: ?')
    }))

  it('moves by keys, but not while a field has the focus', () =>
    visit(lost, async (page) => {
      await page.keyboard.press('j')
      const first = await focused(page)
      await page.keyboard.press('j')
      await page.keyboard.press('j')
      await page.keyboard.press('k')
      expect(await focused(page)).not.toBe(first)
      await page.keyboard.press('Enter')
      await page.locator('.steps').waitFor()
      expect(await page.locator('.controls .number').innerText()).toBe('2 of 72')
      await page.keyboard.press('/')
      expect(await page.locator('#episodes').isVisible()).toBe(true)
      await page.keyboard.type('j?/dk')
      expect(await page.getByLabel('Search the text of episodes').inputValue()).toBe('j?/dk')
      expect(await page.locator('dialog').count()).toBe(0)
    }))

  it('has one stop of the Tab key for its list, one for its header, and one for the steps of an episode', () =>
    visit(lost, async (page) => {
      await page.locator('#episode-list th').first().getByRole('button').focus()
      await page.keyboard.press('ArrowRight')
      expect(await focused(page)).toBe('Model')
      const stops: string[] = []
      for (let stop = 0; stop < 3; stop++) {
        await page.keyboard.press('Tab')
        stops.push(await page.evaluate('document.activeElement.className || document.activeElement.textContent'))
      }
      expect(stops.filter((stop) => stop === 'open')).toHaveLength(1)
      await page.locator('#episode-list a.open').first().focus()
      await page.keyboard.press('End')
      expect(await page.evaluate(lastHasFocus)).toBe(true)
      await page.keyboard.press('Enter')
      await page.locator('.steps').waitFor()
      expect(await page.locator('.steps > li[tabindex="0"]').count()).toBe(1)
      expect(await page.locator('.siblings a[tabindex="0"]').count()).toBe(1)
      await page.keyboard.press('Escape')
      await page.locator('#episodes').waitFor()
      expect(await page.evaluate('document.activeElement.tabIndex')).toBe(0)
      expect(await page.evaluate(lastHasFocus)).toBe(true)
    }))

  it('goes on to the next page of the list by the arrow key', () =>
    visit('#episodes', async (page) => {
      await page.locator('#episode-list a.open').last().focus()
      await page.keyboard.press('ArrowDown')
      expect(await page.locator('.pager .number').innerText()).toBe('101 to 200')
      expect(await page.evaluate("[...document.querySelectorAll('a.open')].indexOf(document.activeElement)")).toBe(0)
      await page.keyboard.press('ArrowUp')
      expect(await page.locator('.pager .number').innerText()).toBe('1 to 100')
    }))

  describe('in files beside the page', () => {
    let large: WrittenPage
    beforeAll(() => {
      large = writePage(largeRun(201))
    }, 120_000)
    afterAll(() => large.remove())

    it('searches all of them, can be stopped and goes on', () =>
      visit(
        '#episodes',
        async (page) => {
          const field = page.getByLabel('Search the text of episodes')
          await field.fill('zzzz')
          await page.locator('.searching', { hasText: 'Searching …' }).waitFor()
          await page.getByRole('button', { name: 'Stop' }).click()
          expect(await page.locator('.searching').innerText()).toMatch(/^Stopped: searched [\d,]+ of 10,050 episodes/)
          await page.getByRole('button', { name: 'Go on' }).click()
          await page.locator('.searching', { hasText: 'Searched 10,050 of 10,050 episodes' }).waitFor()
          expect(await shown(page)).toBe('0 of 10,050 episodes')
          await search(page, 'action: z')
          expect(await page.locator('.found').count()).toBe(100)
        },
        large,
      ))

    it('says why some could not be searched', async () => {
      const path = join(large.folder, 'report-episodes-0001.js')
      const original = readFileSync(path)
      rmSync(path)
      const { page } = await openPage(browser, large, '#episodes?find=action:+z')
      await page.locator('.searching', { hasText: 'Expected report-episodes-0001.js beside this page' }).waitFor()
      await page.locator('.searching', { hasText: /^Searched [1-9],?\d+ of 10,050 episodes/ }).waitFor()
      expect(await page.locator('.found').count()).toBe(100)
      await page.close()
      writeFileSync(path, original)
    })
  })

  describe('of a run in one file', () => {
    let large: WrittenPage
    beforeAll(() => {
      large = writePage(largeRun(176))
    }, 120_000)
    afterAll(() => large.remove())

    it('searches cached texts of 8,800 episodes quickly', { retry: 2 }, () =>
      visit(
        '#episodes?find=zzzz',
        async (page) => {
          await page.locator('.searching', { hasText: 'Searched 8,800 of 8,800 episodes' }).waitFor()
          const milliseconds = await page.evaluate<number>(`(async () => {
            const field = document.querySelector('.find')
            const status = document.querySelector('#episode-list output')
            field.value = '${'observation: z'}'
            const start = performance.now()
            field.dispatchEvent(new Event('input'))
            while (status.textContent.startsWith('0 of')) await new Promise((resolve) => setTimeout(resolve, 5))
            return performance.now() - start
          })()`)
          expect(milliseconds).toBeLessThan(1000)
        },
        large,
      ),
    )
  })
})
