import { messageOf } from '../core/errors.js'
import { type Text, textOf } from '../core/text.js'
import { isText } from '../define/check-fields.js'
import { createRedactor, secretsOfVariables } from '../files/redactor.js'

const others = new Set<string>()
let redact: ((text: string) => string) | undefined

/** Adds secrets that {@link withoutSecrets} finds beside those among the environment variables. */
export function addSecrets(secrets: readonly (string | undefined)[]): void {
  for (const secret of secrets) if (secret !== undefined) others.add(secret)
  redact = undefined
}

/**
 * Text, or plain JSON, that comes from outside of this process: its strings and names without the secrets that it
 * knows.
 */
export function withoutSecrets<T>(value: T): T {
  redact ??= createRedactor([...secretsOfVariables(process.env), ...others])
  return redactWithin(value, redact) as T
}

/** The message of what was thrown outside of this process or by a plug-in, as messageOf() cuts it. */
export function outsideMessageOf(thrown: unknown): string {
  return messageOf(withoutSecrets(thrown instanceof Error ? thrown.message : String(thrown)))
}

function redactWithin(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value)
  if (Array.isArray(value)) {
    const parts = value.map((part) => redactWithin(part, clean))
    // Pieces of a text are printed side by side, so that a secret may be divided between them.
    const text = isText(parts) ? textOf(parts as Text) : ''
    const joined = clean(text)
    return joined === text ? parts : [joined]
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [clean(key), redactWithin(part, clean)]))
}
