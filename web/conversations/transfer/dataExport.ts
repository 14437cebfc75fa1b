import { DEFAULT_MODEL_CODE_MAPPING, ModelCode } from '#contract/models.ts'
import type { ImportedConversation } from '#contract/transfer.ts'
import { contentFrom } from './dataExportContent.ts'
import { metadataFrom } from './dataExportMetadata.ts'
import { conversationOf, type LooseMessage, textsIn } from './ownExport.ts'
import { isRaw, type Raw, rawAt, textAt, timeAt } from './rawValues.ts'
import { storable } from './storable.ts'
import type { TreeNode } from './treeOrder.ts'

const ROLES = ['system', 'user', 'assistant', 'tool'] as const
const CODES: Readonly<Record<string, string>> =
  Object.fromEntries(Object.entries(DEFAULT_MODEL_CODE_MAPPING.openai_web).map(([code, slug]) => [slug, code]))

/** A conversation of ChatGPT's data export: the same tree, in the upstream's own words. */
export function fromDataExport(raw: Raw): ImportedConversation | null {
  const mapping = rawAt(raw, 'mapping')
  const id = textAt(raw, 'conversation_id') ?? textAt(raw, 'id') ?? `${textAt(raw, 'title') ?? ''} ${timeAt(raw, 'create_time') ?? ''}`.trim()
  if (id === '') return null
  const nodes = new Map<string, TreeNode<LooseMessage>>()
  for (const [key, node] of Object.entries(mapping)) {
    if (isRaw(node)) nodes.set(key, { parent: textAt(node, 'parent'), children: textsIn(node['children']), message: messageFrom(node['message']) })
  }
  const models = [...nodes.values()].map(({ message }) => message?.model ?? null).filter(model => model !== null)
  return conversationOf(raw, id, nodes, codeOf(raw['default_model_slug']) ?? models.at(-1) ?? null)
}

/** Null for what says nothing, such as the root and the empty messages of the system. */
function messageFrom(given: unknown): LooseMessage | null {
  const kept = storable(given)
  if (!isRaw(kept)) return null
  const author = rawAt(kept, 'author')
  const metadata = rawAt(kept, 'metadata')
  const role = ROLES.find(each => each === author['role']) ?? 'tool'
  const { content, citations, hidden, fallback } = contentFrom(rawAt(kept, 'content'), metadata)
  const isHidden = hidden || role === 'system' || metadata['is_visually_hidden_from_conversation'] === true
  if (isHidden && (content?.content_type !== 'text' || content.text?.trim() === '')) return null
  return {
    // Notes that the upstream does not show are kept, and not shown here either.
    role: isHidden ? 'system' : role,
    author_name: textAt(author, 'name')?.slice(0, 500) ?? null,
    model: codeOf(metadata['model_slug']),
    create_time: timeAt(kept, 'create_time'),
    content,
    metadata: metadataFrom(kept, citations, fallback),
  }
}

/** Our name of a model where there is one, else the upstream's. */
function codeOf(slug: unknown): string | null {
  if (typeof slug !== 'string') return null
  return Object.hasOwn(CODES, slug) ? CODES[slug] ?? null : ModelCode.safeParse(slug).data ?? null
}
