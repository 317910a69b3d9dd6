import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csvHeader } from '../../../reports/tables/captions.js'
import changes from '../../../reports/tables/changes.js'
import { aggregateOf } from '../../../reports/tables/define-report.js'
import { latexOf } from '../../../reports/tables/paper.js'
import type { Trajectory } from '../../../src/core/episode.js'
import type { StoredRun } from '../../../src/run/plan.js'
import { csvOf } from '../../../src/tables/csv.js'
import { markdownOf } from '../../../src/tables/markdown.js'
import { parseXml } from '../charts/xml.js'
import { makePlan, makeRow, makeRun } from '../fixture.js'
import { richRun } from '../rich-example.js'
import type { OpenedPage, WrittenPage } from './_browser.js'
import { chromiumPath, launchBrowser, openPage, takePicture, writePage } from './_browser.js'
import { makeStep, refusedStep, runWithTrajectories } from './_runs.js'

const lesson = '<img src=x onerror=alert(1)> Next time take the mug.'

/** Two trials in the clean column, and a third under a perturbation that ended before its first step. */
function trialsOf(column: string): Trajectory {
  const refused = refusedStep('take mug 1 from desk 1')
  const first = [makeStep('look', { progress: 0.5 }), refused]
  const last = column === 'none' ? [makeStep('look', { progress: 0.25 })] : [refused]
  const reflection = { reply: lesson }
  const ended = { outcome: 'step-limit' as const, reflection }
  return {
    prompt: [{ role: 'user', content: 'Play.' }],
    opening: { observation: 'A room.' },
    steps: [...first, ...last],
    trials: [
      { from: 0, seed: 1, progress: 0.5, ...ended },
      {
        from: 2,
        seed: 77,
        progress: 0.25,
        outcome: 'step-limit',
        ...(column !== 'none' && { reflection: { ...reflection, fault: 'length' } }),
      },
      ...(column === 'none' ? [] : [{ from: 3, seed: 78, progress: 0, outcome: 'context-overflow' as const }]),
    ],
  }
}

function trialRun(): StoredRun {
  const plan = makePlan({
    environments: [{ name: 'household', tasks: 1 }],
    columns: ['none', 'agentrefine-1'],
    ...{ agents: ['reflexion'], models: ['m'], temperatures: [1], seeds: [1] },
  })
  const columns = new Map<string, string>()
  const made = makeRun(plan, (at) => {
    columns.set(at.key, at.column)
    const trials = trialsOf(at.column).trials!.map(({ progress }) => progress)
    return { ...makeRow(at, 'step-limit', trials.at(-1)!, { steps: 3 }), trials }
  })
  return { ...made, trajectories: (keys) => new Map(keys.map((key) => [key, trialsOf(columns.get(key)!)])) }
}

describe.skipIf(chromiumPath === undefined)('the page in a browser (skipped where Chromium is missing)', () => {
  let browser: Browser
  let written: WrittenPage

  beforeAll(async () => {
    browser = await launchBrowser()
    written = writePage(runWithTrajectories(makePlan({ environments: [{ name: 'household', tasks: 12 }] })))
  })
  afterAll(async () => {
    await browser.close()
    written.remove()
  })

  /** Opens the page, runs a test on it, and expects no problems. */
  const visit = async (hash: string, test: (page: Page) => Promise<void>, folder = written): Promise<void> => {
    const { page, problems }: OpenedPage = await openPage(browser, folder, hash)
    try {
      await test(page)
      expect(problems).toEqual([])
    } finally {
      await page.close()
    }
  }
  const texts = (page: Page, selector: string): Promise<string[]> => page.locator(selector).allInnerTexts()

  it('shows broken episodes, with an empty console and no request', () =>
    visit('', async (page) => {
      expect(await page.title()).toBe('Robustness of reader and parrot on household · shaketable')
      expect(await page.locator('.card.worse').innerText()).toContain(
        'Significantly worse under agentrefine-1: −100.0 points',
      )
      expect(await page.locator('.card.worse').innerText()).toContain(
        '100 % of refused actions are in the old wording.',
      )
      await takePicture(page, 'overview')
      await takePicture(page, 'whole', true)
    }))

  it.each(['#episodes?model=parrot', '#episodes', '#tables', '#changes'])('begins at %s', (hash) =>
    visit(hash, async (page) => {
      const id = hash.slice(1).split('?')[0]!
      /** Pixels from the top of the section to where a section that was scrolled to begins. */
      const off = (): Promise<number> =>
        page.evaluate(
          `document.getElementById('${id}').getBoundingClientRect().top - parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop)`,
        )
      await expect.poll(off).toBeCloseTo(0, 0)
      await page.waitForTimeout(500)
      expect(await off()).toBeCloseTo(0, 0)
      await page.evaluate("location.hash = '#models'")
      await page.waitForTimeout(1000)
      await page.evaluate(`location.hash = '${hash}'`)
      await page.waitForTimeout(1500)
      expect(await off()).toBeCloseTo(0, 0)
    }),
  )

  it('sorts a table by figures and by names, and sets aria-sort', () =>
    visit('', async (page) => {
      const header = page.locator('#changes th', { hasText: 'Change' })
      const column = (): Promise<string[]> => texts(page, '#changes tbody tr td:nth-of-type(3)')
      await header.getByRole('button').click()
      expect(await header.getAttribute('aria-sort')).toBe('descending')
      expect(await column()).toEqual(['0.0', '0.0', '0.0', '−100.0'])
      await header.getByRole('button').click()
      expect(await header.getAttribute('aria-sort')).toBe('ascending')
      expect(await column()).toEqual(['−100.0', '0.0', '0.0', '0.0'])
      await page.locator('#changes th', { hasText: 'Model' }).getByRole('button').click()
      expect(await header.getAttribute('aria-sort')).toBeNull()
      expect(await texts(page, '#changes tbody tr th:nth-of-type(1)')).toEqual(['parrot', 'parrot', 'reader', 'reader'])
    }))

  it('filters a table by words and by choice', () =>
    visit('', async (page) => {
      await page.locator('#changes').getByRole('searchbox').fill('PARROT old')
      expect(await page.locator('#changes tbody tr:visible').count()).toBe(1)
      expect(await page.locator('#changes output').innerText()).toBe('1 of 4 rows')
      await page.locator('#changes').getByRole('searchbox').fill('')
      await page.locator('#changes').getByLabel('Verdict').selectOption('Inconclusive')
      expect(await page.locator('#changes tbody tr:visible').count()).toBe(1)
    }))

  it('shows one table at a time, by mouse and by keyboard, and all of them in print', () =>
    visit('', async (page) => {
      const shown = (): Promise<string[]> => texts(page, '#tables figure:visible h3')
      const tabs = page.locator('#tables').getByRole('tab')
      const all = await tabs.count()
      expect(all).toBeGreaterThan(4)
      await tabs.getByText('Behaviour by measure').click()
      expect(await shown()).toEqual(['Behaviour on household'])
      await page.keyboard.press('ArrowRight')
      expect(await shown()).not.toEqual(['Behaviour on household'])
      expect(await page.evaluate('document.activeElement.getAttribute("aria-selected")')).toBe('true')
      await page.emulateMedia({ media: 'print' })
      expect((await shown()).length).toBeGreaterThanOrEqual(all)
      await takePicture(page, 'print', true)
      await page.evaluate("dispatchEvent(new Event('beforeprint'))")
      expect(await page.locator('#page details:not([open])').count()).toBe(0)
      expect(await page.locator('.tools').first().isVisible()).toBe(false)
    }))

  it('filters by environment if there are several', async () => {
    const rich = writePage(richRun())
    await visit(
      '',
      async (page) => {
        await page.locator('#tables').getByRole('tab').getByText('Behaviour by measure').click()
        expect(await texts(page, '#tables figure:visible h3')).toEqual(['Behaviour on household'])
        await page.locator('#tables .choose').getByLabel('Environment').selectOption('pddl')
        expect(await texts(page, '#tables figure:visible h3')).toEqual(['Behaviour on pddl'])
        await page.locator('#charts .choose').getByLabel('Environment').selectOption('babyai')
        expect(await texts(page, '#charts figure:visible h3')).toEqual(['Robustness profile on babyai'])
        await takePicture(page, 'several-environments', true)
      },
      rich,
    )
    rich.remove()
  })

  it('shows each trial, followed by its reflection as plain text', async () => {
    const trials = writePage(trialRun())
    await visit(
      '#episodes',
      async (page) => {
        await page.locator('#episode-list tbody a').last().click()
        await page.locator('.steps').waitFor()
        expect((await texts(page, '.trial')).sort()).toEqual(['Trial 1', 'Trial 1', 'Trial 2', 'Trial 2', 'Trial 3'])
        expect(await texts(page, '.reflection')).toEqual([lesson, lesson, lesson])
        const ends = await texts(page, '.trial-end > .facts:first-child')
        expect(ends.filter((text) => text === 'Trial 1 ended: step-limit, progress 50 %')).toHaveLength(2)
        expect(ends).toContain('Trial 3 ended: context-overflow, progress 0 %')
        expect((await texts(page, '.side .facts')).join()).toContain('3 trials')
        expect(await texts(page, '.trial-end .facts')).toContain('incomplete reply: cut off at the token limit')
        expect((await texts(page, '.repeated')).length).toBe(0)
        expect(await texts(page, '.gain')).toEqual([
          'progress 50 %',
          'progress 50 %',
          'progress 0 %',
          'progress 0 %',
          'progress 25 %',
        ])
        await takePicture(page, 'trials', true)
      },
      trials,
    )
    trials.remove()
  })

  it("shows the title of a chart's mark, under the pointer and with the arrow keys", () =>
    visit('', async (page) => {
      await page.locator('#charts').getByRole('tab').getByText('Heat map').click()
      const chart = page.locator('#charts figure:visible svg')
      await chart.locator('[aria-label]').first().hover({ force: true })
      expect(await page.locator('.tip').innerText()).toMatch(/reader, /)
      await page.mouse.move(0, 0)
      await page.locator('.tip').waitFor({ state: 'hidden' })
      await chart.focus()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowRight')
      const second = await page.locator('.tip').innerText()
      await page.keyboard.press('ArrowLeft')
      expect(await page.locator('.tip').innerText()).not.toBe(second)
      await takePicture(page, 'chart')
      await page.keyboard.press('Escape')
      expect(await page.locator('.tip').isVisible()).toBe(false)
    }))

  it('filters and sorts the list of episodes, and keeps the filter in the address', () =>
    visit('', async (page) => {
      const list = page.locator('#episode-list')
      expect(await list.locator('output').innerText()).toBe('432 of 432 episodes')
      await list.getByLabel('Model').selectOption('parrot')
      await list.getByLabel('Change').selectOption('lost')
      expect(await list.locator('output').innerText()).toBe('72 of 432 episodes')
      expect(new URL(page.url()).hash).toBe('#episodes?model=parrot&change=lost')
      await list.getByLabel('Outcome').selectOption('success')
      expect(await list.locator('output').innerText()).toBe('0 of 432 episodes')
      await list.getByLabel('Outcome').selectOption('')
      await list.locator('th', { hasText: 'Task' }).getByRole('button').click()
      await list.locator('th', { hasText: 'Task' }).getByRole('button').click()
      expect((await texts(page, '#episode-list tbody a')).slice(0, 2)).toEqual(['task-11', 'task-11'])
      await takePicture(page, 'episodes')
      await list.getByLabel('Filter episodes by text').fill('task-3')
      expect(await list.locator('tbody tr').count()).toBe(6)
    }))

  it('pages through a long list', () =>
    visit('', async (page) => {
      const list = page.locator('#episode-list')
      await list.getByRole('button', { name: 'Next' }).click()
      expect(await list.locator('.pager .number').innerText()).toBe('101 to 200')
      expect(await list.locator('tbody tr').count()).toBe(100)
      for (let turn = 0; turn < 3; turn++) await list.getByRole('button', { name: 'Next' }).click()
      expect(await list.locator('.pager .number').innerText()).toBe('401 to 432')
      expect(await list.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true)
    }))

  it('links a number to its episodes', () =>
    visit('', async (page) => {
      await page.locator('#changes tr.worse a', { hasText: '72' }).click()
      await page.locator('#episode-list output', { hasText: /^72 of 432 episodes$/ }).waitFor()
      expect(await texts(page, '#episode-list tbody tr:first-child td:nth-child(2)')).toEqual(['parrot'])
    }))

  it('opens an episode beside its clean twin, with the first difference, refusals and memorised wording marked', () =>
    visit('#episodes?model=parrot&change=lost', async (page) => {
      await page.locator('#episode-list tbody a').first().click()
      await page.locator('.steps').waitFor()
      expect(await page.locator('#page').isVisible()).toBe(false)
      expect(await texts(page, '.side h3')).toEqual(['none success', 'agentrefine-1 step limit'])
      const rows = page.locator('.steps > li')
      expect(await rows.count()).toBe(4)
      expect(await rows.nth(1).getAttribute('class')).toBe('sides pair')
      expect(await rows.nth(2).getAttribute('id')).toBe('first-difference')
      expect(await rows.nth(2).innerText()).toContain('First difference')
      expect(await texts(page, '#first-difference .action')).toEqual([
        'take mug 1 from desk 1',
        'take mug 1 from desk 1',
      ])
      expect(await rows.nth(2).locator('.marks').innerText()).toContain(
        'memorised wording: refused here, understood in the clean twin',
      )
      expect(await rows.nth(3).innerText()).toContain('repeated after it was refused')
      expect(await rows.nth(2).innerText()).toContain('progress 100 %')
      const thought = rows.nth(1).locator('details').first()
      expect(await thought.locator('.text').isVisible()).toBe(false)
      await thought.locator('summary').click()
      expect(await thought.locator('.text').innerText()).toBe('Thought: I look first.\nAction: look')
      await takePicture(page, 'episode', true)
    }))

  it('shows both wordings if they differ, and states that two episodes do not differ', () =>
    visit('#episodes?model=reader&column=agentrefine-1', async (page) => {
      await page.locator('#episode-list tbody a').first().click()
      await page.locator('.steps').waitFor()
      expect(await page.locator('.difference').innerText()).toBe(
        'No difference: the environment received the same commands and gave the same observations in both.',
      )
      const perturbed = page.locator('.steps > li').nth(2).locator('.step').nth(1)
      expect(await perturbed.locator('.wordings dd').allInnerTexts()).toEqual([
        'from desk 1 take mug 1',
        'take mug 1 from desk 1',
      ])
      expect(await perturbed.locator('mark').count()).toBeGreaterThan(0)
      expect(await perturbed.innerText()).toContain('original observation\nYou pick up the mug 1.')
      await takePicture(page, 'both-wordings', true)
    }))

  it('opens an episode by its key, and its other columns and neighbours from there', async () => {
    const run = runWithTrajectories(makePlan({ environments: [{ name: 'household', tasks: 12 }] }))
    const key = [...run.rows].find(({ model, column }) => model === 'parrot' && column === 'agentrefine-1')!.key
    await visit(`#${key}`, async (page) => {
      await page.locator('.steps').waitFor()
      expect(await page.locator('.key').allInnerTexts()).toContain(key)
      await page.locator('.siblings a', { hasText: 'none' }).click()
      await page.locator('.side h3', { hasText: 'none' }).waitFor()
      expect(await page.locator('.side').count()).toBe(1)
      await page.goBack()
      await page.locator('.side').nth(1).waitFor()
      const place = (): Promise<string> => page.locator('.controls .number').innerText()
      const before = await place()
      await page.getByRole('button', { name: 'Next' }).click()
      await page.locator('.steps').waitFor()
      expect(await place()).not.toBe(before)
    })
  })

  it('reports that no episode has the key', () =>
    visit('#0123456789abcdef0123', async (page) => {
      expect(await page.locator('#viewer').innerText()).toContain(
        'Expected the key of an episode on this page, got 0123456789abcdef0123.',
      )
      await page.getByRole('link', { name: 'All episodes' }).click()
      await page.locator('#episodes').waitFor()
    }))

  it('can be used with only the keyboard', () =>
    visit('#episodes?model=parrot&change=lost', async (page) => {
      const focused = (): Promise<string> => page.evaluate('document.activeElement.textContent')
      await page.getByLabel('Filter episodes by text').focus()
      await page.keyboard.press('ArrowDown')
      const first = await focused()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowUp')
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
      await page.keyboard.press('Enter')
      await page.locator('.steps').waitFor()
      expect(await page.locator('.controls .number').innerText()).toBe('2 of 72')
      await page.keyboard.press('ArrowRight')
      await page.locator('.controls .number', { hasText: '3 of 72' }).waitFor()
      await page.evaluate(
        "for (const _ of 'ab') document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }))",
      )
      await page.locator('.controls .number', { hasText: '1 of 72' }).waitFor()
      await page.locator('#first-difference').waitFor()
      await page.keyboard.press('d')
      expect(await page.evaluate('document.activeElement.id')).toBe('first-difference')
      await page.keyboard.press('Escape')
      await page.locator('#episodes').waitFor()
      expect(await focused()).toBe(first)
      expect(await page.locator('#episode-list output').innerText()).toBe('72 of 432 episodes')
    }))

  it('reaches the episodes with five keys, and everything else with one for each group', () =>
    visit('', async (page) => {
      const focused = (): Promise<string> => page.evaluate('document.activeElement.textContent')
      const press = async (...keys: readonly string[]): Promise<void> => {
        for (const key of keys) await page.keyboard.press(key)
      }
      await press('Tab')
      expect(await focused()).toBe('Skip to the results')
      await press('Tab', 'Enter', 'Tab', 'ArrowDown')
      expect(await page.evaluate('document.activeElement.closest("#episode-list tbody") !== null')).toBe(true)

      await page.evaluate('document.activeElement.blur(); scrollTo(0, 0)')
      await page.goto(written.address)
      await page.waitForFunction("performance.getEntriesByName('shaketable-ready').length > 0")
      let presses = 0
      while (!(await page.evaluate('document.activeElement.closest("#episode-list") !== null'))) {
        await press('Tab')
        presses++
        expect(presses).toBeLessThan(40)
      }
    }))

  it('moves within a table, a list of tabs and a toolbar with the arrow keys', () =>
    visit('', async (page) => {
      const focused = (): Promise<string> => page.evaluate('document.activeElement.textContent')
      const stops = (selector: string): Promise<number> =>
        page.locator(`${selector} :is(a, button):not([tabindex="-1"])`).count()
      for (const group of ['nav.top', '#overview table', '#changes table', '#overview .tools', '#charts .tabs']) {
        expect(await stops(group), group).toBe(1)
      }
      await page.locator('#overview tbody a').first().focus()
      expect(await focused()).toBe('−100.0')
      expect(await page.locator('.tip').innerText()).toMatch(
        /^parrot under agentrefine-1: 100\.0 % clean, 0\.0 % perturbed; −100\.0 points \[/,
      )
      await page.keyboard.press('ArrowDown')
      expect(await page.locator('.tip').innerText()).toMatch(/^reader under agentrefine-1: /)
      await page.keyboard.press('ArrowRight')
      expect(await page.locator('.tip').innerText()).toMatch(/^reader under placebo: /)
      await page.keyboard.press('Home')
      expect(await focused()).toBe('Model')
      await page.keyboard.press('Tab')
      expect(await page.evaluate('document.activeElement.closest("#overview table")')).toBeNull()
    }))

  it('shows what a condition changes wherever its name stands, also at a touch', async () => {
    const { page, problems } = await openPage(browser, written, '', { hasTouch: true })
    const summary = (await texts(page, '.conditions > :first-child dd p')).join('; ')
    expect(summary).toContain('take mug 1 from desk 1 → from desk 1 take mug 1')
    await page.locator('#changes tbody tr', { hasText: 'agentrefine-1' }).first().locator('th bdi').last().hover()
    expect(await page.locator('.tip').innerText()).toBe(summary)
    await page.mouse.move(0, 0)
    await page.locator('#episode-list tbody td bdi', { hasText: 'agentrefine-1' }).first().tap()
    expect(await page.locator('.tip').innerText()).toBe(summary)
    expect(problems).toEqual([])
    await page.close()
  })

  it('copies a table as it is printed', async () => {
    const run = runWithTrajectories(makePlan({ environments: [{ name: 'household', tasks: 12 }] }))
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
    const page = await context.newPage()
    await page.goto(written.address)
    await page.waitForFunction("performance.getEntriesByName('shaketable-ready').length > 0")
    const aggregate = aggregateOf(run)
    const tables = changes.tables(aggregate, 'pooled').filter(({ by }) => by === 'family')
    for (const [title, text] of [
      ['LaTeX', latexOf(tables, aggregate.notices)],
      ['Markdown', markdownOf(tables, aggregate.notices)],
      ['CSV', csvOf(tables, csvHeader(aggregate))],
    ] as const) {
      const button = page.locator('#overview .tools button', { hasText: title })
      await button.click()
      await button.getByText('copied').waitFor()
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(text)
    }
    await context.close()
  })

  it('saves a chart as SVG and as a picture of twice its size', () =>
    visit('', async (page) => {
      const saved = async (title: string): Promise<{ readonly name: string; readonly bytes: Buffer }> => {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.locator('#charts figure:visible .tools button', { hasText: title }).first().click(),
        ])
        return { name: download.suggestedFilename(), bytes: readFileSync((await download.path())!) }
      }
      const svg = await saved('SVG')
      expect(svg.name).toBe('robustness-profile.svg')
      const root = parseXml(svg.bytes.toString('utf8'))
      const [width, height] = root.attributes['viewBox']!.split(' ').slice(2).map(Number) as [number, number]
      expect(svg.bytes.toString('utf8')).toContain('reader, agentrefine-1: success 100.0 % clean')
      const png = await saved('PNG')
      expect(png.name).toBe('robustness-profile.png')
      expect(png.bytes.subarray(1, 4).toString()).toBe('PNG')
      expect([png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)]).toEqual([2 * width, 2 * height])
    }))

  it.each([1440, 1280, 390])('keeps a title of any length clear of the buttons beside it, %i pixels wide', (width) =>
    visit('', async (page) => {
      await page.setViewportSize({ width, height: 900 })
      await page.locator('#charts figure:visible .tools').first().waitFor()
      const overlaps = await page.evaluate(`(() => {
        const heading = [...document.querySelectorAll('#charts figure h3')].find((one) => one.checkVisibility())
        const range = document.createRange()
        const boxesOf = (node) => (range.selectNodeContents(node), [...range.getClientRects()])
        const found = []
        for (let words = 0; words < 30; words++) {
          heading.textContent += ' PARTIAL'
          const isOver = boxesOf(heading).some((line) =>
            boxesOf(heading.nextElementSibling).some(
              ({ left, right, top, bottom }) =>
                left < line.right && line.left < right && top < line.bottom && line.top < bottom,
            ),
          )
          if (isOver) found.push(words)
        }
        return found
      })()`)
      expect(overlaps).toEqual([])
    }),
  )

  it('has cards in place of rows in a narrow window, and is no wider than it', async () => {
    const { page, problems } = await openPage(browser, written, '', { viewport: { width: 390, height: 844 } })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await page.locator('#changes').scrollIntoViewIfNeeded()
    await page.locator('#changes table.labelled').waitFor()
    const label = "getComputedStyle(document.querySelector('#changes tbody tr td'), '::before').content"
    expect(await page.evaluate(label)).toBe('"Clean"')
    await page.locator('#overview table.labelled').waitFor()
    expect(await page.locator('#overview thead').isVisible()).toBe(false)
    await takePicture(page, 'phone', true)
    expect(problems).toEqual([])
    await page.close()
  })

  it('keeps heads in view in a table that scrolls, and shows that there is more', async () => {
    const rich = writePage(richRun())
    await visit(
      '',
      async (page) => {
        const frame = page.locator('#changes .frame')
        await frame.scrollIntoViewIfNeeded()
        expect(await frame.getAttribute('class')).toContain('more-below')
        await frame.locator('.scroll').evaluate((box) => box.scrollTo(0, 300))
        await page.locator('#changes .more-above').waitFor()
        const [box, head] = [await frame.boundingBox(), await frame.locator('thead').boundingBox()]
        expect(Math.abs(box!.y - head!.y)).toBeLessThan(2)
      },
      rich,
    )
    rich.remove()
  })

  it('returns from an episode to the list in its previous state', () =>
    visit('#episodes?change=lost', async (page) => {
      await page.locator('#episode-list tbody a').nth(4).click()
      await page.locator('.steps').waitFor()
      await page.keyboard.press('ArrowRight')
      await page.locator('.controls .number', { hasText: '6 of 72' }).waitFor()
      await page.goBack()
      await page.locator('#episodes').waitFor()
      expect(new URL(page.url()).hash).toBe('#episodes?change=lost')
      expect(await page.locator('#episode-list output').innerText()).toBe('72 of 432 episodes')
    }))

  it.each(['dark', 'light'] as const)('has readable contrast in %s mode', async (colorScheme) => {
    const { page, problems } = await openPage(browser, written, '', { colorScheme })
    const pairs = await page.evaluate<[string, string][]>(readColours)
    expect(pairs.length).toBeGreaterThan(50)
    for (const [ink, paper] of pairs) expect(contrast(ink, paper), `${ink} on ${paper}`).toBeGreaterThanOrEqual(4.5)
    await takePicture(page, colorScheme, true)
    expect(problems).toEqual([])
    await page.close()
  })

  it('needs JavaScript only for the list of episodes', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(written.address)
    expect(await page.locator('.card.worse').isVisible()).toBe(true)
    expect(await page.locator('#overview td strong').innerText()).toBe('−100.0')
    expect(await page.locator('#overview td.change').first().getAttribute('title')).toContain(
      'parrot under agentrefine-1',
    )
    expect(await page.locator('#tables figure:visible').count()).toBeGreaterThan(4)
    expect(await page.locator('#episode-list').innerText()).toContain('The list of episodes needs JavaScript')
    await context.close()
  })
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

/** Contrast ratio of WCAG 2.1. */
function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light! + 0.05) / (dark! + 0.05)
}

function luminance(colour: string): number {
  const [red, green, blue] = colour
    .match(/[\d.]+/g)!
    .slice(0, 3)
    .map((part) => {
      const share = Number(part) / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}
