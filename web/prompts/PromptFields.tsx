import { Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { MAX_PROMPT_LENGTH } from '#contract/prompts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import type { WrongTexts } from './promptForm.ts'
import type { PromptTexts } from './prompts.ts'
import styles from './fields.module.css'

type FieldsProps = { typed: PromptTexts; wrong: WrongTexts; onChange(changes: Partial<PromptTexts>): void }

/** Name, short name and text of a prompt. */
export function PromptFields({ typed, wrong, onChange }: FieldsProps) {
  const t = useTranslate()
  return (
    <>
      <div className={styles.names}>
        <TextInput
          label={t('prompts.name')}
          data-testid="prompt-name"
          data-autofocus
          autoComplete="off"
          maxLength={80}
          value={typed.name}
          error={wrong.name}
          onChange={event => onChange({ name: event.currentTarget.value })}
        />
        <TextInput
          label={t('prompts.shortName')}
          data-testid="prompt-short-name"
          leftSection={<span aria-hidden>/</span>}
          leftSectionWidth={24}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={32}
          value={typed.short_name}
          error={wrong.short_name}
          onChange={event => onChange({ short_name: event.currentTarget.value })}
        />
      </div>
      <Textarea
        autosize
        minRows={4}
        maxRows={12}
        label={t('prompts.text')}
        description={t('prompts.textHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data-testid="prompt-text"
        maxLength={MAX_PROMPT_LENGTH}
        value={typed.text}
        error={wrong.text}
        onChange={event => onChange({ text: event.currentTarget.value })}
      />
    </>
  )
}
