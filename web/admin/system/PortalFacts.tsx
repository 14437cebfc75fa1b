import { type FormEvent, type ReactNode, useState } from 'react'
import type { Source } from '#contract/models.ts'
import type { SystemInfo } from '#contract/statistics.ts'
import type { CommonStatus, Portal } from '#contract/status.ts'
import { useModelName } from '#web/foundation/portal.ts'
import { formatDateTime } from '#web/foundation/times.ts'
import { formatBytes } from '#web/i18n/fill.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { Tag } from '#web/kit/Tag.tsx'
import styles from './system.module.css'
import { Button, TextInput } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { useQueryClient } from '@tanstack/react-query'
import { readModelsAgain } from '#contract/configuration/configuration.ts'
import { saveSettings } from '#contract/configuration/credentials.ts'
import { baseAddressOf } from '#contract/settings.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { toast } from '#web/foundation/toasts.ts'
import { Note } from '#web/kit/Note.tsx'
import { SecretInput } from '#web/kit/SecretInput.tsx'
import { TerminalLines } from '#web/kit/TerminalLines.tsx'
import page from '#web/admin/shell/page.module.css'

type PortalFactsProps = { portal: Portal; info: SystemInfo | undefined; status: CommonStatus | undefined }

/** Facts about the portal and the machine that it runs on. */
export function PortalFacts({ portal, info, status }: PortalFactsProps) {
  const t = useTranslate()
  const language = useLanguage()
  const nameOf = useModelName()
  const isEnabled = (source: Source) => portal.sources.some(entry => entry.source === source && entry.enabled)
  const models = portal.models
    .filter(({ source }) => isEnabled(source))
    .map(({ source, code }) => `${t(`sources.${source}`)} ${nameOf(code)}`)
  return (
    <section className={styles.card}>
      <h2>
        {t('system.portal')}
        {portal.demonstration && <Tag tone="amber">{t('system.demonstration.tag')}</Tag>}
      </h2>
      <dl className={styles.facts}>
        {status !== undefined && (
          <>
            <Fact name={t('system.replies')}>
              {status.is_chatbot_busy ? t('system.busy', { count: status.chatbot_waiting_count }) : t('system.free')}
            </Fact>
            <Fact name={t('system.gpt4')}>{t('system.times', { count: status.gpt4_count_in_3_hours })}</Fact>
          </>
        )}
        {info !== undefined && (
          <Fact name={t('system.since')}>{formatDateTime(new Date(info.startup_time * 1000), language)}</Fact>
        )}
        <Fact name={t('system.version')}>{portal.version}</Fact>
        {info !== undefined && (
          <Fact name={t('system.database')}>
            {info.database.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}
            {info.database.bytes !== null && <span>{formatBytes(info.database.bytes, language)}</span>}
          </Fact>
        )}
        {info !== undefined && info.disk !== null && <DiskFact disk={info.disk} />}
        <Fact name={t('system.zone')}>{portal.time_zone}</Fact>
        <Fact name={t('system.sources')}>
          {portal.sources.map(({ source, enabled }) => (
            <span key={source}>
              {t(`sources.${source}`)}{' '}
              <Tag tone={enabled ? 'green' : 'plain'}>{t(enabled ? 'system.source.on' : 'system.source.off')}</Tag>
            </span>
          ))}
        </Fact>
        <Fact name={t('system.models')}>
          {models.length === 0 ? t('system.none') : models.map(model => <span key={model}>{model}</span>)}
        </Fact>
      </dl>
    </section>
  )
}

/** The share of the disk from which on it is shown as full. */
const FULL_FROM = 0.9

function DiskFact({ disk: { free_bytes, total_bytes } }: { disk: { free_bytes: number; total_bytes: number } }) {
  const t = useTranslate()
  const used = total_bytes === 0 ? 0 : 1 - free_bytes / total_bytes
  return (
    <Fact name={t('system.disk')}>
      <progress
        className={styles.disk}
        data-full={used > FULL_FROM || undefined}
        value={used}
        aria-label={t('system.disk')}
      />
      {t('system.diskFree', { free_bytes, total_bytes })}
      {used > FULL_FROM && <Tag tone="amber">{t('system.diskFull')}</Tag>}
    </Fact>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

/** While the built-in simulator answers: says so, and connects a real upstream. */
export function ConnectCard() {
  const t = useTranslate()
  return (
    <>
      <Note tone="green" title={t('system.demonstration')}>
        {t('system.demonstration.why')}
      </Note>
      <section className={page.card}>
        <h2>{t('system.connect')}</h2>
        <ConnectForm />
        <details className={page.how}>
          <summary>{t('system.connect.other')}</summary>
          <p>{t('system.connect.key')}</p>
          <TerminalLines text="OPENAI_API_KEY=sk-... npm start" />
          <p>{t('system.connect.url')}</p>
          <TerminalLines text="OPENAI_BASE_URL=http://127.0.0.1:11434/v1/ npm start" />
          <p>{t('system.connect.models')}</p>
        </details>
      </section>
    </>
  )
}

function ConnectForm() {
  const t = useTranslate()
  const { address, key, mistake, pending, change, submit } = useConnect()
  return (
    <form className={page.form} onSubmit={submit} noValidate>
      <TextInput
        type="url"
        label={t('system.connect.address')}
        description={t('system.connect.address.help')}
        placeholder="https://api.openai.com/v1/"
        value={address}
        error={mistake}
        onChange={event => change({ address: event.currentTarget.value })}
      />
      <SecretInput
        label={t('system.connect.secret')}
        description={t('system.connect.secret.help')}
        autoComplete="off"
        value={key}
        onChange={event => change({ key: event.currentTarget.value })}
      />
      <div>
        <Button type="submit" loading={pending} disabled={address.trim() === '' && key.trim() === ''}>
          {t('system.connect.verb')}
        </Button>
      </div>
    </form>
  )
}

/** Stores an address, a key, or both: the key is bound to the address that comes with it. */
function useConnect() {
  const t = useTranslate()
  const queries = useQueryClient()
  const [form, setForm] = useState({ address: '', key: '' })
  const [mistake, setMistake] = useState<string | null>(null)
  const [pending, setPending] = useState(false)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const address = form.address.trim()
    const key = form.key.trim()
    if (address !== '' && baseAddressOf(address) === null) return setMistake(t('system.connect.wrong'))
    setPending(true)
    try {
      await call(saveSettings, {
        body: {
          ...(address !== '' && { openai_api: { openai_base_url: address } }),
          ...(key !== '' && { credentials: { openai_api_key: key } }),
        },
      })
      toast.success(t('system.connect.done'))
      await queries.invalidateQueries({ queryKey: ['portal'] })
      // Its models are listed a moment later. An endpoint may list none or not run yet; then the models above stay on
      // offer.
      void call(readModelsAgain, {}).then(
        () => queries.invalidateQueries({ queryKey: ['portal'] }),
        () => undefined,
      )
    } catch (error) {
      reportFailure(error)
    } finally {
      setPending(false)
    }
  }

  const change = (changes: Partial<typeof form>) => {
    setForm({ ...form, ...changes })
    setMistake(null)
  }
  return { ...form, mistake, pending, change, submit }
}
