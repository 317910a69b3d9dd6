import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

describe('a folder', () => {
  it('fails quickly if the working folder was removed', () => {
    const root = mkdtempSync(join(tmpdir(), 'shaketable-folder-'))
    const module = new URL('../../dist/src/files/make-folder.js', import.meta.url).href
    const script = `const { makeFolder } = await import('${module}')
      ;(await import('node:fs')).rmdirSync('${root}')
      try { makeFolder('runs/a') } catch (thrown) { process.stdout.write(thrown.code) }`
    const work = () =>
      execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, timeout: 20_000 })
    expect(work).not.toThrow()
    rmSync(root, { recursive: true, force: true })
  }, 30_000)
})
