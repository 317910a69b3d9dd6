import { LLMock } from '@copilotkit/aimock'
import { it } from 'vitest'
import { realLlama, startRealLlama } from '../real-llama.js'
import type { Candidate } from './_client-suite.js'
import { describeClient } from './_client-suite.js'

describeClient({
  name: 'aimock',
  async start() {
    const mock = new LLMock({ port: 0, host: '127.0.0.1' })
    mock.onMessage(/task/, { content: 'go to desk 1' })
    await mock.start()
    return { baseUrl: `${mock.url}/v1`, model: 'any', close: () => mock.stop() }
  },
  knowsModels: false,
  counts: false,
})

/** Small, so that a prompt that does not fit is quick to write. */
const llamaContext = 1024

const llama: Candidate = {
  name: "llama.cpp's server",
  start: () => startRealLlama(llamaContext),
  // It answers for its one model under any name.
  knowsModels: false,
  counts: true,
  overflowAt: llamaContext * 8,
}

if (realLlama) describeClient(llama)
else it.skip('llama.cpp: set LLAMA_SERVER to its server binary and LLAMA_MODEL to a model file', () => undefined)
