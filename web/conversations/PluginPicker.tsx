import { useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import { MAX_PLUGINS } from '#contract/asking.ts'
import { listInstalledPlugins } from '#contract/plugins.ts'
import { call } from '#web/foundation/call.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { toast } from '#web/foundation/toasts.ts'
import styles from './newConversation.module.css'

type PluginPickerProps = { chosen: readonly string[]; onChoose(plugin_ids: string[]): void }

/** The plugins of the shared account; at most three go into a conversation. */
export function PluginPicker({ chosen, onChoose }: PluginPickerProps) {
  const t = useTranslate()
  const { data, error } = useQuery({
    queryKey: ['plugins', 'installed'],
    queryFn: ({ signal }) => call(listInstalledPlugins, {}, { signal }),
    retry: false,
    meta: { quiet: true },
  })
  useEffect(() => {
    if (error !== null) toast.refusal(t('newConversation.pluginsNotLoaded'))
  }, [error, t])
  const full = chosen.length >= MAX_PLUGINS
  const toggle = (id: string) => onChoose(chosen.includes(id) ? chosen.filter(other => other !== id) : [...chosen, id])
  return (
    <fieldset className={styles.plugins}>
      <legend>
        {t('newConversation.plugins')}
        <span>{t('newConversation.chosenPlugins', { count: chosen.length, most: MAX_PLUGINS })}</span>
      </legend>
      {data?.items.length === 0 && <p className={styles.none}>{t('newConversation.noPlugins')}</p>}
      {error !== null && <p className={styles.error}>{t('newConversation.pluginsNotLoaded')}</p>}
      {data?.items.map(({ id, manifest }) => (
        <label key={id} className={styles.plugin}>
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            disabled={full && !chosen.includes(id)}
            onChange={() => toggle(id)}
          />
          {manifest?.name_for_human ?? id}
        </label>
      ))}
    </fieldset>
  )
}
