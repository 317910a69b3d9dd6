import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { skippedTests } from './test/skipped-tests.js'

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Tests that start commands, browsers or servers: each file has modules of its own. */
const processes = ['test/{cli,docs,run/queue}/**/*.test.ts', 'test/reports/html/*.test.ts']

/**
 * Slow kinds, which `npm run test:nightly` adds: Monte Carlo, damage of each byte, long runs under faults, other
 * programs.
 */
const nightly = [
  'test/results/gate/operating-characteristics.test.ts',
  'test/laws/jericho-stories.test.ts',
  'test/results/gate/pass-unchanged.test.ts',
  'test/proxy/same-messages.test.ts',
  'test/reports/html/large.test.ts',
  'test/serve/hostile-run.test.ts',
]
const isNightly = process.env.NIGHTLY === '1'

export default defineConfig({
  resolve: {
    alias: [
      { find: /^shaketable$/, replacement: source('./src/index.ts') },
      { find: /^shaketable\/run$/, replacement: source('./src/library.ts') },
      { find: /^shaketable\/statistics$/, replacement: source('./src/statistics/index.ts') },
      { find: /^shaketable\/testing$/, replacement: source('./src/testing.ts') },
    ],
  },
  test: {
    // The built package is loaded as Node loads it.
    server: { deps: { external: [/\/dist\//] } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One for each core, since many tests only wait for a command.
    maxWorkers: '100%',
    maxConcurrency: 2,
    reporters: [skippedTests, 'default', ...(process.env.GITHUB_ACTIONS === 'true' ? ['github-actions'] : [])],
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: ['test/**/*.test.ts'],
          exclude: [...processes, ...nightly],
          // Modules are loaded once a worker, not once a file.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'process', include: processes, exclude: nightly } },
      ...(isNightly ? [{ extends: true as const, test: { name: 'nightly', include: nightly } }] : []),
    ],
  },
})
