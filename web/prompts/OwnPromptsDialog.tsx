import { Button, FileButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Prompt } from '#contract/prompts.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { saveFile } from '#web/foundation/saveFile.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { confirm } from '#web/kit/DialogHost.tsx'
import { IconButton } from '#web/kit/IconButton.tsx'
import { IconDownload, IconPencil, IconPlus, IconTrash, IconUpload } from '#web/kit/icons.ts'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import { Note } from '#web/kit/Note.tsx'
import { PromptEditor } from './PromptDialog.tsx'
import { promptFile } from './promptFile.ts'
import { promptsQuery, removePrompt } from './prompts.ts'
import { useImport } from './useImport.ts'
import styles from './fields.module.css'

const NEW = { id: null, name: '', short_name: '', text: '' }

/** One's own prompts: to edit, remove, and to take along as a file. */
export function OwnPromptsDialog({ onClose }: { onClose(): void }) {
  const t = useTranslate()
  const { data, error, refetch } = useQuery({ ...promptsQuery, meta: { quiet: 'whileEmpty' } })
  const [edited, setEdited] = useState<(Pick<Prompt, 'name' | 'short_name' | 'text'> & { id: number | null }) | null>(
    null,
  )
  const own = data?.filter(({ is_shared }) => !is_shared)
  if (edited !== null) {
    const { id, ...given } = edited
    return <PromptEditor key="form" id={id} given={given} onClose={onClose} onBack={() => setEdited(null)} />
  }
  return (
    <Dialog key="list" title={t('prompts.mine')} width={600} onClose={onClose}>
      {data === undefined && error === null && <p role="status">{t('kit.loading')}</p>}
      {error !== null && <NotLoaded error={error} onRetry={refetch} />}
      {own !== undefined && <OwnList own={own} onEdit={setEdited} onNew={() => setEdited(NEW)} />}
    </Dialog>
  )
}

type ListProps = { own: readonly Prompt[]; onEdit(prompt: Prompt): void; onNew(): void }

function OwnList({ own, onEdit, onNew }: ListProps) {
  const t = useTranslate()
  const { outcome, pending, take } = useImport(own)
  return (
    <>
      {outcome !== null && (
        <Note tone={outcome.tone} title={outcome.text}>
          {outcome.why}
        </Note>
      )}
      {own.length === 0 ? (
        <p className={styles.none}>{t('prompts.noneYet')}</p>
      ) : (
        <ul className={styles.rows} aria-label={t('prompts.mine')} data-testid="own-prompts">
          {own.map(prompt => (
            <OwnRow key={prompt.id} prompt={prompt} onEdit={() => onEdit(prompt)} />
          ))}
        </ul>
      )}
      <div className={styles.actions}>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconDownload size={16} aria-hidden />}
          disabled={own.length === 0}
          onClick={() => saveFile('prompts.json', promptFile(own))}
        >
          {t('prompts.export')}
        </Button>
        <FileButton accept=".json,application/json" onChange={file => file && void take(file)}>
          {props => (
            <Button
              {...props}
              variant="subtle"
              color="gray"
              leftSection={<IconUpload size={16} aria-hidden />}
              loading={pending}
            >
              {t('prompts.import')}
            </Button>
          )}
        </FileButton>
        <span className={styles.hint} />
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={onNew}>
          {t('prompts.new')}
        </Button>
      </div>
    </>
  )
}

function OwnRow({ prompt, onEdit }: { prompt: Prompt; onEdit(): void }) {
  const t = useTranslate()
  const { id, name, short_name, text } = prompt
  const remove = async () => {
    if (!(await confirm({ title: t('prompts.removeAsk', { name }), verb: t('prompts.removeVerb'), danger: true })))
      return
    try {
      await removePrompt(id)
    } catch (error) {
      reportFailure(error)
    }
  }
  return (
    <li className={styles.row}>
      <span className={styles.facts}>
        <span dir="auto">
          {name}
          <code>/{short_name}</code>
        </span>
        <small dir="auto">{text.trimStart().slice(0, 200)}</small>
      </span>
      <span className={styles.rowActions}>
        <IconButton label={t('prompts.editOne', { name })} onClick={onEdit}>
          <IconPencil size={16} aria-hidden />
        </IconButton>
        <IconButton label={t('prompts.removeOne', { name })} onClick={() => void remove()}>
          <IconTrash size={16} aria-hidden />
        </IconButton>
      </span>
    </li>
  )
}
