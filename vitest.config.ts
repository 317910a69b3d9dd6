import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { SkippedTests } from './test/skipped-tests.js'

export default defineConfig({
  resolve: { alias: { shaketable: fileURLToPath(new URL('./src/index.ts', import.meta.url)) } },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: [new SkippedTests(), 'default', ...(process.env.GITHUB_ACTIONS === 'true' ? ['github-actions'] : [])],
  },
})
