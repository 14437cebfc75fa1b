import type { Tool } from './tool.ts'

export const aiSdk: Tool = {
  id: 'ai-sdk',
  name: 'AI SDK',
  mark: 'AI',
  dialect: 'chat',
  file: 'ask.mjs',
  install: 'npm install ai @ai-sdk/openai-compatible',
  snippet: ({ address, key, model }) =>
    `import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText } from 'ai'

const commons = createOpenAICompatible({
  name: 'commons',
  baseURL: '${address}/v1',
  apiKey: '${key}',
})
const { text } = await generateText({ model: commons('${model}'), prompt: 'Hello' })
console.log(text)`,
  isSeenAs: /^ai sdk/i,
}
