import type { Tool } from './tool.ts'

export const curl: Tool = {
  id: 'curl',
  name: 'curl',
  mark: '$',
  dialect: 'chat',
  file: null,
  install: null,
  snippet: ({ address, key, model }) =>
    `curl ${address}/v1/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] })}'`,
  isSeenAs: /^curl/i,
}
