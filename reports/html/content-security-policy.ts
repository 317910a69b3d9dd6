import { createHash } from 'node:crypto'

/**
 * The page's Content-Security-Policy: its one style and its one script by their hashes, and nothing else. A page whose
 * episodes are in files lets that one script add theirs, through a policy that knows no other names (Trusted Types).
 */
export function contentSecurityPolicy(style: string, script: string, hasFiles: boolean): string {
  return [
    "default-src 'none'",
    `style-src ${sourceOf(style)}`,
    `script-src ${sourceOf(script)}${hasFiles ? " 'strict-dynamic'" : ''}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${hasFiles ? 'episodes' : "'none'"}`,
  ].join('; ')
}

function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
