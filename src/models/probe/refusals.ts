import { ShaketableError } from '../../core/errors.js'
import type { Target } from '../address.js'
import { adviseKey } from '../address.js'
import type { ModelList } from './identity.js'
import { nearModel } from './identity.js'
import { bound } from './said.js'

/** Nobody answers there, or not in time: the server's trouble, not the caller's. */
export function unreachable(shown: string, said: string): ShaketableError {
  return new ShaketableError(
    'model',
    `Expected a server at ${shown}, but the call failed: ${said}. Is the server running, and is the base URL right?`,
    { retryable: true },
  )
}

/** The server has an error of its own, or is too busy. */
export function inTrouble(shown: string, said: string): ShaketableError {
  return new ShaketableError(
    'model',
    `The server at ${shown} answers, but not with a reply: ${said}. Look at the server's log, or try again later.`,
    { retryable: true },
  )
}

export function wrongKey(target: Target, shown: string, status: number, said: string): ShaketableError {
  const advice = adviseKey(target, (variable) => `Set ${variable} to a key of this server.`)
  return new ShaketableError('usage', `The key was refused: ${shown} answered ${String(status)}: ${said}. ${advice}`)
}

export function wrongModel(shown: string, model: string, { names }: ModelList, said: string): ShaketableError {
  const wanted = bound(model, 100)
  const near = names && nearModel(model, names)
  const known = names?.slice(0, 10).map((name) => bound(name, 100))
  const more = names !== undefined && names.length > 10 ? ` and ${String(names.length - 10)} more` : ''
  return new ShaketableError(
    'usage',
    `${shown} has no model '${wanted}': ${said}.` +
      (near === undefined || said.includes(`'${near}'`) ? '' : ` Did you mean '${bound(near, 100)}'?`) +
      (known === undefined ? ' Check the name of the model.' : ` It has: ${known.join(', ')}${more}.`),
  )
}

export function notCompatible(shown: string, said: string): ShaketableError {
  return new ShaketableError(
    'usage',
    `Expected an OpenAI-compatible server at ${shown}, but it answered a chat completion with ${said}. Check the base URL; it mostly ends in /v1.`,
  )
}

export function withoutVersion(shown: string, said: string): ShaketableError {
  return new ShaketableError(
    'usage',
    `${shown}/chat/completions answered with ${said}, but ${shown}/v1/models lists models: add /v1 to the base URL (${shown}/v1).`,
  )
}

export function refusedPlainly(shown: string, status: number, said: string): ShaketableError {
  return new ShaketableError(
    'usage',
    `${shown} refuses the plainest call (status ${String(status)}): ${said}. Check the model's name, its chat template and the server's settings.`,
  )
}
