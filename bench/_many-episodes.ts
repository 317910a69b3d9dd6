import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { command, startServer } from './_serve-process.js'

/**
 * Peak resident megabytes of `shaketable run` with this many episodes in flight; undefined without /proc. Answers take
 * a second, so that all episodes are in flight together.
 */
export async function manyEpisodes(episodes: number): Promise<number | undefined> {
  if (!existsSync('/proc/self/status')) return undefined
  const server = await startServer('--latency', '1000')
  const folder = mkdtempSync(join(tmpdir(), 'shaketable-bench-'))
  try {
    const seeds = String(Math.ceil(episodes / 20))
    const grid = ['--tasks', '20', '--seeds', seeds, '--temperatures', '1', '--perturb', 'none', '--steps', '5']
    const flags = ['--model', 'served', '--base-url', server.baseUrl, '--concurrency', String(episodes)]
    return await watch(['run', ...grid, ...flags, '--out', join(folder, 'run')])
  } finally {
    rmSync(folder, { recursive: true })
    await server.close()
  }
}

function watch(args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [command, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  let kilobytes = 0
  const timer = setInterval(() => {
    // VmHWM is the peak since the process began.
    const status = readFileSync(`/proc/${String(child.pid)}/status`, 'utf8')
    kilobytes = Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? kilobytes)
  }, 50)
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => {
      clearInterval(timer)
      if (code === 0) resolve(kilobytes / 1024)
      else reject(new Error(`the run of many episodes ended with exit code ${String(code)}: ${stderr.slice(-2000)}`))
    })
  })
}
