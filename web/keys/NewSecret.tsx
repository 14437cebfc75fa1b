import { Button } from '@mantine/core'
import { useEffect, useId, useRef } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconCheck, IconCopy } from '#web/kit/icons.ts'
import { useCopied } from '#web/kit/useCopied.ts'
import type { KnownSecret } from './connection.ts'
import styles from './keys.module.css'

/** A key that was just made or rotated: shown this once. */
export function NewSecret({ known }: { known: KnownSecret }) {
  const t = useTranslate()
  const { origin } = window.location
  const section = useRef<HTMLElement>(null)
  // The rows, whose menus rotate a key, are below.
  useEffect(() => {
    void section.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <section ref={section} className={styles.once} role="status">
      <IconCheck size={16} aria-hidden className={styles.onceIcon} />
      <div>
        <h2>{t('keys.made', { name: known.name })}</h2>
        <p>{t('keys.made.more')}</p>
        <CopyRow label={t('keys.secret')} value={known.secret} testId="key-secret" isMain />
        <CopyRow label={t('keys.address')} value={`${origin}/v1`} testId="key-address" />
        <p className={styles.small}>{t('keys.addressWithout', { address: origin })}</p>
      </div>
    </section>
  )
}

type CopyRowProps = { label: string; value: string; testId: string; isMain?: boolean }

function CopyRow({ label, value, testId, isMain = false }: CopyRowProps) {
  const t = useTranslate()
  const id = useId()
  const { copied, copy } = useCopied()
  const Icon = copied ? IconCheck : IconCopy
  return (
    <div className={styles.copyRow}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        readOnly
        value={value}
        spellCheck={false}
        data-testid={testId}
        onFocus={event => event.currentTarget.select()}
      />
      <Button
        size="xs"
        variant={isMain ? 'filled' : 'default'}
        leftSection={<Icon size={14} aria-hidden />}
        onClick={() => void copy(value)}
      >
        {t(copied ? 'kit.copied' : 'kit.copy')}
      </Button>
    </div>
  )
}
