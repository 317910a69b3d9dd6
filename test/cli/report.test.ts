import { existsSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { filesOf } from '../../src/run/store/run-folder.js'
import { readRun } from '../../src/run/store/read-run.js'
import { makePlan } from '../reports/fixture.js'
import { rowsOfPlan, writeRun } from '../run/_written-run.js'
import { scratchFolder } from '../scratch.js'
import { reportOf, shaketable } from './_command.js'

const scratch = scratchFolder()
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(scratch, 'run-'))
  const plan = makePlan({ models: ['reader'], temperatures: [0] })
  writeRun(
    folder,
    plan,
    rowsOfPlan(plan, ({ condition }) => (condition.label === 'none' ? 'success' : 'failure')),
  )
})

const report = (...args: string[]) => shaketable(['report', ...args], scratch)

describe('shaketable report', () => {
  it('writes every file into the run folder and prints the tables and the page to open', async () => {
    const { stdout: out, stderr: err } = await report(folder)
    const files = readdirSync(join(folder, 'report'), { recursive: true, encoding: 'utf8' }).sort()
    expect(files).toEqual([
      ...['charts', 'charts/captions.md', 'charts/heat-map.svg', 'charts/robustness-profile.svg', 'charts/steps.svg'],
      ...['report.html', 'report.json', 'tables'],
      ...['behaviour', 'changes', 'main', 'robustness'].flatMap((name) => [`tables/${name}.csv`, `tables/${name}.md`]),
    ])
    expect(out.split('\n').at(-2)).toBe(`open ${join(folder, 'report', 'report.html')}`)
    expect(out).toContain('Coverage 100 % (36 of 36 planned episodes).')
    expect(err).toBe('')
  })

  it('writes the same bytes again, into another folder if requested', async () => {
    await report(folder)
    await report(folder, '--out', join(folder, 'else', 'report'))
    expect(reportOf(join(folder, 'else'))).toEqual(reportOf(folder))
  })

  it.each([
    ['markdown', /^## Main results\n/],
    ['csv', /^# Tasks: .*\r\n(# .*\r\n)+table,by,environment,/],
    ['latex', /^% Needs \\usepackage\{booktabs,graphicx\}\n% Made by: shaketable report /],
    ['json', /^\{"agents":/],
  ])('prints nothing but the requested %s', async (format, expected) => {
    const { stdout: out } = await report(folder, '--format', format)
    expect(out).toMatch(expected)
    expect(out).not.toContain(folder)
  })

  it('prints one chart', async () => {
    const { stdout: svg } = await report(folder, '--format', 'svg', '--chart', 'heat-map')
    expect(svg).toMatch(/^<svg [^]*<\/svg>\n$/)
    expect((await report(folder, '--format', 'pdf', '--chart', 'heat-map')).stdout).toMatch(/^%PDF-/)
    const { code, stderr } = await report(folder, '--format', 'pdf', '--chart', 'profile')
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: "--chart: expected a chart of this run (robustness-profile, heat-map, steps), got 'profile'.\n",
    })
  })

  it('shows published results beside other games or prompts, and says what differs', async () => {
    const { stdout: out } = await report(folder, '--published', '--format', 'latex')
    expect(out).toContain('Rows in italics were published for other games or prompts (here household: 4 tasks')
    expect(out).toMatch(/^% Made by: shaketable report [\w-]+ --format latex --published$/m)
  })

  it('leaves the text of episodes out of the page if requested, and removes the files that an earlier report left beside it', async () => {
    const said = 'You pick up the mug 1.'
    const lines = [...readRun(folder).rows].map(({ key }) =>
      JSON.stringify({ key, prompt: [], opening: { observation: said }, steps: [] }),
    )
    writeFileSync(filesOf(folder).trajectories, `${lines.join('\n')}\n`)
    const page = (): string => readFileSync(join(folder, 'report', 'report.html'), 'utf8')
    const chunk = (): string => {
      const text = /id="chunk-0">"([^"]+)"/.exec(page())![1]!
      return gunzipSync(Buffer.from(text, 'base64')).toString()
    }
    const { stdout: out } = await report(folder)
    expect(out).toContain(`${join(folder, 'report', 'report.html')}\n`)
    expect(chunk()).toContain(said)
    expect(page()).not.toContain('This page does not include the trajectories of the episodes.')

    writeFileSync(join(folder, 'report', 'tables', 'curve.md'), 'left from another time')
    writeFileSync(join(folder, 'report', 'notes.txt'), 'mine')
    await report(folder, '--no-trajectories')
    expect(chunk()).not.toContain(said)
    expect(page()).toContain('This page does not include the trajectories of the episodes.')
    expect(existsSync(join(folder, 'report', 'tables', 'curve.md'))).toBe(false)
    expect(existsSync(join(folder, 'report', 'notes.txt'))).toBe(true)
  })
})
