import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import type { z } from 'zod'
import { jsonLinesIn } from './read-json.js'

/** The path of a file that ships with the package, from its path in the repository. */
export function packagedPath(path: string): string {
  return join(dirname(createRequire(import.meta.url).resolve('shaketable/package.json')), path)
}

/**
 * A function that reads data which ships with the package, when it is first called: YAML, or a list from JSON lines.
 * @throws ZodError where the file does not fit the schema
 */
export function packagedData<Data>(path: string, schema: z.ZodType<Data>): () => Data {
  let data: Data | undefined
  return () => {
    if (data !== undefined) return data
    const text = readFileSync(packagedPath(path), 'utf8')
    const lines = (): unknown[] => Array.from(jsonLinesIn(text), ({ value }) => value)
    return (data = schema.parse(path.endsWith('.jsonl') ? lines() : parse(text)))
  }
}

/** A function that reads a text that ships with the package, when it is first called. */
export function packagedText(path: string): () => string {
  let text: string | undefined
  return () => (text ??= readFileSync(packagedPath(path), 'utf8'))
}
