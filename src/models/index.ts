export { type EndpointOptions, createEndpoint } from './openai.js'
export { type Servers, createServer, createServers } from './server.js'
export { type ServerTraits, plainTraits } from './traits.js'
