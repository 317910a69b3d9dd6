/** Additions to every request to a model. */
export interface RequestSettings {
  /** Body fields that control sampling, such as `top_p`. */
  readonly sampling?: Readonly<Record<string, unknown>>
  /** Other body fields, such as `chat_template_kwargs`. */
  readonly extraBody?: Readonly<Record<string, unknown>>
}

/** Body fields that shaketable sets itself, with the setting of an experiment that controls each. */
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

/** Why a body field cannot be set, as words that follow *expected*; undefined if it can. */
export function refuseField(name: string): string | undefined {
  if (!Object.hasOwn(ownFields, name)) return undefined
  return `a field that shaketable does not set itself (in place of '${name}' give ${ownFields[name]!})`
}

/** Headers that belong to a connection or a body, not to a request (RFC 9110, section 7.6.1). */
const connectionHeaders =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|content-.*|accept-encoding|expect)$/i
/** A part of a header's name that says that its value is a secret; `Portkey` in the name of a gateway is none. */
const secretPart =
  /(?:^|[-_])(?:(?:\w*(?:api|access|auth|secret|private))?keys?|\w*(?:tokens?|secrets?|passwords?|cookies?)|auth\w*|credentials?)(?=[-_]|$)/i

/** Whether the value of a header is a secret, by its name. */
export function isSecretHeader(name: string): boolean {
  return secretPart.test(name)
}

/**
 * Why a header cannot be set, as words that follow *expected*; undefined if it can.
 * @param isReferring whether its value refers to a variable
 */
export function refuseHeader(name: string, value: string, isReferring: boolean): string | undefined {
  if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name)) return 'the name of a header, of 1 to 100 characters'
  if (connectionHeaders.test(name)) return `a header of the request; ${name} belongs to the connection or to the body`
  if (!isHeaderValue(value)) return `up to 4,096 printable ASCII characters as the value of ${name}`
  if (isSecretHeader(name) && !isReferring) {
    return `a variable in the value of ${name}, such as 'Bearer $MY_KEY', since files and runs are shared; apiKeyEnv names the variable of a plain key`
  }
  return undefined
}

/** Whether a text is a valid header value. */
export function isHeaderValue(value: string): boolean {
  return /^[\x20-\x7e]{0,4096}$/.test(value)
}

/** Whether a value is valid JSON (finite numbers only) of at most 20 levels and 65,536 characters. */
export function isBoundedJson(value: unknown, depth = 0): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return true
  const isJson = typeof value === 'object' && Object.values(value).every((value) => isBoundedJson(value, depth + 1))
  return isJson && depth < 20 && (depth > 0 || JSON.stringify(value).length <= 65_536)
}
