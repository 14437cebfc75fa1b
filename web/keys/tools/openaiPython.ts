import type { Tool } from './tool.ts'

export const openaiPython: Tool = {
  id: 'openai-python',
  name: 'OpenAI SDK, Python',
  mark: 'Py',
  dialect: 'chat',
  file: 'ask.py',
  install: 'pip install openai',
  snippet: ({ address, key, model }) =>
    `from openai import OpenAI

client = OpenAI(base_url="${address}/v1", api_key="${key}")
answer = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.choices[0].message.content)`,
  isSeenAs: /^openai \(python\)/i,
}
