// Writes the summary of a check as one comment on a pull request, and updates that comment at later checks. Used by
// action.yml. A comment that cannot be written is a warning: the verdict is that of the check.
import { existsSync, readFileSync } from 'node:fs'

const {
  COMMENT_TOKEN: token = '',
  EXPERIMENT: experiment = '',
  GITHUB_API_URL: api = 'https://api.github.com',
  GITHUB_EVENT_PATH: eventPath = '',
  GITHUB_REPOSITORY: repository = '',
  GITHUB_RUN_ID: runId = '',
  GITHUB_SERVER_URL: server = 'https://github.com',
  SUMMARY: summaryPath = '',
} = process.env

/** GitHub refuses longer comments. */
const maxLength = 65_000
/** One comment for each experiment of a workflow. */
const marker = `<!-- shaketable check: ${encodeURIComponent(experiment)} -->`
const note = (text) => console.log(text)
const warn = (text) =>
  console.log(`::warning title=shaketable comment::${text.replaceAll('%', '%25').replaceAll(/\r?\n/g, '%0A')}`)

async function ask(path, method = 'GET', body = undefined) {
  const response = await fetch(`${api}/repos/${repository}${path}`, {
    method,
    headers: { accept: 'application/vnd.github+json', authorization: `Bearer ${token}`, 'user-agent': 'shaketable' },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  })
  if (response.ok) return response.json()
  throw Object.assign(new Error(`${method} ${path}: status ${response.status}`), { status: response.status })
}

/** The comment of an earlier check, of which only those by bots are looked at; undefined where there is none. */
async function findComment(pull) {
  for (let page = 1; page <= 50; page++) {
    const comments = await ask(`/issues/${pull}/comments?per_page=100&page=${page}`)
    const found = comments.find(({ body, user }) => user?.type === 'Bot' && body?.startsWith(marker))
    if (found || comments.length < 100) return found
  }
  return undefined
}

/** The summary without what does not fit, cut at the end of a line. A name with `@` in it mentions nobody. */
function bodyOf(text) {
  const summary = text.replaceAll('@', '@<!-- -->')
  const link = `\n[Log, report and annotations](${server}/${repository}/actions/runs/${runId})\n`
  const room = maxLength - marker.length - link.length - 100
  if (summary.length <= room) return `${marker}\n${summary}${link}`
  const kept = summary.slice(0, summary.lastIndexOf('\n', room) + 1)
  return `${marker}\n${kept}\n… ${summary.slice(kept.length).trimEnd().split('\n').length} more lines are in the summary of the job.\n${link}`
}

async function comment() {
  const pull = existsSync(eventPath) ? JSON.parse(readFileSync(eventPath, 'utf8')).pull_request?.number : undefined
  if (!Number.isSafeInteger(pull)) return note('No pull request started this job, so no comment is written.')
  if (!existsSync(summaryPath)) return note('There was no check, so no comment is written.')
  const body = bodyOf(readFileSync(summaryPath, 'utf8'))
  const present = await findComment(pull)
  if (present) await ask(`/issues/comments/${present.id}`, 'PATCH', { body })
  else await ask(`/issues/${pull}/comments`, 'POST', { body })
  note(present ? 'The comment on the pull request is updated.' : 'A comment is written on the pull request.')
}

await comment().catch((thrown) => {
  const advice =
    thrown.status === 403 || thrown.status === 404
      ? " Give the job 'permissions: pull-requests: write', or this step 'comment: false'. The token of a pull request from a fork may not write."
      : ''
  warn(`The comment could not be written: ${thrown.message}.${advice}`)
})
