import { Checkbox } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { useState } from 'react'
import { type Source, SOURCES } from '#contract/models.ts'
import { usePortal } from '#web/foundation/portal.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import styles from './bulk.module.css'

/** The chosen sources; by default those that are enabled. */
export function useSources(): { sources: Source[]; setSources(sources: Source[]): void } {
  const portal = usePortal()
  const [chosen, setSources] = useState<Source[] | null>(null)
  const enabled = SOURCES.filter(source => portal?.sources.some(each => each.source === source && each.enabled))
  return { sources: chosen ?? (enabled.length > 0 ? enabled : [...SOURCES]), setSources }
}

type SourcesRowProps = { sources: readonly Source[]; onChange(sources: Source[]): void }

export function SourcesRow({ sources, onChange }: SourcesRowProps) {
  const t = useTranslate()
  return (
    <fieldset className={styles.sources}>
      <legend>{t('users.source')}</legend>
      {SOURCES.map(source => (
        <Checkbox
          key={source}
          label={t(`sources.${source}`)}
          checked={sources.includes(source)}
          onChange={({ currentTarget: { checked } }) =>
            onChange(SOURCES.filter(each => (each === source ? checked : sources.includes(each))))
          }
        />
      ))}
    </fieldset>
  )
}
