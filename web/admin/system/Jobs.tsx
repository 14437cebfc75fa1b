import { useQueryClient } from '@tanstack/react-query'
import { goOnWithJob, isKnownJob, type JobRead, startJob, stopJob } from '#contract/jobs.ts'
import { jobsKey, useJobs } from '#web/admin/shell/useJobs.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { formatDateTime } from '#web/foundation/times.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { useLanguage, useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { BreathingDot, UsageDots } from '#web/kit/Dots.tsx'
import { IconDots } from '#web/kit/icons.ts'
import { IconMenuButton } from '#web/kit/MenuButton.tsx'
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
        {jobs.filter(isShown).map(job => (
          <JobRow key={`${job.name} ${job.key}`} job={job} />
        ))}
      </ul>
    </section>
  )
}

/** Of runs that have nothing left to do, the latest of each name: they come in that order. */
function isShown(job: JobRead, at: number, jobs: readonly JobRead[]): boolean {
  const isOver = ({ state, may_go_on }: JobRead) => state === 'idle' && !may_go_on
  return !isOver(job) || jobs.findIndex(other => other.name === job.name && isOver(other)) === at
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

function JobState({ job: { state, done, total, last_run, may_go_on } }: { job: JobRead }) {
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
  const reached = may_go_on && last_run.done !== null && last_run.total !== null
  return (
    <span className={styles.rowState} data-outcome={outcome}>
      <UsageDots dots={['free']} />
      {t(`system.job.${outcome}`, { time: formatDateTime(new Date(end_time), language) })}
      {reached && <span>{`${last_run.done} / ${last_run.total}`}</span>}
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

function JobMenu({ job }: { job: JobRead }) {
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
  const { name } = job
  const action = actionOf(job, t)
  if (action === null) return <span className={styles.noMore} />
  return (
    <IconMenuButton
      label={t('system.job.menu', { name: jobName(name, t) })}
      className={styles.more}
      entries={[{ label: action.label, run: () => void make(action.run) }]}
    >
      <IconDots size={16} aria-hidden />
    </IconMenuButton>
  )
}

/**
 * What can be done about it, if anything: one that runs again and again waits for its next time, any other for its turn
 * or another attempt.
 */
function actionOf({ name, key, every, state, may_go_on }: JobRead, t: Translate) {
  const params = { name }
  if (state === 'running' || (state === 'waiting' && every === null))
    return { label: t('system.job.stop'), run: () => call(stopJob, { params, query: { key } }) }
  if (may_go_on) return { label: t('system.job.goOn'), run: () => call(goOnWithJob, { params, query: { key } }) }
  return every === null || state === 'stopping'
    ? null
    : { label: t('system.job.start'), run: () => call(startJob, { params }) }
}
