import { readFileSync } from 'node:fs'
import type { Reporter, TestModule, Vitest } from 'vitest/node'

/** Why a test is skipped, by the condition in the `skipIf` of its file. */
const reasons: Readonly<Record<string, string>> = {
  sharedData: '../shared/data is not here',
  chromiumPath: 'Chromium is not here (set CHROMIUM_PATH)',
  hasLatex: 'pdflatex is not here',
  hasFrotz: 'inform or dfrotz is not here',
  'process.getuid': 'root may write everywhere',
  'process.platform': 'not for this operating system',
}

/**
 * Prints above the summary how many tests were skipped for each reason; one under `it.skip` has the reason in its
 * name.
 */
export class SkippedTests implements Reporter {
  private vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.vitest = vitest
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.vitest === undefined || this.vitest.config.testNamePattern !== undefined) return
    const counts = new Map<string, number>()
    for (const module of modules) {
      const skipped = [...module.children.allTests('skipped')]
      if (skipped.length === 0) continue
      const text = readFileSync(module.moduleId, 'utf8')
      const condition = Object.keys(reasons).find(
        (words) => text.includes(`skipIf(${words}`) || text.includes(`skipIf(!${words}`),
      )
      for (const { fullName } of skipped) {
        const reason = condition === undefined ? fullName : reasons[condition]!
        counts.set(reason, (counts.get(reason) ?? 0) + 1)
      }
    }
    for (const [reason, count] of counts) {
      this.vitest.logger.log(`${String(count)} ${count === 1 ? 'test' : 'tests'} skipped: ${reason}`)
    }
  }
}
