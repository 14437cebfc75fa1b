import { Button, Switch, Textarea } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_OWN_INSTRUCTIONS, type OwnInstructions } from '#contract/instructions.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { useLeaving } from '#web/kit/leaving.ts'
import { keepOwnInstructions, ownInstructionsQuery, tokensOfOwn } from './instructions.ts'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import styles from './instructions.module.css'

const LEAVING = { question: 'instructions.leave', verb: 'instructions.discard' } as const

/** The same in a dialog of its own. Leaving with changes asks. */
export function OwnInstructionsDialog({ onClose }: { onClose(): void }) {
  const t = useTranslate()
  const { leave, setChanged } = useLeaving(LEAVING)
  return (
    <Dialog title={t('instructions.profile')} width={600} onClose={() => leave(onClose)}>
      <OwnInstructionsForm onChanged={setChanged} />
    </Dialog>
  )
}

/** What models are told of oneself. `onChanged`: whether there is something that is not saved. */
export function OwnInstructionsForm({ onChanged }: { onChanged(changed: boolean): void }) {
  const { data, error, isFetching, refetch } = useQuery(ownInstructionsQuery)
  if (data === undefined) return error === null ? null : <NotLoaded error={error} busy={isFetching} onRetry={refetch} />
  const { portal: _, ...stored } = data
  return <Fields key={JSON.stringify(stored)} stored={stored} onChanged={onChanged} />
}

function Fields({ stored, onChanged }: { stored: OwnInstructions; onChanged(changed: boolean): void }) {
  const t = useTranslate()
  const [typed, setTyped] = useState(stored)
  const [pending, setPending] = useState(false)
  const change = (changes: Partial<OwnInstructions>) => {
    const next = { ...typed, ...changes }
    setTyped(next)
    onChanged(JSON.stringify(next) !== JSON.stringify(stored))
  }
  const isChanged = JSON.stringify(typed) !== JSON.stringify(stored)
  const save = async () => {
    setPending(true)
    try {
      await keepOwnInstructions({
        ...typed,
        about_me: typed.about_me.trim(),
        how_to_answer: typed.how_to_answer.trim(),
      })
      onChanged(false)
      toast.success(t('instructions.saved'))
    } catch (error) {
      reportFailure(error)
    } finally {
      setPending(false)
    }
  }
  return (
    <form
      className={styles.own}
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      <TextRow name="aboutMe" value={typed.about_me} onChange={about_me => change({ about_me })} />
      <TextRow name="howToAnswer" value={typed.how_to_answer} onChange={how_to_answer => change({ how_to_answer })} />
      <Switch
        labelPosition="left"
        styles={{ body: { justifyContent: 'space-between' } }}
        label={t('instructions.isOn')}
        description={t('instructions.isOn.help')}
        checked={typed.is_on}
        onChange={event => change({ is_on: event.currentTarget.checked })}
      />
      <div className={styles.formActions}>
        <span className={styles.hint}>{t('instructions.ownTotal', { tokens: tokensOfOwn(typed) })}</span>
        <Button variant="subtle" color="gray" disabled={!isChanged} onClick={() => change(stored)}>
          {t('instructions.discard')}
        </Button>
        <Button type="submit" loading={pending} disabled={!isChanged}>
          {t('kit.save')}
        </Button>
      </div>
    </form>
  )
}

type TextProps = { name: 'aboutMe' | 'howToAnswer'; value: string; onChange(value: string): void }

function TextRow({ name, value, onChange }: TextProps) {
  const t = useTranslate()
  return (
    <div>
      <Textarea
        autosize
        minRows={3}
        maxRows={12}
        label={t(`instructions.${name}`)}
        maxLength={MAX_OWN_INSTRUCTIONS}
        value={value}
        onChange={event => onChange(event.currentTarget.value)}
      />
      <div className={styles.counter}>
        <span>{t(`instructions.${name}.help`)}</span>
        <span>{t('instructions.characters', { count: value.length, most: MAX_OWN_INSTRUCTIONS })}</span>
      </div>
    </div>
  )
}
