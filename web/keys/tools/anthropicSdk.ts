import type { Tool } from './tool.ts'

export const anthropicSdk: Tool = {
  id: 'anthropic-sdk',
  name: 'Anthropic SDK',
  mark: 'An',
  dialect: 'messages',
  file: 'ask.mjs',
  install: 'npm install @anthropic-ai/sdk',
  snippet: ({ address, key, model }) =>
    `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({ baseURL: '${address}', apiKey: '${key}' })
const answer = await client.messages.create({
  model: '${model}',
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(answer.content[0].text)`,
  isSeenAs: /^anthropic/i,
}
