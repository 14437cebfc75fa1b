import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { checkUpstreamAccounts } from '#contract/upstreamAccounts.ts'
import { changeUpstream, type UpstreamRead } from '#contract/upstreams.ts'
import { saveSettings } from '#contract/configuration/credentials.ts'
import { formatDate, formatDateTime, useNow } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { IconAlertTriangle, IconCheck } from '#web/kit/icons.ts'
import { call, RefusedCall } from '#web/foundation/call.ts'
import { failureText, reportFailure } from '#web/foundation/failures.ts'
import { keepUpstream, knownUpstream, refreshUpstreams } from '#web/admin/upstreams/state/queries.ts'
import { DrawerFact, DrawerSection } from '../../../../admin/drawer/rows.tsx'
import panel from '../../../../admin/drawer/testPanel.module.css'
import { expiryOf } from '#web/admin/upstreams/state/condition.ts'
import styles from './accounts.module.css'
import { onlyTeam, type Plan, plansOf } from './plans.ts'

/** The token of a web account: when it ends, which accounts it has, and which of them is the team. */
export function AccountsPanel({ upstream }: { upstream: UpstreamRead }) {
  const t = useTranslate()
  const { pending, checked, check, setTeam } = useAccountCheck(upstream)
  const { team_account_id } = upstream
  const failed = checked !== null && 'failure' in checked
  return (
    <DrawerSection title={t('upstreams.accounts')}>
      <TokenEnd upstream={upstream} />
      <DrawerFact label={t('upstreams.team')}>
        <span className={styles.team}>
          {team_account_id ?? t('upstreams.team.none')}
          {team_account_id !== null && (
            <Button size="xs" variant="subtle" color="gray" disabled={pending} onClick={() => setTeam(null)}>
              {t('upstreams.team.clear')}
            </Button>
          )}
        </span>
      </DrawerFact>
      <div className={panel.test} role={failed ? 'alert' : 'status'} data-testid="account-check">
        <div className={panel.testHead}>
          <b>{t(headOf(checked))}</b>
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            loading={pending}
            data-testid="check-accounts"
            onClick={() => void check()}
          >
            {t('upstreams.accounts.check')}
          </Button>
        </div>
        {checked === null ? (
          <p className={panel.untried}>{t('upstreams.accounts.how')}</p>
        ) : (
          <ol>
            {'failure' in checked ? (
              <li data-outcome="failed">
                <IconAlertTriangle size={16} aria-hidden />
                <span>{checked.failure}</span>
              </li>
            ) : (
              checked.plans.map(plan => (
                <PlanRow key={plan.id} plan={plan} isChosen={plan.id === team_account_id} onChoose={setTeam} />
              ))
            )}
          </ol>
        )}
      </div>
    </DrawerSection>
  )
}

function headOf(checked: ReturnType<typeof useAccountCheck>['checked']) {
  if (checked === null) return 'upstreams.accounts.unknown'
  return 'failure' in checked ? 'upstreams.accounts.failed' : 'upstreams.accounts.known'
}

const CLASS_OF_END = { later: undefined, soon: styles.warned, over: styles.lost }

function TokenEnd({ upstream }: { upstream: UpstreamRead }) {
  const t = useTranslate()
  const language = useLanguage()
  const expiry = expiryOf(upstream, useNow())
  if (expiry === null) return null
  const time = formatDateTime(new Date(expiry.time), language)
  return (
    <DrawerFact label={t('upstreams.token')}>
      <span data-testid="token-end" className={CLASS_OF_END[expiry.state]}>
        {t(`upstreams.token.${expiry.state}`, { time })}
      </span>
    </DrawerFact>
  )
}

type PlanRowProps = { plan: Plan; isChosen: boolean; onChoose(id: string): void }

/** Plan and role, the end, and whether it is the team in use. */
function PlanRow({ plan: { id, name, isTeam, state, expires, ...plan }, isChosen, onChoose }: PlanRowProps) {
  const t = useTranslate()
  const language = useLanguage()
  const planName = plan.plan === null ? plan.planName : t(`upstreams.plan.${plan.plan}`)
  const role = plan.role === null ? plan.roleName : t(`upstreams.role.${plan.role}`)
  const date = expires === null ? null : formatDate(new Date(expires), language)
  const end = state === 'deactivated' ? t('upstreams.plan.deactivated') : endOf(state)
  return (
    <li data-outcome={state === 'active' ? 'ok' : 'untried'} data-testid="plan">
      {state === 'active' ? <IconCheck size={16} aria-hidden /> : <i />}
      <span>
        <span>{[planName, name].filter(Boolean).join(' · ')}</span>
        <span className={panel.fact}>{[role, end].filter(Boolean).join(t('kit.comma'))}</span>
        {isTeam &&
          state === 'active' &&
          (isChosen ? (
            <span className={panel.fact}>{t('upstreams.team.chosen')}</span>
          ) : (
            <span>
              <Button size="compact-xs" variant="light" data-testid="choose-team" onClick={() => onChoose(id)}>
                {t('upstreams.team.choose')}
              </Button>
            </span>
          ))}
      </span>
    </li>
  )

  function endOf(current: 'active' | 'over'): string | null {
    if (date === null) return current === 'over' ? t('upstreams.plan.over') : null
    return t(current === 'over' ? 'upstreams.plan.overSince' : 'upstreams.plan.until', { date })
  }
}

type Checked = { plans: readonly Plan[] } | { failure: string }

/** Reads the accounts of a web account's token. When there is only one usable team and none is set, it is set. */
function useAccountCheck(upstream: UpstreamRead) {
  const client = useQueryClient()
  const [pending, setPending] = useState(false)
  const [checked, setChecked] = useState<Checked | null>(null)
  const current = () => knownUpstream(upstream.id) ?? upstream

  /** Where the team is locked it is a setting. */
  async function setTeam(team_account_id: string | null): Promise<void> {
    const [change, expected] = [{ team_account_id }, { team_account_id: current().team_account_id }]
    if (upstream.locked.includes('team_account_id')) {
      await call(saveSettings, { body: { openai_web: change, expected: { openai_web: expected } } })
      void client.invalidateQueries({ queryKey: ['configuration'] })
    } else {
      const params = { id: String(upstream.id) }
      keepUpstream(await call(changeUpstream, { params, body: { ...change, expected } }))
    }
    await refreshUpstreams()
  }

  const work = async (doWork: () => Promise<void>): Promise<void> => {
    setPending(true)
    try {
      await doWork()
    } catch (error) {
      reportFailure(error)
    } finally {
      setPending(false)
    }
  }

  return {
    pending,
    checked,
    setTeam: (id: string | null) => void work(() => setTeam(id)),
    check: () =>
      void work(async () => {
        try {
          const found = await call(checkUpstreamAccounts, { params: { id: String(upstream.id) } })
          const plans = plansOf(found, new Date())
          setChecked({ plans })
          const team = onlyTeam(plans)
          if (team !== null && current().team_account_id === null) await setTeam(team.id)
        } catch (error) {
          if (!(error instanceof RefusedCall)) throw error
          setChecked({ failure: failureText(error) })
        }
      }),
  }
}
