import type { Tool } from './tool.ts'

/** The file lies in the folder that `llm logs path` names; the key is kept apart from it. */
export const llm: Tool = {
  id: 'llm',
  name: 'llm',
  mark: 'll',
  dialect: 'chat',
  file: null,
  install: 'pip install llm',
  snippet: ({ address, key, model }) =>
    `llm keys set commons --value "${key}"
cat >> "$(dirname "$(llm logs path)")/extra-openai-models.yaml" <<'END'
- model_id: ${JSON.stringify(`commons/${model}`)}
  model_name: ${JSON.stringify(model)}
  api_base: ${address}/v1
  api_key_name: commons
  supports_tools: true
  vision: true
END
llm -m "commons/${model}" "Hello"`,
  isSeenAs: /^openai \(python\)|^llm/i,
}
