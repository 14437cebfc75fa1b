import { Button, Checkbox, Switch, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { createPrompt, type Prompt, promptBlanks, updatePrompt } from '#contract/prompts.ts'
import { AskBeforeLeaving } from '#web/admin/form/AskBeforeLeaving.tsx'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { confirm } from '#web/kit/DialogHost.tsx'
import { PromptFields } from '#web/prompts/PromptFields.tsx'
import { usePromptForm } from '#web/prompts/promptForm.ts'
import { promptsQuery, removePrompt } from '#web/prompts/prompts.ts'
import { Drawer } from '../drawer/Drawer.tsx'
import styles from './prompts.module.css'

const EMPTY: Shared = { name: '', short_name: '', text: '', blanks: {}, is_active: true }
const OPEN: Blank = { value: '', is_required: true }

type Blank = Prompt['blanks'][string]
type Shared = Pick<Prompt, 'name' | 'short_name' | 'text' | 'blanks' | 'is_active'>
type DrawerProps = {
  /** Null for a new one. */
  prompt: Prompt | null
  onClose(): void
}

/** A prompt that everybody can use: its texts, and what is filled in of its blanks. */
export function SharedPromptDrawer({ prompt, onClose }: DrawerProps) {
  const t = useTranslate()
  const { name, short_name, text, blanks, is_active } = prompt ?? EMPTY
  const stored: Shared = { name, short_name, text, blanks, is_active }
  const { typed, wrong, pending, change, submit } = usePromptForm(stored, async texts => {
    const body = { ...texts, blanks: blanksOf(texts) }
    if (prompt === null) await call(createPrompt, { body: { ...body, is_shared: true } })
    else await call(updatePrompt, { params: { id: String(prompt.id) }, body })
    await queryClient.invalidateQueries(promptsQuery)
    toast.success(t('sharedPrompts.saved', { name: texts.name.trim() }))
    onClose()
  })
  const isChanged = JSON.stringify(typed) !== JSON.stringify(stored)
  const head = {
    title: prompt?.name ?? t('sharedPrompts.add'),
    context: prompt?.uses && prompt.uses.count > 0 ? t('sharedPrompts.usedThisMonth', prompt.uses) : undefined,
    isNew: prompt === null,
  }
  return (
    <Drawer head={head} onClose={onClose}>
      <form className={styles.form} noValidate onSubmit={event => void submit(event)}>
        <AskBeforeLeaving count={isChanged && !pending ? 1 : 0} />
        <PromptFields typed={typed} wrong={wrong} onChange={change} />
        <Blanks text={typed.text} blanks={typed.blanks} onChange={blanks => change({ blanks })} />
        <Switch
          label={t('sharedPrompts.active')}
          checked={typed.is_active}
          onChange={event => change({ is_active: event.currentTarget.checked })}
        />
        <div className={styles.actions}>
          {prompt !== null && <RemoveButton prompt={prompt} onRemoved={onClose} />}
          <Button size="xs" variant="subtle" color="gray" onClick={() => change(stored)} disabled={!isChanged}>
            {t('drawer.discard')}
          </Button>
          <Button size="xs" type="submit" loading={pending} disabled={!isChanged} data-testid="save-prompt">
            {t('drawer.save')}
          </Button>
        </div>
      </form>
    </Drawer>
  )
}

/** Of blanks that the text has. */
const blanksOf = ({ text, blanks }: Pick<Shared, 'text' | 'blanks'>): Record<string, Blank> =>
  Object.fromEntries(promptBlanks(text).map(name => [name, blanks[name] ?? OPEN]))

type BlanksProps = Pick<Shared, 'text' | 'blanks'> & { onChange(blanks: Shared['blanks']): void }

function Blanks({ text, blanks, onChange }: BlanksProps) {
  const t = useTranslate()
  const names = promptBlanks(text)
  if (names.length === 0) return null
  return (
    <div className={styles.blanks} role="group" aria-label={t('sharedPrompts.blanks')}>
      {names.map(name => {
        const blank = blanks[name] ?? OPEN
        const set = (changes: Partial<Blank>) => onChange({ ...blanks, [name]: { ...blank, ...changes } })
        return (
          <div key={name}>
            <code dir="auto">[{name}]</code>
            <TextInput
              size="xs"
              aria-label={t('sharedPrompts.valueOf', { name })}
              placeholder={t('sharedPrompts.open')}
              maxLength={500}
              value={blank.value}
              onChange={event => set({ value: event.currentTarget.value })}
            />
            {blank.value === '' ? (
              <Checkbox
                size="xs"
                label={t('sharedPrompts.required')}
                checked={blank.is_required}
                onChange={event => set({ is_required: event.currentTarget.checked })}
              />
            ) : (
              <small>{t('sharedPrompts.filled')}</small>
            )}
          </div>
        )
      })}
    </div>
  )
}

function RemoveButton({ prompt: { id, name }, onRemoved }: { prompt: Prompt; onRemoved(): void }) {
  const t = useTranslate()
  const remove = async () => {
    const question = { title: t('sharedPrompts.removeAsk', { name }), verb: t('sharedPrompts.remove'), danger: true }
    if (!(await confirm(question))) return
    try {
      await removePrompt(id)
      onRemoved()
    } catch (error) {
      reportFailure(error)
    }
  }
  return (
    <Button size="xs" variant="subtle" color="red" className={styles.remove} onClick={() => void remove()}>
      {t('sharedPrompts.remove')}
    </Button>
  )
}
