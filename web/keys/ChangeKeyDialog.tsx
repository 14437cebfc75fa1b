import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { changeKey, type UserKey } from '#contract/keys.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog, DialogFooter } from '#web/kit/Dialog.tsx'
import { KeyFields } from './KeyFields.tsx'
import { draftOf, isSimple, type KeyDraft, toChanges } from './newKey.ts'
import { refreshKeys } from './queries.ts'
import styles from './keys.module.css'

type ChangeKeyDialogProps = { of: UserKey; onClose(): void }

export function ChangeKeyDialog({ of: key, onClose }: ChangeKeyDialogProps) {
  const t = useTranslate()
  const { draft, wrong, pending, change, submit } = useChanges(key, onClose)
  return (
    <Dialog title={t('keys.change.title', { name: key.name })} onClose={onClose} busy={pending}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <KeyFields draft={draft} wrong={wrong} limitsStay={!isSimple(key.limits)} onChange={change} />
        <DialogFooter>
          <Button variant="subtle" color="gray" onClick={onClose}>
            {t('kit.cancel')}
          </Button>
          <Button type="submit" loading={pending} data-testid="key-save">
            {t('kit.save')}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}

/** Only what was changed here is sent, so that what was changed elsewhere meanwhile stays. */
function useChanges(key: UserKey, onClose: () => void) {
  const client = useQueryClient()
  const [before] = useState(() => draftOf(key))
  const [draft, setDraft] = useState(before)
  const [wrong, setWrong] = useState(false)
  const [pending, setPending] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const body = toChanges(before, draft, new Date())
    setWrong(body === null)
    if (body === null || pending) return
    if (Object.keys(body).length === 0) return onClose()
    setPending(true)
    try {
      await call(changeKey, { params: { id: String(key.id) }, body })
      await refreshKeys(client)
      onClose()
    } catch (error) {
      reportFailure(error)
      setPending(false)
    }
  }
  const change = (changed: Partial<KeyDraft>) => setDraft(now => ({ ...now, ...changed }))
  return { draft, wrong, pending, change, submit }
}
