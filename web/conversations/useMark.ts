import type { ConversationRecord } from '#contract/conversations.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { pageSource } from '#web/sources/list/list.ts'

/** A word about a conversation beside its title: the tool that it came from, or what its source says. */
export function useMark(record: ConversationRecord | undefined): string | null {
  const t = useTranslate()
  if (record === undefined) return null
  const { by_tool, source } = record
  if (by_tool !== undefined) return t('conversations.byKey', { tool: by_tool.name ?? by_tool.key })
  const mark = pageSource(source).markOf(record)
  return mark === null ? null : t(mark)
}
