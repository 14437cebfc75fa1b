import { Button, TextInput } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { type FormEvent, useState } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog, DialogFooter } from './Dialog.tsx'

export type Confirmation = {
  title: string
  text?: string
  /** Repeated on the button: "删除对话", never "确定". */
  verb: string
  danger?: boolean
  cancel?: string
  /** A name that must be typed first, for what cannot be undone. */
  typed?: string
}

type ConfirmDialogProps = { question: Confirmation; onAnswer(confirmed: boolean): void }

export function ConfirmDialog({ question, onAnswer }: ConfirmDialogProps) {
  const t = useTranslate()
  const { title, text, verb, danger = false, cancel = t('kit.cancel'), typed = '' } = question
  const [name, setName] = useState('')
  const isConfirmed = name.trim() === typed
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isConfirmed) onAnswer(true)
  }
  return (
    <Dialog title={title} width={420} onClose={() => onAnswer(false)}>
      <form onSubmit={submit}>
        {text !== undefined && <p>{text}</p>}
        {typed !== '' && (
          <TextInput
            mt="md"
            label={t('kit.typeName', { name: typed })}
            value={name}
            autoComplete="off"
            data-autofocus
            onChange={event => setName(event.currentTarget.value)}
          />
        )}
        <DialogFooter>
          <Button
            variant="subtle"
            color="gray"
            data-autofocus={(danger && typed === '') || undefined}
            onClick={() => onAnswer(false)}
          >
            {cancel}
          </Button>
          <Button
            type="submit"
            color={danger ? 'red' : 'green'}
            data-autofocus={!danger || undefined}
            disabled={!isConfirmed}
          >
            {verb}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
