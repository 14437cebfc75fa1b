import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { createKey } from '#contract/keys.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog, DialogFooter } from '#web/kit/Dialog.tsx'
import type { KnownSecret } from './connection.ts'
import { KeyFields } from './KeyFields.tsx'
import { EMPTY_DRAFT, type KeyDraft, toNewKey } from './newKey.ts'
import { refreshKeys } from './queries.ts'
import styles from './keys.module.css'

type NewKeyDialogProps = { onClose(): void; onMade(known: KnownSecret): void }

export function NewKeyDialog({ onClose, onMade }: NewKeyDialogProps) {
  const t = useTranslate()
  const { draft, wrong, pending, change, submit } = useNewKey({ onClose, onMade })
  return (
    <Dialog title={t('keys.new')} onClose={onClose} busy={pending}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <KeyFields draft={draft} wrong={wrong} onChange={change} />
        <DialogFooter>
          <Button variant="subtle" color="gray" onClick={onClose}>
            {t('kit.cancel')}
          </Button>
          <Button type="submit" loading={pending} data-testid="key-create">
            {t('keys.create')}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}

function useNewKey({ onClose, onMade }: NewKeyDialogProps) {
  const client = useQueryClient()
  const [draft, setDraft] = useState(EMPTY_DRAFT)
  const [wrong, setWrong] = useState(false)
  const [pending, setPending] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const body = toNewKey(draft, new Date())
    setWrong(body === null)
    if (body === null || pending) return
    setPending(true)
    try {
      const { id, key } = await call(createKey, { body })
      onMade({ id, name: body.name, secret: key })
      await refreshKeys(client)
      onClose()
    } catch (error) {
      reportFailure(error)
      setPending(false)
    }
  }
  const change = (changed: Partial<KeyDraft>) => setDraft(before => ({ ...before, ...changed }))
  return { draft, wrong, pending, change, submit }
}
