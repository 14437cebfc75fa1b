import { Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { useState } from 'react'
import { createInvitation, MAX_USES } from '#contract/invitations.ts'
import { DEFAULT_PLAN, type Plan } from '#contract/plans.ts'
import { UnitInput } from '#web/admin/drawer/rows.tsx'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { formatDate } from '#web/foundation/times.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog, DialogFooter } from '#web/kit/Dialog.tsx'
import { IconCheck, IconCopy } from '#web/kit/icons.ts'
import { useCopied } from '#web/kit/useCopied.ts'
import { invitationsQuery } from './invitations.ts'
import styles from './plans.module.css'
import { usePlanName } from './values/Origin.tsx'
import { inTree } from './values/plans.ts'

const DAYS = ['1', '7', '30', 'never'] as const
const DAY = 86_400_000

type Made = { link: string; end_time: string | null }

type InviteDialogProps = { plans: readonly Plan[]; onClose(): void }

/** Makes an invitation and shows its link, this once, with a text to send. */
export function InviteDialog({ plans, onClose }: InviteDialogProps) {
  const t = useTranslate()
  const [made, setMade] = useState<Made | null>(null)
  return (
    <Dialog title={t('plans.invite')} onClose={onClose}>
      {made === null ? (
        <InviteForm plans={plans} onMade={setMade} onClose={onClose} />
      ) : (
        <MadeInvitation made={made} onClose={onClose} />
      )}
    </Dialog>
  )
}

type InviteFormProps = InviteDialogProps & { onMade(made: Made): void }

function InviteForm({ plans, onMade, onClose }: InviteFormProps) {
  const t = useTranslate()
  const planName = usePlanName()
  const [plan, setPlan] = useState(String(DEFAULT_PLAN))
  const [uses, setUses] = useState('1')
  const [days, setDays] = useState<(typeof DAYS)[number]>('7')
  const [pending, setPending] = useState(false)
  const make = async () => {
    setPending(true)
    try {
      const end_time = days === 'never' ? null : new Date(Date.now() + Number(days) * DAY).toISOString()
      const body = { plan_id: Number(plan), uses: Math.min(MAX_USES, Math.max(1, Number(uses))), end_time }
      const { token } = await call(createInvitation, { body })
      void queryClient.invalidateQueries(invitationsQuery)
      onMade({ link: `${window.location.origin}/invite/${token}`, end_time })
    } catch (error) {
      reportFailure(error)
      setPending(false)
    }
  }
  return (
    <>
      <div className={styles.form}>
        <NativeSelect
          data-autofocus
          label={t('invitations.plan')}
          value={plan}
          data-testid="invite-plan"
          data={inTree(plans).map(({ plan: each }) => ({ value: String(each.id), label: planName(each) }))}
          onChange={event => setPlan(event.currentTarget.value)}
        />
        <UnitInput
          label={t('invitations.uses')}
          unit={t('invitations.people')}
          value={uses}
          data-testid="invite-uses"
          onChange={text => setUses(text.replace(/\D/g, '').slice(0, 4))}
          onBlur={() => setUses(String(Math.min(MAX_USES, Math.max(1, Number(uses)))))}
        />
        <SegmentedControl
          fullWidth
          aria-label={t('invitations.until')}
          value={days}
          onChange={value => setDays(DAYS.find(each => each === value) ?? '7')}
          data={DAYS.map(value => ({
            value,
            label: value === 'never' ? t('invitations.noEnd') : t('invitations.days', { count: Number(value) }),
          }))}
        />
      </div>
      <DialogFooter>
        <Button variant="subtle" color="gray" onClick={onClose}>
          {t('kit.cancel')}
        </Button>
        <Button loading={pending} data-testid="make-invitation" onClick={() => void make()}>
          {t('invitations.make')}
        </Button>
      </DialogFooter>
    </>
  )
}

function MadeInvitation({ made: { link, end_time }, onClose }: { made: Made; onClose(): void }) {
  const t = useTranslate()
  const language = useLanguage()
  const { copied, copy } = useCopied()
  const subject = t('invitations.mail.subject')
  const body =
    end_time === null
      ? t('invitations.mail.noEnd', { link })
      : t('invitations.mail.text', { link, day: formatDate(new Date(end_time), language) })
  const mail = `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`
  return (
    <>
      <div className={styles.link} role="status">
        <p>{t('invitations.once')}</p>
        <TextInput
          readOnly
          aria-label={t('invitations.link')}
          value={link}
          data-testid="invitation-link"
          onFocus={event => event.currentTarget.select()}
        />
      </div>
      <DialogFooter>
        <Button variant="subtle" color="gray" onClick={onClose}>
          {t('kit.close')}
        </Button>
        <Button component="a" variant="default" href={mail}>
          {t('invitations.mail')}
        </Button>
        <Button
          data-autofocus
          leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          data-testid="copy-invitation"
          onClick={() => void copy(link)}
        >
          {t(copied ? 'kit.copied' : 'invitations.copy')}
        </Button>
      </DialogFooter>
    </>
  )
}
