import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'

const text = (description: string) => ({ type: 'string', description, title: 'Text' })

/** The tools of the server, on two pages. */
export const tools = [
  {
    name: 'read_text_file',
    title: 'Read Text File',
    description: 'Reads a path. Use write_file to write, and `echo` to see a text.',
    inputSchema: {
      type: 'object',
      properties: { path: text('The path'), head: { type: 'number' } },
      required: ['path'],
      anyOf: [{ required: ['path'] }, { required: ['path', 'head'] }],
    },
  },
  {
    name: 'write_file',
    description: 'Writes a file that read_text_file reads.',
    inputSchema: {
      type: 'object',
      properties: { path: text('As in "path" of read_text_file'), newText: { $ref: '#/properties/path' } },
      required: ['path', 'newText'],
    },
    outputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  },
  { name: 'echo', inputSchema: { type: 'object', properties: { message: text('What to say') } } },
  { name: 'ask', description: 'Asks the model of the client.', inputSchema: { type: 'object' } },
]

/** A server that answers with what it was sent. */
export function createServer(): Server {
  const capabilities = { tools: { listChanged: true }, resources: {} }
  const instructions = 'Call read_text_file first.'
  const server = new Server({ name: 'test', version: '1' }, { capabilities, instructions })
  let listed: readonly { readonly name: string; readonly inputSchema: object }[] = tools
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) =>
    params?.cursor === '2' ? { tools: listed.slice(2) } : { tools: listed.slice(0, 2), nextCursor: '2' },
  )
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: [{ uri: 'r://1', name: 'read_text_file' }],
  }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => ({ contents: [{ uri, text: 'path' }] }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { sendNotification, signal }) => {
    const { name, arguments: given = {}, _meta: meta } = params
    const answer = (said: string, more: object = {}) => ({ content: [{ type: 'text', text: said }], ...more })
    if (name === 'ask') {
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'path' } }]
      return answer((await server.createMessage({ messages, maxTokens: 5 })).model)
    }
    if (!listed.some((tool) => tool.name === name)) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${name}`)
    if (name === 'echo') {
      if (given.message === 'change') {
        listed = [...tools, { name: 'read_more', inputSchema: { type: 'object' } }]
        await server.sendToolListChanged()
      }
      if (given.message === 'wait') await new Promise((resolve) => signal.addEventListener('abort', resolve))
      if (given.message === 'long') process.stdout.write('x'.repeat(17 << 20))
      if (given.message === 'die') process.exit(3)
      if (meta?.progressToken !== undefined) {
        const params = { progressToken: meta.progressToken, progress: 1 }
        await sendNotification({ method: 'notifications/progress', params })
      }
      return answer(String(given.message))
    }
    if (typeof given.path !== 'string')
      return answer(`Invalid arguments for tool ${name}: Required at path`, { isError: true })
    return answer(`${name} path ${JSON.stringify(given)}`, {
      ...(name === 'write_file' && { structuredContent: given }),
    })
  })
  return server
}

if (process.argv[1] === import.meta.filename) {
  console.error(`a server with the process id ${String(process.pid)}`)
  await createServer().connect(new StdioServerTransport())
}
