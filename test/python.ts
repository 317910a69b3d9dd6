import { spawnSync } from 'node:child_process'

/** The interpreter of tests with Python packages: `PYTHON`, or python3. */
export const python = process.env['PYTHON'] ?? 'python3'

/** Whether the interpreter has all these packages. */
export function hasPackages(...names: readonly string[]): boolean {
  const code = names.map((name) => `import ${name}`).join('\n')
  return spawnSync(python, ['-c', code], { timeout: 60_000 }).status === 0
}

/** Runs Python with a script on standard input. */
export function runPython(code: string, args: readonly string[] = [], cwd?: string) {
  const { status, stdout, stderr } = spawnSync(python, ['-', ...args], {
    input: code,
    encoding: 'utf8',
    timeout: 120_000,
    ...(cwd !== undefined && { cwd }),
  })
  return { code: status, stdout, stderr }
}
