import { useState } from 'react'
import { Button, TextInput } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { updateOwnApi } from '#contract/users.ts'
import type { ApiSetting } from '#contract/limits.ts'
import { baseAddressOf, keyText } from '#contract/settings.ts'
import { call } from '#web/foundation/call.ts'
import { refusalText, reportFailure } from '#web/foundation/failures.ts'
import { useSession } from '#web/foundation/session.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { SecretInput } from '#web/kit/SecretInput.tsx'
import styles from './OwnApiForm.module.css'
import { useForm } from './useForm.ts'

/** An endpoint and key of one's own for openai_api, where an administrator allows it. */
export function OwnApiForm({ stored }: { stored: ApiSetting['custom_openai_api_settings'] }) {
  const t = useTranslate()
  const { url, key, mistakes, pending, keepsKey, isUnreadable, change, submit, clear } = useOwnApi(stored)
  const [confirming, setConfirming] = useState(false)
  return (
    <form className={styles.form} onSubmit={submit} noValidate data-testid="own-api">
      <h4>{t('ownApi.title')}</h4>
      <p className={styles.text}>{t('ownApi.text')}</p>
      <TextInput
        label={t('ownApi.url')}
        description={t('ownApi.urlHelp')}
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        value={url}
        error={mistakes.url}
        onChange={event => change({ url: event.currentTarget.value })}
      />
      <SecretInput
        label={t('ownApi.key')}
        description={t(keepsKey ? 'ownApi.keyKept' : 'ownApi.keyNew')}
        autoComplete="off"
        value={key}
        error={mistakes.key ?? (isUnreadable ? t('ownApi.keyUnreadable') : undefined)}
        onChange={event => change({ key: event.currentTarget.value })}
      />
      {confirming ? (
        <div className={styles.actions}>
          <p className={styles.text} role="status">
            {t('ownApi.clearText')}
          </p>
          <Button variant="subtle" color="gray" onClick={() => setConfirming(false)}>
            {t('kit.cancel')}
          </Button>
          <Button color="red" loading={pending} onClick={() => void clear().then(() => setConfirming(false))}>
            {t('ownApi.clearVerb')}
          </Button>
        </div>
      ) : (
        <div className={styles.actions}>
          {stored.url !== null && (
            <Button variant="subtle" color="gray" onClick={() => setConfirming(true)}>
              {t('ownApi.clear')}
            </Button>
          )}
          <Button type="submit" variant="default" loading={pending}>
            {t('ownApi.save')}
          </Button>
        </div>
      )}
    </form>
  )
}

type OwnApi = ApiSetting['custom_openai_api_settings']

/** The form for an address and key of one's own. The key is written and never comes back: blank keeps it. */
function useOwnApi(stored: OwnApi) {
  const t = useTranslate()
  const [clearing, setClearing] = useState(false)
  const form = useForm(
    { url: stored.url ?? '', key: '' },
    {
      check: ({ url, key }) => ({
        url:
          url.trim() === '' ? t('ownApi.urlRequired') : baseAddressOf(url) === null ? t('ownApi.urlWrong') : undefined,
        key: keyText.safeParse(key).success ? undefined : t('ownApi.keyWrong'),
      }),
      async send({ url, key }) {
        await write({ url: url.trim(), key })
        form.change({ url: url.trim(), key: '' })
        toast.success(t('ownApi.saved'))
      },
      onRefusal: refusal => ({ url: refusal.detail.length > 0 ? t('ownApi.urlWrong') : refusalText(refusal) }),
    },
  )

  return {
    ...form,
    pending: form.pending || clearing,
    /** A key is sent only to the host it was entered for: with another host it has to be entered again. */
    keepsKey: stored.key !== null && sameHost(stored.url, form.url),
    /** Nothing is asked until it is entered again. */
    isUnreadable: stored.key_unreadable === true && form.key === '',
    async clear() {
      if (clearing) return
      setClearing(true)
      try {
        await write({ url: null, key: null })
        form.change({ url: '', key: '' })
        toast.success(t('ownApi.cleared'))
      } catch (error) {
        reportFailure(error)
      } finally {
        setClearing(false)
      }
    },
  }
}

async function write(body: OwnApi): Promise<void> {
  useSession.setState({ user: await call(updateOwnApi, { body }) })
}

/** Whether a key that is stored for one address stays with another. */
export function sameHost(before: string | null, now: string): boolean {
  return before !== null && URL.parse(before)?.origin === URL.parse(now.trim())?.origin
}
