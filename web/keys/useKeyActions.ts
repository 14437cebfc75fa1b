import { useQueryClient } from '@tanstack/react-query'
import { changeKey, revokeOwnKey, type UserKey } from '#contract/keys.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { agoText } from '#web/foundation/times.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { confirm } from '#web/kit/DialogHost.tsx'
import type { KnownSecret } from './connection.ts'
import { refreshKeys } from './queries.ts'

/** What is done to a key without a form. Each says what breaks, and asks. */
export function useKeyActions({ id, name, last_used_time }: UserKey, onRotated: (known: KnownSecret) => void) {
  const t = useTranslate()
  const language = useLanguage()
  const client = useQueryClient()
  const params = { id: String(id) }

  const used = (): string =>
    last_used_time === null
      ? t('keys.neverUsed')
      : t('keys.usedLast', { time: agoText(new Date(last_used_time), new Date(), t, language) })

  async function rotate(): Promise<void> {
    const question = { title: t('keys.rotate.title', { name }), text: t('keys.rotate.text', { used: used() }) }
    if (!(await confirm({ ...question, verb: t('keys.rotate') }))) return
    try {
      const { key } = await call(changeKey, { params, body: { rotate: true } })
      if (key !== null) onRotated({ id, name, secret: key })
    } catch (error) {
      reportFailure(error)
    }
    await refreshKeys(client)
  }

  async function revoke(): Promise<void> {
    const question = { title: t('keys.revoke.title', { name }), text: t('keys.revoke.text', { used: used() }) }
    if (!(await confirm({ ...question, verb: t('keys.revoke.verb'), danger: true }))) return
    try {
      await call(revokeOwnKey, { params })
      toast.success(t('keys.revoked', { name }))
    } catch (error) {
      reportFailure(error)
    }
    await refreshKeys(client)
  }

  return { rotate, revoke }
}
