import { Button, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { MAX_HOLD_REASON } from '#contract/keeping.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog, DialogFooter } from '#web/kit/Dialog.tsx'

type HoldDialogProps = { nickname: string; onHold(reason: string): void; onClose(): void }

/** Asks why everything of a person is to be kept. */
export function HoldDialog({ nickname, onHold, onClose }: HoldDialogProps) {
  const t = useTranslate()
  const [reason, setReason] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() !== '') onHold(reason.trim())
  }
  return (
    <Dialog title={t('users.hold.title', { nickname })} width={500} onClose={onClose}>
      <form onSubmit={submit} data-testid="hold-form">
        <p>{t('users.hold.text')}</p>
        <Textarea
          mt="md"
          label={t('users.hold.reason')}
          value={reason}
          maxLength={MAX_HOLD_REASON}
          autosize
          minRows={2}
          data-autofocus
          onChange={event => setReason(event.currentTarget.value)}
        />
        <DialogFooter>
          <Button variant="subtle" color="gray" onClick={onClose}>
            {t('kit.cancel')}
          </Button>
          <Button type="submit" disabled={reason.trim() === ''}>
            {t('users.hold.verb')}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
