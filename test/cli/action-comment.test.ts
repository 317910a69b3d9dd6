import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch.js'

const script = fileURLToPath(new URL('../../action-comment.js', import.meta.url))
const scratch = scratchFolder()
const [event, summary] = [join(scratch, 'event.json'), join(scratch, 'summary.md')]

let comments: { readonly id: number; body: string; readonly user: { readonly type: string } }[] = []
let asked: string[] = []
let refusal = 0

/** GitHub's comments on one pull request, a hundred a page. */
const server = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk: Buffer) => (text += chunk.toString()))
  request.on('end', () => {
    const { method, url = '' } = request
    asked.push(`${method!} ${url} ${request.headers.authorization!}`)
    const send = (status: number, body: unknown): void => void response.writeHead(status).end(JSON.stringify(body))
    if (refusal > 0 && method !== 'GET') return send(refusal, { message: 'no' })
    const { body = '' } = (text === '' ? {} : JSON.parse(text)) as { body?: string }
    if (method === 'POST') comments.push({ id: 1000 + comments.length, body, user: { type: 'Bot' } })
    else if (method === 'PATCH') comments.find(({ id }) => url.endsWith(`/${String(id)}`))!.body = body
    const page = Number(/page=(\d+)$/.exec(url)?.[1] ?? 1)
    send(200, method === 'GET' ? comments.slice((page - 1) * 100, page * 100) : {})
  })
})

async function write(variables: Readonly<Record<string, string>> = {}) {
  const env = {
    ...{ PATH: process.env['PATH'], COMMENT_TOKEN: 'ghs_token', EXPERIMENT: 'gate.yaml', SUMMARY: summary },
    ...{ GITHUB_API_URL: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` },
    ...{ GITHUB_EVENT_PATH: event, GITHUB_REPOSITORY: 'lab/agent', GITHUB_RUN_ID: '7', ...variables },
  }
  const child = spawn(process.execPath, [script], { env, cwd: scratch })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)))
  const code = await new Promise((resolve) => child.on('close', resolve))
  return { code, output }
}

describe('the comment of the action', () => {
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => void server.close())
  beforeEach(() => {
    ;[comments, asked, refusal] = [[], [], 0]
    writeFileSync(event, JSON.stringify({ pull_request: { number: 12 } }))
    writeFileSync(summary, '# shaketable check: PASS\n\n- 2 of 2 cells passed, of @lab/model.\n')
  })

  it('is written once and updated later, one for each experiment, without a mention', async () => {
    comments.push({ id: 1, body: '<!-- shaketable check: gate.yaml --> by a person', user: { type: 'User' } })
    for (let id = 2; id <= 150; id++) comments.push({ id, body: 'other', user: { type: 'Bot' } })
    expect(await write()).toEqual({ code: 0, output: 'A comment is written on the pull request.\n' })
    expect(comments.at(-1)!.body).toMatch(/^<!-- shaketable check: gate\.yaml -->\n# shaketable check: PASS\n/)
    expect(comments.at(-1)!.body).not.toContain('@lab')
    expect(asked.at(-1)).toBe('POST /repos/lab/agent/issues/12/comments Bearer ghs_token')
    writeFileSync(summary, '# shaketable check: REGRESSION\n')
    expect((await write()).output).toBe('The comment on the pull request is updated.\n')
    expect([comments.length, comments.at(-1)!.body]).toEqual([151, expect.stringContaining('REGRESSION')])
    await write({ EXPERIMENT: 'other --> <b>.yaml' })
    expect(comments[151]!.body).toMatch(/^<!-- shaketable check: other%20--%3E%20%3Cb%3E\.yaml -->\n/)
  })

  it('is cut at the end of a line where it would be too long for GitHub', async () => {
    writeFileSync(summary, Array.from({ length: 9000 }, (_, at) => `| line ${String(at)} |`).join('\n'))
    await write()
    const { body } = comments[0]!
    expect(body.length).toBeLessThan(65_536)
    const [, last, left] = /\| line (\d+) \|\n\n… (\d+) more lines/.exec(body)!
    expect(Number(last) + Number(left)).toBe(8999)
  })

  it.each([
    [403, {}, /^::warning title=shaketable comment::.*status 403\. Give the job 'permissions: pull-requests: write'/],
    [0, { GITHUB_API_URL: 'http://127.0.0.1:1' }, /^::warning /],
    [0, { GITHUB_EVENT_PATH: '' }, /^No pull request started this job/],
    [0, { SUMMARY: 'missing.md' }, /^There was no check/],
  ])('never decides the job: status %i, %j', async (status, variables, said) => {
    refusal = status
    const { code, output } = await write(variables)
    expect([code, output, comments]).toEqual([0, expect.stringMatching(said), []])
    expect(output).not.toContain('ghs_token')
  })
})
