import { useQueryClient } from '@tanstack/react-query'
import { isKnownJob, type JobRead, startJob, stopJob } from '#contract/jobs.ts'
import { jobsKey, useJobs } from '#web/admin/shell/useJobs.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { formatDateTime } from '#web/foundation/times.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { useLanguage, useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { BreathingDot, UsageDots } from '#web/kit/Dots.tsx'
import { IconDots } from '#web/kit/icons.ts'
import { MenuButton } from '#web/kit/MenuButton.tsx'
import styles from './system.module.css'

/** The jobs of the portal: their last and next runs. */
export function Jobs() {
  const t = useTranslate()
  const jobs = useJobs()
  if (jobs === undefined || jobs.length === 0) return null
  return (
    <section className={styles.card}>
      <h2>{t('system.jobs')}</h2>
      <ul className={styles.rows}>
        {jobs.map(job => (
          <JobRow key={`${job.name} ${job.key}`} job={job} />
        ))}
      </ul>
    </section>
  )
}

function JobRow({ job }: { job: JobRead }) {
  const t = useTranslate()
  const failure = useFailureText(job)
  return (
    <li className={styles.row} data-testid="job">
      <span className={styles.rowName}>
        <b>{jobName(job.name, t)}</b>
        {failure !== null && <span className={styles.failure}>{failure}</span>}
      </span>
      <JobState job={job} />
      <JobMenu job={job} />
    </li>
  )
}

function jobName(name: string, t: Translate): string {
  return isKnownJob(name) ? t(`jobs.${name}`) : name
}

function JobState({ job: { state, done, total, last_run } }: { job: JobRead }) {
  const t = useTranslate()
  const language = useLanguage()
  if (state === 'running' || state === 'stopping')
    return (
      <span className={styles.rowState}>
        <BreathingDot />
        {t(`system.job.${state}`)}
        {done !== null && total !== null && total > 0 && <span>{`${done} / ${total}`}</span>}
      </span>
    )
  if (last_run === null) return <span className={styles.rowState}>{t('system.job.never')}</span>
  const { outcome, end_time } = last_run
  return (
    <span className={styles.rowState} data-outcome={outcome}>
      <UsageDots dots={['free']} />
      {t(`system.job.${outcome}`, { time: formatDateTime(new Date(end_time), language) })}
    </span>
  )
}

/** Why the last run failed, in words. */
function useFailureText({ last_run }: JobRead): string | null {
  const say = useTranslateMessage()
  const failure = last_run?.failure ?? null
  if (failure === null) return null
  return failure.message === null ? failure.text : say(failure.message, failure.values)
}

function JobMenu({ job: { name, key, every, state } }: { job: JobRead }) {
  const t = useTranslate()
  const queries = useQueryClient()
  const make = async (change: () => Promise<unknown>) => {
    try {
      await change()
    } catch (error) {
      reportFailure(error)
    } finally {
      await queries.invalidateQueries({ queryKey: jobsKey })
    }
  }
  const goesOn = state === 'running' || state === 'waiting'
  if (!goesOn && every === null) return <span className={styles.noMore} />
  return (
    <MenuButton
      label={t('system.job.menu', { name: jobName(name, t) })}
      className={styles.more}
      entries={
        state === 'running'
          ? [
              {
                label: t('system.job.stop'),
                run: () => void make(() => call(stopJob, { params: { name }, query: { key } })),
              },
            ]
          : [{ label: t('system.job.start'), run: () => void make(() => call(startJob, { params: { name } })) }]
      }
    >
      <IconDots size={16} aria-hidden />
    </MenuButton>
  )
}
