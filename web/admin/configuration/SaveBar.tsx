import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import { Tag } from '#web/kit/Tag.tsx'
import { keepToastsAbove } from '#web/kit/Toasts.tsx'
import styles from './configuration.module.css'
import { rowId } from './controls/controlProps.ts'
import { mistakesIn } from './settings/mistakes.ts'
import type { SettingsForm } from './settings/form.ts'
import { restartsIn } from './useConfiguration.ts'

const ConfirmChanges = lazyComponent(() => import('./ConfirmChanges.tsx').then(module => module.ConfirmChanges))

type SaveBarProps = { configuration: SettingsForm; onShow(path: string): void }

/**
 * Floats over the end of the page while something is changed. One change that needs no restart is saved without asking.
 */
export function SaveBar({ configuration, onShow }: SaveBarProps) {
  const t = useTranslate()
  const [asking, setAsking] = useState(false)
  const { count: changes, pending, discard, save } = configuration
  useFocusBack(configuration.changed.at(-1))
  if (changes === 0) return null
  const restarts = restartsIn(configuration)
  const mistakes = [...new Set([...mistakesIn(configuration).keys(), ...Object.keys(configuration.refused)])]
  const conflicts = configuration.conflicts.map(({ name }) => name)
  const close = () => setAsking(false)
  return (
    <div ref={keepToastsAbove} className={styles.save} role="region" aria-label={t('settings.save')}>
      <div role="status" className={styles.sums}>
        <strong>{t('settings.changes', { count: changes })}</strong>
        {restarts > 0 && <Tag tone="amber">{t('settings.restarts', { count: restarts })}</Tag>}
        <JumpButton paths={mistakes} tone={styles.mistakes} onShow={onShow}>
          {t('settings.mistakes', { count: mistakes.length })}
        </JumpButton>
        <JumpButton paths={conflicts} tone={styles.conflicts} onShow={onShow}>
          {t('admin.conflicts', { count: conflicts.length })}
        </JumpButton>
      </div>
      <div className={styles.verbs}>
        <Button variant="subtle" color="gray" size="xs" disabled={pending} data-testid="discard" onClick={discard}>
          {t('settings.discard')}
        </Button>
        <Button
          size="xs"
          loading={pending}
          disabled={mistakes.length + conflicts.length > 0}
          data-testid="save"
          onClick={() => (changes + restarts > 1 ? setAsking(true) : void save())}
        >
          {t('settings.save')}
        </Button>
      </div>
      {asking && (
        <ConfirmChanges
          configuration={configuration}
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

/** The bar goes with the last change, and would leave the focus nowhere: it goes to the row that was changed last. */
function useFocusBack(changed: string | undefined): void {
  const last = useRef<string>(undefined)
  useEffect(() => {
    const before = last.current
    last.current = changed
    if (changed !== undefined || before === undefined || document.activeElement !== document.body) return
    document.getElementById(rowId(before))?.focus({ preventScroll: true })
  }, [changed])
}

type JumpButtonProps = {
  paths: readonly string[]
  tone: string | undefined
  onShow(path: string): void
  children: ReactNode
}

/** A count; pressing it shows the first of the rows it counts. */
function JumpButton({ paths: [first], tone, onShow, children }: JumpButtonProps) {
  if (first === undefined) return null
  return (
    <button type="button" className={tone} onClick={() => onShow(first)}>
      {children}
    </button>
  )
}
