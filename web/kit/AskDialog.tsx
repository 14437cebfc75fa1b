import { Button, TextInput } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { type FormEvent, useState } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog, DialogFooter } from './Dialog.tsx'
import { answerDialog, type OpenDialog } from './dialogs.ts'

/** The question that `confirm` has opened. */
export function AskDialog({ dialog }: { dialog: OpenDialog }) {
  const t = useTranslate()
  const { title, text, verb, danger = false, cancel = t('kit.cancel'), typed = '' } = dialog.question
  const [name, setName] = useState('')
  const isSure = name.trim() === typed
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isSure) answerDialog(true)
  }
  return (
    <Dialog title={title} width={420} onClose={() => answerDialog(false)}>
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
            onClick={() => answerDialog(false)}
          >
            {cancel}
          </Button>
          <Button
            type="submit"
            color={danger ? 'red' : 'green'}
            data-autofocus={!danger || undefined}
            disabled={!isSure}
          >
            {verb}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
