import { aider as aiderTool } from '#web/keys/tools/aider.ts'
import { claudeCode as claudeCodeTool } from '#web/keys/tools/claudeCode.ts'
import { cline as clineTool } from '#web/keys/tools/cline.ts'
import { codex as codexTool } from '#web/keys/tools/codex.ts'
import { continueTool } from '#web/keys/tools/continueTool.ts'
import { llm as llmTool } from '#web/keys/tools/llm.ts'
import { opencode as opencodeTool } from '#web/keys/tools/opencode.ts'
import type { Tool } from '#web/keys/tools/tool.ts'
import type { Asked, Client, Started } from './client.ts'

/** The snippet is a file, and the client is started beside it. */
const withFile =
  ({ file }: Tool, command: (asked: Asked) => string) =>
  (asked: Asked): Started => ({ shell: command(asked), files: { [file ?? '']: asked.snippet } })

/** The snippet is typed; what it ends with gets what a person would type next. */
const typed =
  (end: string, command: (asked: Asked) => string, files: Started['files'] = {}) =>
  (asked: Asked): Started => {
    if (!asked.snippet.endsWith(end)) throw new Error(`the snippet does not end with ${end}`)
    return { shell: asked.snippet.slice(0, -end.length) + command(asked), files }
  }

export const claudeCode: Client = {
  tool: claudeCodeTool,
  registry: 'npm',
  packages: ['@anthropic-ai/claude-code@2.1.332'],
  environment: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
  start: typed('claude', () => 'claude -p "$QUESTION" --allowedTools Bash Read'),
  listing: { name: 'Bash', input: { command: 'ls' } },
  reading: { name: 'Read', input: { file_path: '$WORK/picture.png' } },
}

export const codex: Client = {
  tool: codexTool,
  registry: 'npm',
  packages: ['@openai/codex@0.171.0'],
  start: withFile(codexTool, ({ picture }) => {
    const attached = picture ? '--image "$PICTURE" ' : ''
    return `codex exec --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox ${attached}-- "$QUESTION"`
  }),
  listing: { name: 'exec_command', input: { cmd: 'ls' } },
}

export const opencode: Client = {
  tool: opencodeTool,
  registry: 'npm',
  packages: ['opencode-ai@1.18.33'],
  environment: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
  // What is piped stays as it is; a parameter with spaces gets quotes.
  start: withFile(opencodeTool, ({ picture }) => `opencode run${picture ? ' --file "$PICTURE"' : ''} <<<"$QUESTION"`),
  listing: { name: 'bash', input: { command: 'ls', description: 'Lists' } },
  cannot: { refused: '`opencode run` says nothing and waits until then; its screen shows the message' },
}

export const continueCli: Client = {
  tool: continueTool,
  registry: 'npm',
  packages: ['@continuedev/cli@1.5.47'],
  environment: { CONTINUE_TELEMETRY_ENABLED: '0' },
  start: withFile(continueTool, () => 'cn --config ~/.continue/config.yaml --allow Bash -p "$QUESTION"'),
  listing: { name: 'Bash', input: { command: 'ls' } },
  cannot: { picture: 'its terminal takes no pictures' },
}

export const cline: Client = {
  tool: clineTool,
  registry: 'npm',
  packages: ['cline@3.0.65'],
  start: typed('cline', () => 'cline "$QUESTION"'),
  listing: { name: 'run_commands', input: { commands: ['ls'] } },
  reading: { name: 'read_files', input: { files: [{ path: '$WORK/picture.png' }] } },
}

export const aider: Client = {
  tool: aiderTool,
  registry: 'pip',
  packages: ['aider-chat@0.86.2'],
  environment: { AIDER_ANALYTICS: 'false', AIDER_CHECK_UPDATE: 'false', AIDER_SHOW_MODEL_WARNINGS: 'false' },
  start: ({ snippet, picture }) => ({
    shell: `${snippet} --no-git --yes-always --message "$QUESTION"${picture ? ' "$PICTURE"' : ''}`,
    files: {},
  }),
  listing: null,
  cannot: {
    tool: 'it edits by text, and calls no tools',
    picture: 'it sends them only to models that it knows by name',
  },
}

/** Its tools are functions of a file. */
const FUNCTIONS = `import os

def list_files() -> str:
    "Lists the folder."
    return "\\n".join(os.listdir("."))
`

export const llm: Client = {
  tool: llmTool,
  registry: 'pip',
  packages: ['llm@0.36'],
  start: typed(
    '"Hello"',
    ({ picture, tool }) =>
      `"$QUESTION"${picture ? ' --attachment "$PICTURE"' : ''}${tool ? ' --functions functions.py' : ''}`,
    { 'functions.py': FUNCTIONS },
  ),
  listing: { name: 'list_files', input: {} },
}
