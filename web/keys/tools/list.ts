import { aiSdk } from './aiSdk.ts'
import { aider } from './aider.ts'
import { anthropicSdk } from './anthropicSdk.ts'
import { claudeCode } from './claudeCode.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { continueTool } from './continueTool.ts'
import { curl } from './curl.ts'
import { llm } from './llm.ts'
import { openaiJavaScript } from './openaiJavaScript.ts'
import { openaiPython } from './openaiPython.ts'
import { opencode } from './opencode.ts'
import type { Tool } from './tool.ts'
import { zed } from './zed.ts'

/** In the order in which they are offered. */
export const TOOLS: readonly [Tool, ...Tool[]] = [
  claudeCode,
  codex,
  opencode,
  aider,
  continueTool,
  cline,
  zed,
  llm,
  openaiPython,
  openaiJavaScript,
  anthropicSdk,
  aiSdk,
  curl,
]
