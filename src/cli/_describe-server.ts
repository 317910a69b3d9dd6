import { meaningOf } from '../models/probe/findings.js'
import type { ProbeReport } from '../models/probe/probe-server.js'
import type { Experiment } from '../run/experiment.js'
import type { ServerLearner } from '../run/learn-servers.js'
import { learnServers } from '../run/learn-servers.js'
import { escapeLine, number, say, wrap } from './_lines.js'

const maxColumns = 100
/** A longer value shifts the rest of its line. */
const maxValueColumns = 21

/** The findings about a server, a line each: value, meaning for a run and, as far as it fits, evidence. */
export function describeServer({ address, model, findings, served = {}, calls }: ProbeReport): string {
  const names = Math.max(...findings.map(({ name }) => name.length))
  const values = Math.min(maxValueColumns, Math.max(...findings.map(({ value }) => shown(value).length)))
  const lines = findings.map((finding) => {
    const { name, value, evidence } = finding
    const line = escapeLine(
      `${name.padEnd(names)}  ${shown(value).padEnd(values)}  ${meaningOf(finding).replace(/\.$/, '')} (${evidence})`,
    )
    return line.length > maxColumns && process.stdout.isTTY ? `${line.slice(0, maxColumns - 1)}…` : line
  })
  const known = Object.keys(served).filter((name) => name !== 'listed as')
  const identity =
    known.length === 0
      ? 'Another model under this name would not be noticed.'
      : `Another model under this name would be noticed by ${known.join(', ')}.`
  const head = `${escapeLine(model)} at ${address}, after ${number(calls)} calls (--json prints all evidence)`
  return [head, '', ...lines, '', ...wrap(identity, maxColumns)].join('\n')
}

/** Learns of the servers of an experiment, and says what it finds. */
export function learnFor(
  { timeoutSeconds, logprobs }: Experiment,
  options: Pick<Parameters<typeof learnServers>[0], 'folder' | 'recorded' | 'probe' | 'acceptsChange'>,
): ServerLearner {
  return learnServers({
    ...options,
    logprobs: logprobs === true,
    tell: (report) => summariseServer(report).forEach(say),
    warn: say,
    ...(timeoutSeconds !== undefined && { timeoutMs: timeoutSeconds * 1000 }),
  })
}

/** A server before a run: one line with its unusual traits, and a notice if it does not list the model. */
function summariseServer({ address, model, findings, traits, calls }: ProbeReport): readonly string[] {
  const valueOf = (name: string): string => shown(findings.find((finding) => finding.name === name)?.value ?? 'unknown')
  const { contextTokens } = traits
  const [template, samplers] = [valueOf('chat template'), valueOf('samplers')]
  const parts: readonly (string | false)[] = [
    traits.endpoint === 'chat' ? 'chat' : 'plain text',
    contextTokens === undefined ? 'context unknown' : `context of ${number(contextTokens)} tokens`,
    `seed ${valueOf('seed')}`,
    `temperature 0 ${valueOf('temperature 0')}`,
    samplers === 'neutral' && 'own samplers switched off',
    !['neutral', 'unknown'].includes(samplers) && `own samplers unknown (${samplers})`,
    valueOf('reasoning') === 'empty' && 'EMPTY FIRST REPLY (check the chat template)',
    template === 'invented' && 'chat template invented by the server, since the model has none (use api: completions)',
    template === 'dated' &&
      "chat template writes today's date (give chat_template_kwargs with date_string in extraBody)",
    traits.systemRole === 'fold' && 'system message folded into the first user message',
    traits.consecutiveRoles === 'merge' && 'messages of one role merged',
    valueOf('usage') === 'none' && 'no usage reported',
  ]
  const known = parts.filter((part) => part !== false).join(', ')
  const unknown = findings.filter(({ name, value }) => value === 'unknown' && name !== 'context')
  const open = unknown.map(({ name }) => name).join(', ')
  const rest = open === '' ? '' : ` Unknown, so the default is used (see shaketable doctor): ${open}.`
  const listed = findings.find(({ name }) => name === 'model listed')
  const notice =
    listed?.value === 'no' &&
    `NOTICE ${model}: ${address} has no model of this name in its list and answers all the same (${listed.evidence}). Check that this is the intended model.`
  const lines = [`${model} at ${address}: ${known} (${number(calls)} calls).${rest}`, notice]
  return lines.filter((line) => line !== false).map(escapeLine)
}

function shown(value: string | number): string {
  return typeof value === 'number' ? number(value) : value
}
