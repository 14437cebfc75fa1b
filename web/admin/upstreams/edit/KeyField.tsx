import { TextInput } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { useEffect, useRef } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconLock } from '#web/kit/icons.ts'
import { DrawerRow } from '../../drawer/rows.tsx'
import type { Changes } from '../../drawer/useChanges.ts'
import { type Fields, mistakesIn } from './fields.ts'

type KeyFieldProps = {
  form: Changes<Fields>
  /** Of one that is stored: whether there is a key, and its end. */
  stored: { set: boolean; last4: string | null } | null
  /** It is what somebody came for. */
  isWanted: boolean
}

/** A key is entered and never read: it shows as dots, with its length and its end while it is entered. */
export function KeyField({ form, stored, isWanted }: KeyFieldProps) {
  const t = useTranslate()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isWanted) input.current?.focus()
  }, [isWanted])
  const { secret } = form.values
  const isSet = stored?.set === true
  const isWrong = mistakesIn(form.values, true).includes('secret')
  const enterAnew = (value: string | null) => {
    form.change({ secret: value })
    input.current?.focus()
  }
  return (
    <DrawerRow label={t('upstreams.field.secret')} changed={form.isChanged('secret')} below={below()}>
      {id => (
        <TextInput
          id={id}
          ref={input}
          type="password"
          size="xs"
          // Otherwise the browser fills in its own.
          autoComplete="new-password"
          spellCheck={false}
          leftSection={<IconLock size={14} aria-hidden />}
          leftSectionPointerEvents="none"
          placeholder={t(secret === null || !isSet ? 'upstreams.key.none' : 'upstreams.key.keep')}
          value={secret ?? ''}
          error={isWrong ? t('upstreams.wrong.secret') : null}
          onChange={event => form.change({ secret: event.currentTarget.value.trim() })}
        />
      )}
    </DrawerRow>
  )

  function below() {
    if (secret === null)
      return (
        <>
          {t('upstreams.key.cleared')}
          <button type="button" onClick={() => enterAnew('')}>
            {t('kit.undo')}
          </button>
        </>
      )
    if (secret !== '')
      return (
        <>
          {t('upstreams.key.entered', { count: secret.length, last4: secret.slice(-4) })}
          <button type="button" onClick={() => enterAnew('')}>
            {t('upstreams.key.again')}
          </button>
        </>
      )
    if (!isSet) return t('upstreams.key.help')
    return (
      <>
        {stored.last4 === null ? t('upstreams.key.isSet') : t('upstreams.key.ends', { last4: stored.last4 })}
        <button type="button" onClick={() => input.current?.focus()}>
          {t('upstreams.key.replace')}
        </button>
        <button type="button" onClick={() => enterAnew(null)}>
          {t('upstreams.key.clear')}
        </button>
      </>
    )
  }
}
