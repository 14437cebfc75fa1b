import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { aiSdk as aiSdkTool } from '#web/keys/tools/aiSdk.ts'
import { anthropicSdk as anthropicSdkTool } from '#web/keys/tools/anthropicSdk.ts'
import { openaiJavaScript as openaiJavaScriptTool } from '#web/keys/tools/openaiJavaScript.ts'
import { openaiPython as openaiPythonTool } from '#web/keys/tools/openaiPython.ts'
import type { Asked, Client, Started } from './client.ts'
import { MODEL } from './toolPortal.ts'

const program = (name: string): string => readFileSync(join(import.meta.dirname, 'programs', name), 'utf8')

const LISTING = { name: 'list_files', input: {} }

/** What comes before the question in the snippet: the library and the client, connected as the page says. */
function connection(snippet: string, asks: RegExp): string {
  const at = snippet.search(asks)
  if (at === -1) throw new Error(`the snippet does not ask: ${snippet}`)
  return snippet.slice(0, at)
}

const switches = ({ picture, tool }: Asked): string =>
  `${picture ? 'WITH_PICTURE=1 ' : ''}${tool ? 'WITH_TOOL=1 ' : ''}`

/** The snippet asks “Hello”, and then its client asks what is wanted. */
const javaScript =
  (name: string, call: string) =>
  (asked: Asked): Started => ({
    shell: `${switches(asked)}node ask.mjs`,
    files: {
      [name]: program(name),
      'ask.mjs': `${connection(asked.snippet, /^const (?:answer|\{ text \}) = /m)}
const { ask } = await import('./${name}')
await ask(${call})`,
    },
  })

export const openaiJavaScript: Client = {
  tool: openaiJavaScriptTool,
  registry: 'npm',
  packages: ['openai@7.59.0'],
  start: javaScript('openai.mjs', `client, '${MODEL}'`),
  listing: LISTING,
}

export const anthropicSdk: Client = {
  tool: anthropicSdkTool,
  registry: 'npm',
  packages: ['@anthropic-ai/sdk@1.14.0'],
  start: javaScript('anthropic.mjs', `client, '${MODEL}'`),
  listing: LISTING,
}

export const aiSdk: Client = {
  tool: aiSdkTool,
  registry: 'npm',
  packages: ['ai@7.0.173', '@ai-sdk/openai-compatible@3.0.92'],
  start: javaScript('aiSdk.mjs', `commons('${MODEL}')`),
  listing: LISTING,
}

export const openaiPython: Client = {
  tool: openaiPythonTool,
  registry: 'pip',
  packages: ['openai@3.57.0'],
  start: asked => ({
    shell: `${switches(asked)}python ask.py`,
    files: {
      'ask_openai.py': program('ask_openai.py'),
      'ask.py': `${connection(asked.snippet, /^answer = /m)}
from ask_openai import ask
ask(client, "${MODEL}")`,
    },
  }),
  listing: LISTING,
}
