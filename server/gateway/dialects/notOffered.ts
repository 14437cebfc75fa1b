import type { Dialect } from '#contract/gateway.ts'
import { invalid } from '#server/foundation/refusal.ts'
import type { Fields } from './form.ts'

/**
 * What of a request would spend or read what is not this person's: what the shared account keeps at its provider, what
 * costs more than its tokens, and what is worked off when nobody waits for it.
 */
type NotOffered = {
  /** Fields of the request that must not be set, whatever they hold. */
  fields: readonly string[]
  /** Fields that may hold these values, and be left out. */
  values: Readonly<Record<string, readonly unknown[]>>
  /** Of the tools, those that the asking program runs itself. A tool without a type is one. */
  tools: RegExp
  /** Where pictures, files and earlier answers stand: references in there are to what the account keeps. */
  content: string
  /** Fields of content that refer to it, and types of content that do. */
  references: readonly string[]
  types: readonly string[]
}

export const NOT_OFFERED: Readonly<Record<Dialect, NotOffered>> = {
  chat: {
    fields: ['web_search_options'],
    values: { n: [1], service_tier: ['auto', 'default', 'flex'] },
    tools: /^(?:function|custom)$/,
    content: 'messages',
    references: ['file_id', 'audio'],
    types: [],
  },
  responses: {
    fields: ['previous_response_id', 'conversation', 'prompt'],
    values: { background: [false], service_tier: ['auto', 'default', 'flex'] },
    tools: /^(?:function|custom|namespace|local_shell|apply_patch|computer|computer_use_preview)$/,
    content: 'input',
    references: ['file_id', 'file_ids', 'container_id', 'vector_store_ids'],
    types: ['item_reference'],
  },
  messages: {
    fields: ['container', 'speed', 'inference_geo'],
    values: { service_tier: ['auto', 'standard_only'] },
    tools: /^(?:custom|(?:bash|text_editor|computer|memory|tool_search_tool_(?:regex|bm25))_\d+)$/,
    content: 'messages',
    references: ['file_id'],
    types: ['container_upload'],
  },
}

const notOffered = (...path: (string | number)[]): Error =>
  invalid(['body', ...path], 'Not offered by this portal', 'not_offered')

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== false
const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** Refuses by name what is not offered. */
export function refuseNotOffered(dialect: Dialect, body: Fields): void {
  const { fields, values, tools, content, ...references } = NOT_OFFERED[dialect]
  for (const field of fields) if (isSet(body[field])) throw notOffered(field)
  for (const [field, allowed] of Object.entries(values))
    if (isSet(body[field]) && !allowed.includes(body[field])) throw notOffered(field)
  // Servers of tools that the provider would call.
  if (isSet(body['mcp_servers']) && !isEmpty(body['mcp_servers'])) throw notOffered('mcp_servers')
  refuseTools(body['tools'], tools, ['tools'])
  refuseReferences(body[content], { ...references, tools }, [content])
  if (dialect === 'messages') refuseReferences(body['system'], { ...references, tools }, ['system'])
}

type Path = readonly (string | number)[]

/** `namespace` and the like hold tools themselves. */
function refuseTools(listed: unknown, runByTool: RegExp, path: Path): void {
  if (!Array.isArray(listed)) return
  for (const [at, tool] of listed.entries()) {
    if (!isFields(tool)) continue
    const { type = 'custom' } = tool
    if (typeof type !== 'string' || !runByTool.test(type)) throw notOffered(...path, at, 'type')
    refuseTools(tool['tools'], runByTool, [...path, at, 'tools'])
  }
}

type References = Pick<NotOffered, 'references' | 'types' | 'tools'>

/** What a tool has answered, and what the model has called, are texts: only content refers to anything. */
const NOT_CONTENT: ReadonlySet<string> = new Set(['arguments', 'input_schema', 'parameters'])

function refuseReferences(value: unknown, not: References, path: Path): void {
  if (Array.isArray(value)) return value.forEach((each, at) => refuseReferences(each, not, [...path, at]))
  if (!isFields(value)) return
  const { type } = value
  if ((typeof type === 'string' && not.types.includes(type)) || isBareId(value)) throw notOffered(...path)
  // The arguments of a call of the asking program's own tool are as it likes.
  if (type === 'tool_use') return
  for (const [name, each] of Object.entries(value)) {
    if (not.references.includes(name) && isSet(each)) throw notOffered(...path, name)
    if (name === 'tools') refuseTools(each, not.tools, [...path, name])
    else if (!NOT_CONTENT.has(name)) refuseReferences(each, not, [...path, name])
  }
}

/** An earlier answer may be named by nothing but its id. */
const isBareId = (value: Fields): boolean => typeof value['id'] === 'string' && Object.keys(value).length === 1

/**
 * Leaves out the search of the web that Codex names beside its own tools in every request: it can do without, and would
 * not be answered at all. Whoever asks for that search alone, or chooses it, is refused.
 */
export function withoutOmitted(dialect: Dialect, body: Fields): Fields {
  const { tools, tool_choice: choice } = body
  if (dialect !== 'responses' || !Array.isArray(tools)) return body
  const isSearch = (tool: unknown): boolean => isFields(tool) && tool['type'] === 'web_search'
  const left = tools.filter(tool => !isSearch(tool))
  const isAlone = left.length === 0 && tools.some(tool => !isFields(tool) || tool['external_web_access'] !== false)
  return left.length === tools.length || isAlone || isSearch(choice) ? body : { ...body, tools: left }
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
