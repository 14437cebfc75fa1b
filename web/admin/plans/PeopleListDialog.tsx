import { Button, FileButton, Textarea } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { useState } from 'react'
import type { ResultOf } from '#contract/call.ts'
import { type ListedRow, movePeople } from '#contract/planPeople.ts'
import { listUserPage } from '#contract/userAdministration.ts'
import { call } from '#web/foundation/call.ts'
import { failureText } from '#web/foundation/failures.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { saveFile } from '#web/foundation/saveFile.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog, DialogFooter } from '#web/kit/Dialog.tsx'
import { Note } from '#web/kit/Note.tsx'
import { listKey } from '../table/useList.ts'
import styles from './plans.module.css'
import { plansQuery } from './values/plans.ts'

type Listed = ResultOf<typeof movePeople>
type Step = { at: 'text' } | { at: 'preview'; listed: Listed } | { at: 'done'; listed: Listed }

/** Puts the people of a list into plans: first what becomes of each row, then the passwords, this once. */
export function PeopleListDialog({ onClose }: { onClose(): void }) {
  const t = useTranslate()
  const [csv, setCsv] = useState('')
  const [step, setStep] = useState<Step>({ at: 'text' })
  const [pending, setPending] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const send = async (dry_run: boolean) => {
    setPending(true)
    setRefusal(null)
    try {
      const listed = await call(movePeople, { body: { csv, dry_run } })
      setStep({ at: dry_run ? 'preview' : 'done', listed })
      if (!dry_run) {
        void queryClient.invalidateQueries({ queryKey: listKey(listUserPage) })
        void queryClient.invalidateQueries(plansQuery)
      }
    } catch (error) {
      setRefusal(failureText(error))
    } finally {
      setPending(false)
    }
  }
  const isText = step.at === 'text'
  return (
    <Dialog width={600} title={t('people.title')} onClose={onClose} busy={pending}>
      <div className={styles.form}>
        {isText ? <ListText csv={csv} onChange={setCsv} /> : <ListedRows step={step} />}
        {refusal !== null && <Note tone="red" title={refusal} />}
      </div>
      <DialogFooter>
        {step.at === 'preview' && (
          <Button variant="subtle" color="gray" onClick={() => setStep({ at: 'text' })}>
            {t('plans.back')}
          </Button>
        )}
        {step.at === 'text' && (
          <Button
            loading={pending}
            disabled={csv.trim() === ''}
            data-testid="preview-list"
            onClick={() => void send(true)}
          >
            {t('people.preview')}
          </Button>
        )}
        {step.at === 'preview' && (
          <Button
            loading={pending}
            disabled={step.listed.created + step.listed.moved === 0}
            data-testid="run-list"
            onClick={() => void send(false)}
          >
            {t('people.run', { count: step.listed.created + step.listed.moved })}
          </Button>
        )}
        {step.at === 'done' && <DoneButtons rows={step.listed.rows} onClose={onClose} />}
      </DialogFooter>
    </Dialog>
  )
}

function ListText({ csv, onChange }: { csv: string; onChange(csv: string): void }) {
  const t = useTranslate()
  return (
    <>
      <Textarea
        data-autofocus
        label={t('people.label')}
        description={t('people.help')}
        autosize
        minRows={8}
        maxRows={16}
        placeholder={t('people.example')}
        value={csv}
        data-testid="people-csv"
        onChange={event => onChange(event.currentTarget.value)}
      />
      <div>
        <FileButton accept=".csv,text/csv,text/plain" onChange={file => void file?.text().then(onChange)}>
          {props => (
            <Button {...props} size="xs" variant="default">
              {t('people.file')}
            </Button>
          )}
        </FileButton>
      </div>
    </>
  )
}

/** Refused rows first: what is wrong with them is what has to be done. */
function ListedRows({ step }: { step: Exclude<Step, { at: 'text' }> }) {
  const t = useTranslate()
  const { rows, created, moved, same, refused } = step.listed
  const ordered = [
    ...rows.filter(({ outcome }) => outcome === 'refused'),
    ...rows.filter(row => row.outcome !== 'refused'),
  ]
  const isDone = step.at === 'done'
  return (
    <>
      <p className={styles.sum} role="status" data-testid="list-sum">
        {t(isDone ? 'people.done' : 'people.will', { created, moved, same, refused })}
      </p>
      {isDone && created > 0 && <p>{t('people.passwordsOnce')}</p>}
      <div className={styles.rows} tabIndex={0} role="region" aria-label={t('people.rows')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('people.line')}</th>
              <th scope="col">{t('people.name')}</th>
              <th scope="col">{t('people.email')}</th>
              <th scope="col">{t('admin.plan')}</th>
              <th scope="col">{t('people.outcome')}</th>
            </tr>
          </thead>
          <tbody>
            {ordered.map(row => (
              <tr key={row.line} data-testid="list-row" data-outcome={row.outcome}>
                <td>{row.line}</td>
                <td>{row.name}</td>
                <td>{row.email}</td>
                <td>{row.plan}</td>
                <td>
                  <Outcome row={row} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function Outcome({ row: { outcome, problem, username, password } }: { row: ListedRow }) {
  const t = useTranslate()
  if (problem !== null) return <span className={styles.bad}>{t(`people.problem.${problem}`)}</span>
  if (password === null) return t(`people.outcome.${outcome}`)
  return (
    <>
      {username} <code>{password}</code>
    </>
  )
}

function DoneButtons({ rows, onClose }: { rows: readonly ListedRow[]; onClose(): void }) {
  const t = useTranslate()
  const made = rows.filter(({ password }) => password !== null)
  return (
    <>
      {made.length > 0 && (
        <Button variant="default" data-testid="save-passwords" onClick={() => saveFile('passwords.csv', csvOf(made))}>
          {t('people.save')}
        </Button>
      )}
      <Button data-autofocus onClick={onClose}>
        {t('kit.close')}
      </Button>
    </>
  )
}

/** For spreadsheets: with a mark of its encoding, and nothing in it that one would compute. */
function csvOf(rows: readonly ListedRow[]): Blob {
  const cell = (text: string | null) => `"${(text ?? '').replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`
  const lines = rows.map(({ name, email, username, password, plan }) =>
    [name, email, plan, username]
      .map(cell)
      .concat(`"${password ?? ''}"`)
      .join(','),
  )
  return new Blob(['\uFEFF', ['name,email,plan,username,password', ...lines].join('\r\n')], { type: 'text/csv' })
}
