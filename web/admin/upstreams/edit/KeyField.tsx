import { TextInput } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { useEffect, useRef } from 'react'
import type { Source } from '#contract/models.ts'
import type { KeyState } from '#contract/upstreams.ts'
import { readWebToken } from '#contract/webToken.ts'
import { formatDate } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { IconLock } from '#web/kit/icons.ts'
import { DrawerRow } from '../../drawer/rows.tsx'
import type { Changes } from '#web/admin/form/useChanges.ts'
import { enteredKey, type Fields, mistakesIn } from './fields.ts'

type KeyFieldProps = {
  source: Source
  form: Changes<Fields>
  /** Of one that is stored: whether there is a key, its end, and who entered it. */
  stored: KeyState | null
  /** The drawer was opened in order to enter a key. */
  isWanted: boolean
}

/** A key is entered and never read: it shows as dots, with its length and its end while it is entered. */
export function KeyField({ source, form, stored, isWanted }: KeyFieldProps) {
  const t = useTranslate()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isWanted) input.current?.focus()
  }, [isWanted])
  const { secret } = form.values
  const isSet = stored?.set === true
  const isWrong = mistakesIn(form.values, true, source).includes('secret')
  const entered = enteredKey(secret)
  const label = t(source === 'openai_web' ? 'upstreams.token.access' : 'upstreams.field.secret')
  const enter = (value: string) => (value === '' ? form.undo('secret') : form.change({ secret: value }))
  const enterAnew = () => {
    enter('')
    input.current?.focus()
  }
  return (
    <DrawerRow label={label} changed={form.isChanged('secret')} below={below()}>
      {id => (
        <TextInput
          id={id}
          ref={input}
          type="password"
          size="xs"
          // Otherwise the browser fills in a stored password.
          autoComplete="new-password"
          spellCheck={false}
          leftSection={<IconLock size={14} aria-hidden />}
          leftSectionPointerEvents="none"
          placeholder={t(secret === null || !isSet ? 'upstreams.key.none' : 'upstreams.key.keep')}
          value={entered}
          error={isWrong ? wrong() : null}
          onChange={event => enter(event.currentTarget.value.trim())}
        />
      )}
    </DrawerRow>
  )

  function wrong(): string {
    const read = source === 'openai_web' ? readWebToken(entered) : null
    return t(read !== null && 'problem' in read ? `webToken.wrong.${read.problem}` : 'upstreams.wrong.secret')
  }

  function below() {
    if (secret === null)
      return (
        <>
          {t('upstreams.key.cleared')}
          <button type="button" onClick={enterAnew}>
            {t('kit.undo')}
          </button>
        </>
      )
    if (entered !== '')
      return (
        <>
          {t('upstreams.key.entered', { count: entered.length, last4: entered.slice(-4) })}
          <button type="button" onClick={enterAnew}>
            {t('upstreams.key.again')}
          </button>
        </>
      )
    if (stored?.unreadable === true) return t('settings.secret.unreadable')
    if (!isSet) return t('upstreams.key.help')
    return (
      <>
        {stored.last4 === null ? t('upstreams.key.isSet') : t('upstreams.key.ends', { last4: stored.last4 })}
        <KeySetBy state={stored} />
        <button type="button" onClick={() => input.current?.focus()}>
          {t('upstreams.key.replace')}
        </button>
        <button type="button" onClick={() => form.change({ secret: null })}>
          {t('upstreams.key.clear')}
        </button>
      </>
    )
  }
}

/** Who entered a key and when, as far as is known. */
export function KeySetBy({ state: { changed_by, changed_at } }: { state: KeyState }) {
  const t = useTranslate()
  const language = useLanguage()
  if (changed_at === null) return null
  const date = formatDate(new Date(changed_at), language)
  return (
    <span>
      {changed_by === null ? t('upstreams.key.setOn', { date }) : t('upstreams.key.setBy', { name: changed_by, date })}
    </span>
  )
}
