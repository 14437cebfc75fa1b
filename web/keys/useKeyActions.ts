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

type UsedKey = Pick<UserKey, 'id' | 'name' | 'last_used_time'>

/** What is done to a key without a form. Each says what breaks, and asks. */
export function useKeyActions(key: UsedKey, onRotated: (known: KnownSecret) => void) {
  const t = useTranslate()
  const client = useQueryClient()
  const used = useLastUse(key)
  const { id, name } = key
  const params = { id: String(id) }
  const refresh = () => refreshKeys(client)
  const revoke = useRevoking(key, { revoke: () => call(revokeOwnKey, { params }), refresh })

  async function rotate(): Promise<void> {
    const question = { title: t('keys.rotate.title', { name }), text: t('keys.rotate.text', { used: used() }) }
    if (!(await confirm({ ...question, verb: t('keys.rotate') }))) return
    try {
      const { key: secret } = await call(changeKey, { params, body: { rotate: true } })
      if (secret !== null) onRotated({ id, name, secret })
    } catch (error) {
      reportFailure(error)
    }
    await refresh()
  }

  return { rotate, revoke }
}

type Revoking = { revoke(): Promise<unknown>; refresh(): Promise<void> }

/** Revokes a key once it is confirmed, one's own or somebody's. */
export function useRevoking(key: UsedKey, { revoke, refresh }: Revoking): () => Promise<void> {
  const t = useTranslate()
  const used = useLastUse(key)
  const { name } = key
  return async () => {
    const question = { title: t('keys.revoke.title', { name }), text: t('keys.revoke.text', { used: used() }) }
    if (!(await confirm({ ...question, verb: t('keys.revoke.verb'), danger: true }))) return
    try {
      await revoke()
      toast.success(t('keys.revoked', { name }))
    } catch (error) {
      reportFailure(error)
    }
    await refresh()
  }
}

function useLastUse({ last_used_time }: UsedKey): () => string {
  const t = useTranslate()
  const language = useLanguage()
  return () =>
    last_used_time === null
      ? t('keys.neverUsed')
      : t('keys.usedLast', { time: agoText(new Date(last_used_time), new Date(), t, language) })
}
