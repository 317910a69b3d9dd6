import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { SkippedTests } from './test/skipped-tests.js'

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  resolve: {
    alias: [
      { find: /^shaketable$/, replacement: source('./src/index.ts') },
      { find: /^shaketable\/statistics$/, replacement: source('./src/statistics/index.ts') },
      { find: /^shaketable\/testing$/, replacement: source('./src/testing.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One for each core, since many tests only wait for a command.
    maxWorkers: '100%',
    maxConcurrency: 2,
    reporters: [new SkippedTests(), 'default', ...(process.env.GITHUB_ACTIONS === 'true' ? ['github-actions'] : [])],
  },
})
