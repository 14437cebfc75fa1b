import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import { Tag } from '#web/kit/Tag.tsx'
import styles from './configuration.module.css'
import { mistakesIn } from './mistakes.ts'
import { type ConfigurationForm, restartsIn } from './useConfiguration.ts'

const ConfirmChanges = lazyComponent(() => import('./ConfirmChanges.tsx').then(module => module.ConfirmChanges))

/** Floats over the end of the page while something is changed. One change that needs no restart is saved without asking. */
export function SaveBar({ configuration }: { configuration: ConfigurationForm }) {
  const t = useTranslate()
  const [asking, setAsking] = useState(false)
  const { form, pending, discard, save } = configuration
  const changes = form.edits.size
  if (changes === 0) return null
  const restarts = restartsIn(form)
  const mistakes = new Set([...mistakesIn(form).keys(), ...form.refused.keys()]).size
  const conflicts = form.conflicts.size
  const close = () => setAsking(false)
  return (
    <div className={styles.save} role="region" aria-label={t('settings.save')}>
      <div role="status" className={styles.sums}>
        <strong>{t('settings.changes', { count: changes })}</strong>
        {restarts > 0 && <Tag tone="amber">{t('settings.restarts', { count: restarts })}</Tag>}
        {mistakes > 0 && <span className={styles.mistakes}>{t('settings.mistakes', { count: mistakes })}</span>}
        {conflicts > 0 && <Tag tone="amber">{t('settings.conflicts', { count: conflicts })}</Tag>}
      </div>
      <div className={styles.verbs}>
        <Button variant="subtle" color="gray" size="xs" disabled={pending} data-testid="discard" onClick={discard}>
          {t('settings.discard')}
        </Button>
        <Button
          size="xs"
          loading={pending}
          disabled={mistakes + conflicts > 0}
          data-testid="save"
          onClick={() => (changes + restarts > 1 ? setAsking(true) : void save())}
        >
          {t('settings.save')}
        </Button>
      </div>
      {asking && (
        <ConfirmChanges
          form={form}
          onLoadError={close}
          onAnswer={confirmed => {
            close()
            if (confirmed) void save()
          }}
        />
      )}
    </div>
  )
}
