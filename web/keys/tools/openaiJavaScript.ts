import type { Tool } from './tool.ts'

export const openaiJavaScript: Tool = {
  id: 'openai-js',
  name: 'OpenAI SDK, JS',
  mark: 'JS',
  dialect: 'chat',
  file: 'ask.mjs',
  install: 'npm install openai',
  snippet: ({ address, key, model }) =>
    `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${address}/v1', apiKey: '${key}' })
const answer = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(answer.choices[0].message.content)`,
  isSeenAs: /^openai \(javascript\)/i,
}
