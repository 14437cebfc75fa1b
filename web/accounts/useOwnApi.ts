import { useState } from 'react'
import { baseAddressOf } from '#contract/settings.ts'
import { updateOwnApi } from '#contract/accounts.ts'
import type { ApiSetting } from '#contract/limits.ts'
import { call, RefusedCall } from '#web/foundation/call.ts'
import { useSession } from '#web/foundation/session.ts'
import { useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { toast } from '#web/kit/toast.ts'
import { sameHost } from './ownAddress.ts'
import { useForm } from './useForm.ts'

type OwnApi = ApiSetting['custom_openai_api_settings']

/** The form for an address and key of one's own. The key is written and never comes back: blank keeps it. */
export function useOwnApi(stored: OwnApi) {
  const t = useTranslate()
  const translateMessage = useTranslateMessage()
  const [clearing, setClearing] = useState(false)
  const form = useForm(
    { url: stored.url ?? '', key: '' },
    {
      check: ({ url }) => {
        if (url.trim() === '') return { url: t('ownApi.urlRequired') }
        return { url: baseAddressOf(url) === null ? t('ownApi.urlWrong') : undefined }
      },
      async send({ url, key }) {
        await write({ url: url.trim(), key })
        form.change({ url: url.trim(), key: '' })
        toast.success(t('ownApi.saved'))
      },
      onFailure(error) {
        if (error instanceof RefusedCall)
          return { url: error.detail.length > 0 ? t('ownApi.urlWrong') : translateMessage(error.message, error.values) }
        toast.failure(error)
        return {}
      },
    },
  )

  return {
    ...form,
    pending: form.pending || clearing,
    /** A key goes only where it was entered for: with another host it has to be entered again. */
    keepsKey: stored.key !== null && sameHost(stored.url, form.url),
    async clear() {
      if (clearing) return
      setClearing(true)
      try {
        await write({ url: null, key: null })
        form.change({ url: '', key: '' })
        toast.success(t('ownApi.cleared'))
      } catch (error) {
        toast.failure(error)
      } finally {
        setClearing(false)
      }
    },
  }
}

async function write(body: OwnApi): Promise<void> {
  useSession.setState({ user: await call(updateOwnApi, { body }) })
}
