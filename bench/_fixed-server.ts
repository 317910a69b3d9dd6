import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A server that gives every request the same completion after a delay in milliseconds (first argument). It does almost
 * nothing else, so that the client is measured.
 */
const latencyMs = Number(process.argv[2])
const body = JSON.stringify({
  id: 'fixed',
  object: 'chat.completion',
  created: 0,
  model: 'served',
  system_fingerprint: 'fixed',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Action: go to desk 1' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1200, completion_tokens: 6, total_tokens: 1206 },
})
const head = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
  request.resume().once('end', () => {
    const answer = (): void => {
      response.writeHead(200, head).end(body)
    }
    if (latencyMs > 0) setTimeout(answer, latencyMs)
    else answer()
  })
})
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`)
})
