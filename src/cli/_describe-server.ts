import type { ProbeReport } from '../models/probe/probe-server.js'
import { meaningOf } from '../models/probe/probe-server.js'
import { harmlessLine, number, wrap } from './_lines.js'

const maxColumns = 100
/** A longer value moves the rest of its own line. */
const maxValueColumns = 21

/** What was found out about a server: a line each, what it means for a run and, as far as there is room, why. */
export function describeServer({ address, model, findings, served = {}, calls }: ProbeReport): string {
  const names = Math.max(...findings.map(({ name }) => name.length))
  const values = Math.min(maxValueColumns, Math.max(...findings.map(({ value }) => shown(value).length)))
  const lines = findings.map((finding) => {
    const { name, value, evidence } = finding
    const line = `${name.padEnd(names)}  ${shown(value).padEnd(values)}  ${sayWhy(meaningOf(finding), evidence)}`
    const inert = harmlessLine(line)
    return inert.length > maxColumns ? `${inert.slice(0, maxColumns - 1)}…` : inert
  })
  const known = Object.keys(served).filter((name) => name !== 'listed as')
  const identity =
    known.length === 0
      ? 'Nothing tells another model under this name from this one.'
      : `Another model under this name would be noticed by ${known.join(', ')}.`
  const head = `${harmlessLine(model)} at ${address}, after ${number(calls)} calls (--json has all of the evidence)`
  return [head, '', ...lines, '', ...wrap(identity, maxColumns)].join('\n')
}

function sayWhy(meaning: string, evidence: string): string {
  return `${meaning.replace(/\.$/, '')} (${evidence})`
}

/**
 * What is shown of a server before a run: one line, with what is not as in most; another where the model may not be the
 * one that is meant.
 */
export function summariseServer({ address, model, findings, traits, calls }: ProbeReport): readonly string[] {
  const valueOf = (name: string): string => shown(findings.find((finding) => finding.name === name)?.value ?? 'unknown')
  const { contextTokens } = traits
  const parts = [
    traits.endpoint === 'chat' ? 'chat' : 'plain text',
    contextTokens === undefined ? 'context unknown' : `context of ${number(contextTokens)} tokens`,
    `seed ${valueOf('seed')}`,
    `temperature 0 ${valueOf('temperature 0')}`,
    samplersOf(valueOf('samplers')),
    valueOf('chat template') === 'invented' &&
      'chat template made up by the server, as the model has none (play it with api: completions)',
    valueOf('chat template') === 'dated' &&
      "chat template writes today's date (give chat_template_kwargs with date_string in extraBody)",
    traits.systemRole === 'fold' && 'system message folded into the first user message',
    traits.consecutiveRoles === 'merge' && 'messages of one role merged',
    valueOf('length limit') === 'ignored' && 'limit of tokens ignored',
    valueOf('usage') === 'none' && 'no usage reported',
  ]
  const told = parts.filter((part) => part !== false).join(', ')
  const unknown = findings.filter(
    ({ name, value }) => value === 'unknown' && name !== 'context' && name !== 'token count',
  )
  const open =
    unknown.length === 0
      ? ''
      : ` It could not be told, so the default is played (see shaketable doctor): ${unknown.map(({ name }) => name).join(', ')}.`
  const listed = findings.find(({ name }) => name === 'model listed')
  return [
    `${model} at ${address}: ${told} (${number(calls)} calls).${open}`,
    ...(listed?.value === 'no'
      ? [
          `NOTICE ${model}: ${address} has no model of this name in its list and answers all the same (${listed.evidence}). Check that it is the model that you mean.`,
        ]
      : []),
  ].map(harmlessLine)
}

function samplersOf(value: string): string | false {
  if (value === 'unknown') return false
  return value === 'neutral' ? 'samplers of its own switched off' : `samplers of its own unknown (${value})`
}

function shown(value: string | number): string {
  return typeof value === 'number' ? number(value) : value
}
