import { useQueries } from '@tanstack/react-query'
import type { Plugin } from '#contract/plugins.ts'
import { RefusedCall } from '#web/foundation/call.ts'
import { failureText } from '#web/foundation/failures.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { initialsOf, nameOf, pluginQuery } from './plugin.ts'
import { PluginPopover } from './PluginPopover.tsx'
import styles from './plugins.module.css'

/** More belong to no conversation. */
const MAX_TAGS = 3

/** The plugins of a conversation, each with its details. */
export function PluginTags({ ids }: { ids: readonly string[] }) {
  const t = useTranslate()
  const answers = useQueries({ queries: ids.slice(0, MAX_TAGS).map(pluginQuery) })
  const insteadOf = (error: Error | null) => {
    if (error === null) return t('plugins.loading')
    const isGone = error instanceof RefusedCall && error.key === 'pluginNotFound'
    return isGone ? t('plugins.gone') : `${t('plugins.notRead')} ${failureText(error)}`
  }
  return (
    <ul className={styles.tags} aria-label={t('newConversation.plugins')}>
      {answers.map(({ data, error }, at) => {
        const id = ids[at] ?? ''
        const plugin = data ?? unknownPlugin(id)
        return (
          <li key={id}>
            <PluginPopover
              plugin={plugin}
              className={styles.tag}
              {...(data === undefined && { instead: insteadOf(error) })}
            >
              <span className={styles.tagLogo} aria-hidden>
                {initialsOf(nameOf(plugin))}
              </span>
              <span className={styles.tagName}>{nameOf(plugin)}</span>
            </PluginPopover>
          </li>
        )
      })}
    </ul>
  )
}

const unknownPlugin = (id: string): Plugin => ({
  id,
  namespace: null,
  manifest: null,
  domain: null,
  status: null,
  user_settings: null,
})
