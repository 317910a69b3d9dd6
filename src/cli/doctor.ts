import { Command } from 'commander'
import { ShaketableError } from '../core/errors.js'
import { meaningOf, probeServer } from '../models/probe/probe-server.js'
import { describeServer } from './_describe-server.js'
import { print, printJson, say } from './_lines.js'
import { whole } from './_flags.js'

interface DoctorFlags {
  readonly model: string
  readonly baseUrl?: string
  readonly timeout: string
  readonly concurrency: number
  readonly json?: true
}

/** `shaketable doctor`: probes a model server before a run. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Sends a server about 25 short requests and reports how it behaves and what that means for a run.')
    .requiredOption('--model <name>', 'name of the model on the server')
    .option(
      '--base-url <address>',
      'an OpenAI-compatible server (default: OPENAI_BASE_URL); its key comes from OPENAI_API_KEY',
    )
    .option('--timeout <seconds>', 'longest wait for one answer', '60')
    .option(...whole('--concurrency <n>', 'parallel calls in the test of temperature 0 under load', 1, 256, 8))
    .option('--json', 'print all evidence as JSON')
    .action(doctor)
}

async function doctor({ model, baseUrl: given, timeout, concurrency, json }: DoctorFlags): Promise<void> {
  const baseUrl = given ?? process.env['OPENAI_BASE_URL'] ?? ''
  if (baseUrl === '') {
    throw new ShaketableError(
      'usage',
      '--base-url: expected the address of a server, got nothing, and OPENAI_BASE_URL is not set. Write it like http://localhost:8000/v1.',
    )
  }
  const timeoutMs = readSeconds(timeout) * 1000
  const report = await probeServer({ model, baseUrl, timeoutMs, logprobs: true, warn: say, load: concurrency })
  const findings = report.findings.map((finding) => ({ ...finding, meaning: meaningOf(finding) }))
  await (json ? printJson(JSON.stringify({ ...report, findings }, undefined, 2)) : print(describeServer(report)))
}

function readSeconds(text: string): number {
  const seconds = /^\d{1,5}(\.\d+)?$/.test(text) ? Number(text) : NaN
  if (seconds > 0 && seconds <= 3600) return seconds
  throw new ShaketableError(
    'usage',
    `--timeout: expected seconds, more than 0 and at most 3600, got '${text.slice(0, 50)}'.`,
  )
}
