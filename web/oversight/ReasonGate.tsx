import { Button, Textarea } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { type FormEvent, useId, useState } from 'react'
import {
  MAX_OVERSIGHT_TEXT,
  openOversight,
  OVERSIGHT_MINUTES,
  OVERSIGHT_REASONS,
  type OversightReason,
} from '#contract/oversight.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog, DialogFooter } from '#web/kit/Dialog.tsx'
import { Note } from '#web/kit/Note.tsx'
import styles from './oversight.module.css'

/** In place of somebody else's conversation, until its administrator has given a reason. */
export function ReasonGate({ id, onOpened }: { id: string; onOpened(): void }) {
  const t = useTranslate()
  const [asking, setAsking] = useState(false)
  return (
    <div className={styles.gate} data-testid="oversight-gate">
      <Note
        title={t('oversight.closed')}
        actions={
          <Button variant="default" size="xs" onClick={() => setAsking(true)}>
            {t('oversight.open')}
          </Button>
        }
      >
        {t('oversight.closed.text')}
      </Note>
      {asking && <ReasonDialog id={id} onOpened={onOpened} onClose={() => setAsking(false)} />}
    </div>
  )
}

type ReasonDialogProps = { id: string; onOpened(): void; onClose(): void }

function ReasonDialog({ id, onOpened, onClose }: ReasonDialogProps) {
  const t = useTranslate()
  const [reason, setReason] = useState<OversightReason>('asked')
  const [text, setText] = useState('')
  const [pending, setPending] = useState(false)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setPending(true)
    try {
      await call(openOversight, { params: { id }, body: { reason, text: text.trim() } })
      onClose()
      onOpened()
    } catch (error) {
      setPending(false)
      reportFailure(error)
    }
  }
  return (
    <Dialog title={t('oversight.ask')} onClose={onClose}>
      <form className={styles.form} onSubmit={event => void send(event)}>
        <p>{t('oversight.ask.text')}</p>
        <Reasons chosen={reason} onChoose={setReason} />
        <Textarea
          label={t('oversight.text')}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={MAX_OVERSIGHT_TEXT}
          value={text}
          data-autofocus
          onChange={event => setText(event.currentTarget.value)}
        />
        <p className={styles.hint}>{t('oversight.until', { count: OVERSIGHT_MINUTES })}</p>
        <DialogFooter>
          <Button variant="subtle" color="gray" onClick={onClose}>
            {t('kit.cancel')}
          </Button>
          <Button type="submit" disabled={text.trim() === ''} loading={pending}>
            {t('oversight.verb')}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}

function Reasons({ chosen, onChoose }: { chosen: OversightReason; onChoose(reason: OversightReason): void }) {
  const t = useTranslate()
  const name = useId()
  return (
    <fieldset className={styles.reasons}>
      <legend>{t('oversight.reason')}</legend>
      <div>
        {OVERSIGHT_REASONS.map(reason => (
          <label key={reason}>
            <input type="radio" name={name} checked={reason === chosen} onChange={() => onChoose(reason)} />
            <span>{t(`oversight.kind.${reason}`)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
