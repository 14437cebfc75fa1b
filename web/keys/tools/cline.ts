import type { Tool } from './tool.ts'

/** In an editor the same three go into its settings, at “OpenAI Compatible”. */
export const cline: Tool = {
  id: 'cline',
  name: 'Cline',
  mark: 'Ci',
  dialect: 'chat',
  file: null,
  install: 'npm install -g cline',
  snippet: ({ address, key, model }) =>
    `cline auth --provider openai --apikey "${key}" --modelid "${model}" --baseurl "${address}/v1"
cline`,
  isSeenAs: /^cline/i,
}
