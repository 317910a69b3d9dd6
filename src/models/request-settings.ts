import type { TemplateName } from './chat-templates.js'

/** What one model is sent with every request, beside what shaketable lays out. */
export interface RequestSettings {
  /** Fields of the body that say how a reply is drawn, such as `top_p`. */
  readonly sampling?: Readonly<Record<string, unknown>>
  /** Other fields of the body, such as `chat_template_kwargs`. */
  readonly extraBody?: Readonly<Record<string, unknown>>
  /** How conversations become one text, where they do; without it turns are labelled in plain words. */
  readonly template?: TemplateName
}

/** Fields of a request that shaketable sets, and what says them in an experiment. */
const ownFields: Readonly<Record<string, string>> = {
  model: "the model's 'model' or 'name'",
  messages: 'agents',
  prompt: 'agents',
  tools: 'the agent tools',
  tool_choice: 'the agent tools',
  seed: 'seeds',
  stop: 'agents',
  temperature: 'temperatures',
  max_tokens: 'maxTokens',
  max_completion_tokens: 'maxTokens',
  n: 'seeds, as each reply is an episode of its own',
  stream: 'nothing, as replies are read whole',
}

/** Why a field cannot be given: in words that follow *expected*; undefined where it can. */
export function refuseField(name: string): string | undefined {
  if (!Object.hasOwn(ownFields, name)) return undefined
  return `a field that shaketable does not set itself (in place of '${name}' give ${ownFields[name]!})`
}

/** Headers of one connection or one body, which are not a request's own (RFC 9110, 7.6.1). */
const connectionHeaders =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|content-.*|accept-encoding|expect)$/i
const secretHeaders = /auth|cookie|key|token|secret|password/i

/**
 * Why a header cannot be given: in words that follow *expected*; undefined where it can.
 * @param isReferring whether its value refers to a variable
 */
export function refuseHeader(name: string, value: string, isReferring: boolean): string | undefined {
  if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name)) return 'the name of a header, of 1 to 100 characters'
  if (connectionHeaders.test(name)) return `a header of the request; ${name} belongs to the connection or to the body`
  if (!isHeaderValue(value)) return `up to 4,096 printable ASCII characters as the value of ${name}`
  if (secretHeaders.test(name) && !isReferring) {
    return `a variable in the value of ${name}, such as 'Bearer $MY_KEY', since files and runs are shared; apiKeyEnv names the variable of a plain key`
  }
  return undefined
}

/** Whether a text may be the value of a header. */
export function isHeaderValue(value: string): boolean {
  return /^[\x20-\x7e]{0,4096}$/.test(value)
}

const maxDepth = 20
const maxCharacters = 65_536

/** Whether a value is JSON without numbers that JSON does not know, of at most 20 levels and 65,536 characters. */
export function isBoundedJson(value: unknown): boolean {
  const isJson = (inner: unknown, depth: number): boolean => {
    if (inner === null || typeof inner === 'boolean' || typeof inner === 'string') return true
    if (typeof inner === 'number') return Number.isFinite(inner)
    return typeof inner === 'object' && depth < maxDepth && Object.values(inner).every((one) => isJson(one, depth + 1))
  }
  return isJson(value, 0) && JSON.stringify(value).length <= maxCharacters
}
