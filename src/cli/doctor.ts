import { Command } from 'commander'
import { ShaketableError } from '../core/errors.js'
import { meaningOf, probeServer } from '../models/probe/probe-server.js'
import { describeServer } from './_describe-server.js'
import { print, printJson, say } from './_lines.js'
import { readWhole } from './_flags.js'

interface DoctorFlags {
  readonly model: string
  readonly baseUrl?: string
  readonly timeout: string
  readonly concurrency: string
  readonly json?: true
}

/** `shaketable doctor`: looks at a server before anything is played on it. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Asks a server a handful of short questions and says what it does, and what that means for a run.')
    .requiredOption('--model <name>', 'the model, as the server knows it')
    .option(
      '--base-url <address>',
      'an OpenAI-compatible server (default: OPENAI_BASE_URL); its key comes from OPENAI_API_KEY',
    )
    .option('--timeout <seconds>', 'the longest wait for one answer', '60')
    .option('--concurrency <n>', 'calls at once in the look at temperature 0 under load', '8')
    .option('--json', 'print what was found as JSON')
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
  const load = readWhole('--concurrency', concurrency, 1, 256)
  const asking = { model, baseUrl, timeoutMs: readSeconds(timeout) * 1000, logprobs: true, warn: say, load }
  const report = await probeServer(asking)
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
