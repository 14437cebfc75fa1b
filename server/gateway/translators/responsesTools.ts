import { type Fields, fieldOf, isFields } from '#server/providers/looseJson.ts'
import type { toolNames } from './toolNames.ts'
import { refusedName, type ToolName } from './translated.ts'

type Names = ReturnType<typeof toolNames>

/** Offers of an upstream that a model can do without where it has other tools. */
const OPTIONAL_TOOL = /^(?:web_search|image_generation$|tool_search$)/

type OwnTool = ToolName & { tool: Fields }

/** The tools of a response, those of namespaces among them, and which of them is to be called. */
export function responsesTools(given: readonly Fields[], choice: unknown, names: Names, refused: string[]): Fields {
  const own = given.flatMap(tool => ownTools(tool, null))
  const chosen = typeof choice === 'string' ? choice : fieldOf(choice, 'type')
  for (const { type } of given.filter(tool => ownTools(tool, null).length === 0 && tool['type'] !== 'namespace')) {
    if (own.length === 0 || !OPTIONAL_TOOL.test(String(type)) || chosen === type)
      refused.push(refusedName('tools', type))
  }
  if (own.length === 0) return {}
  const allowed = allowedTools(choice)
  const offered = own.filter(each => allowed === null || allowed.has(each.name))
  const tools = offered.map(each => ({ type: 'function', function: functionOf(each, names.chatName(each)) }))
  return { tools, ...choiceFields(choice, own, names, refused) }
}

function ownTools(tool: Fields, namespace: string | null): OwnTool[] {
  const { type, name, tools } = tool
  if (type === 'namespace')
    return (Array.isArray(tools) ? tools.filter(isFields) : []).flatMap(each => ownTools(each, String(name)))
  return type === 'function' || type === 'custom' ? [{ kind: type, name: String(name), namespace, tool }] : []
}

function functionOf({ kind, tool }: OwnTool, name: string): Fields {
  const { description, parameters, strict } = tool
  if (kind === 'custom') return { name, description: customDescription(tool), parameters: CUSTOM_PARAMETERS }
  return {
    name,
    ...(typeof description === 'string' ? { description } : {}),
    parameters: parameters ?? { type: 'object', properties: {} },
    ...(strict === true ? { strict } : {}),
  }
}

/** A custom tool takes a text as it stands, in a chat the only field of its arguments. */
const CUSTOM_PARAMETERS = {
  type: 'object',
  properties: { input: { type: 'string', description: 'What the tool is sent, as it stands' } },
  required: ['input'],
  additionalProperties: false,
}

function customDescription({ description, format }: Fields): string {
  const definition = fieldOf(format, 'definition')
  const grammar = typeof definition === 'string' ? `The input follows this grammar:\n${definition}` : ''
  return [typeof description === 'string' ? description : '', grammar].filter(each => each !== '').join('\n\n')
}

function allowedTools(choice: unknown): Set<unknown> | null {
  const tools = fieldOf(choice, 'tools')
  if (fieldOf(choice, 'type') !== 'allowed_tools' || !Array.isArray(tools)) return null
  return new Set(tools.map(tool => fieldOf(tool, 'name')))
}

function choiceFields(choice: unknown, own: readonly OwnTool[], names: Names, refused: string[]): Fields {
  const type = fieldOf(choice, 'type')
  const mode = type === 'allowed_tools' ? fieldOf(choice, 'mode') : choice
  if (typeof mode === 'string') return ['auto', 'none', 'required'].includes(mode) ? { tool_choice: mode } : {}
  if (type === undefined || type === 'allowed_tools') return {}
  const namespace = fieldOf(choice, 'namespace') ?? null
  const named = own.find(
    each => each.name === fieldOf(choice, 'name') && (namespace === null || each.namespace === namespace),
  )
  if (named === undefined) {
    refused.push(refusedName('tool_choice', type))
    return {}
  }
  return { tool_choice: { type: 'function', function: { name: names.chatName(named) } } }
}
