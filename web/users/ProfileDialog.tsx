import { Button, FocusTrap, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import '@mantine/core/styles/Input.layer.css'
import { Email, Nickname, updateMe, type UserRead } from '#contract/users.ts'
import { SOURCES } from '#contract/models.ts'
import { call } from '#web/foundation/call.ts'
import { refusalText } from '#web/foundation/failures.ts'
import { useSession } from '#web/foundation/session.ts'
import { formatMonth } from '#web/foundation/times.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useLanguage, useTranslate } from '#web/i18n/useTranslate.ts'
import { useLeaving } from '#web/kit/leaving.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { IconPencil } from '#web/kit/icons.ts'
import { OwnInstructionsForm } from '#web/instructions/lazyInstructions.ts'
import { MyUsage } from '#web/usage/lazyUsage.ts'
import { lazyWithTexts } from '#web/kit/lazyComponent.tsx'
import { useInitialFocus, useForm } from './useForm.ts'
import { Avatar } from './UserButton.tsx'
import { OwnApiForm } from './OwnApiForm.tsx'
import styles from './ProfileDialog.module.css'
import { SourceLimits } from './SourceLimits.tsx'

const MyShares = lazyWithTexts('shares', () => import('#web/shares/MyShares.tsx').then(module => module.MyShares))

const OwnOversightList = lazyWithTexts('oversight', () =>
  import('#web/oversight/OwnOversightList.tsx').then(module => module.OwnOversightList),
)

type ProfileDialogProps = {
  onClose(): void
  /** Opens the dialog for the password in place of this one; dialogs are never stacked. */
  onPassword(): void
}

const LEAVING = { question: 'instructions.leave', verb: 'instructions.discard' } as const

/** The signed-in user's profile and limits. */
export function ProfileDialog({ onClose, onPassword }: ProfileDialogProps) {
  const { user } = useSession()
  const [tab, setTab] = useState<Tab>('limits')
  const { leave: leaveTab, setChanged } = useLeaving(LEAVING)
  const leave = () => leaveTab(onClose)
  if (user === null) return null
  return (
    <Dialog title={<Identity user={user} />} width={600} onClose={leave}>
      <Tabs chosen={tab} onChoose={next => (next === tab ? undefined : leaveTab(() => setTab(next)))} />
      {tab === 'limits' ? (
        <Limits user={user} onPassword={onPassword} />
      ) : (
        <OwnInstructionsForm onChanged={setChanged} onLoadError={() => setTab('limits')} />
      )}
      <FocusTrap.InitialFocus />
    </Dialog>
  )
}

const TABS = ['limits', 'instructions'] as const
type Tab = (typeof TABS)[number]

function Tabs({ chosen, onChoose }: { chosen: Tab; onChoose(tab: Tab): void }) {
  const t = useTranslate()
  return (
    <nav className={styles.tabs}>
      {TABS.map(tab => (
        <button
          key={tab}
          type="button"
          aria-current={tab === chosen ? 'page' : undefined}
          onClick={() => onChoose(tab)}
        >
          {t(`profile.tab.${tab}`)}
        </button>
      ))}
    </nav>
  )
}

function Limits({ user, onPassword }: { user: UserRead; onPassword(): void }) {
  const t = useTranslate()
  const [editing, setEditing] = useState(false)
  return (
    <>
      {editing && <IdentityForm user={user} onDone={() => setEditing(false)} />}
      {SOURCES.map(source => (
        <SourceLimits key={source} source={source} setting={user.setting[source]} />
      ))}
      <MyShares onLoadError={() => undefined} />
      <MyUsage onLoadError={() => undefined} />
      {mayHaveOwnApi(user) && <OwnApiForm stored={user.setting.openai_api.custom_openai_api_settings} />}
      <OwnOversightList needed={false} onLoadError={() => undefined} />
      <div className={styles.foot}>
        <p className={styles.note}>{t('profile.note')}</p>
        {!editing && (
          <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setEditing(true)}>
            {t('profile.edit')}
          </Button>
        )}
        <Button variant="default" onClick={onPassword}>
          {t('userMenu.resetPassword')}
        </Button>
      </div>
    </>
  )
}

function mayHaveOwnApi({
  setting: {
    openai_api: { allow_to_use, allow_custom_openai_api },
  },
}: UserRead): boolean {
  return allow_to_use && allow_custom_openai_api
}

function Identity({ user }: { user: UserRead }) {
  const t = useTranslate()
  const language = useLanguage()
  const { username, nickname, email, create_time } = user
  const month = formatMonth(new Date(create_time), language)
  return (
    <span className={styles.identity}>
      <Avatar nickname={nickname} large />
      <span className={styles.names}>
        <span className={styles.nickname}>{nickname}</span>
        <span className={styles.details}>
          {email === ''
            ? t('profile.identityWithoutEmail', { username, month })
            : t('profile.identity', { username, email, month })}
        </span>
      </span>
    </span>
  )
}

function IdentityForm({ user, onDone }: { user: UserRead; onDone(): void }) {
  const t = useTranslate()
  const { nickname, email, mistakes, pending, change, submit } = useIdentity(user, onDone)
  const form = useRef<HTMLFormElement>(null)
  // The button that opened the form is at the end of the dialog, so the form is scrolled into view.
  useEffect(() => {
    form.current?.scrollIntoView({ block: 'center' })
  }, [])
  return (
    <form ref={form} className={styles.edit} onSubmit={submit} noValidate>
      <TextInput
        ref={useInitialFocus()}
        label={t('profile.nickname')}
        autoComplete="nickname"
        maxLength={64}
        value={nickname}
        error={mistakes.nickname}
        onChange={event => change({ nickname: event.currentTarget.value })}
      />
      <TextInput
        label={t('profile.email')}
        type="email"
        autoComplete="email"
        maxLength={254}
        value={email}
        error={mistakes.email}
        onChange={event => change({ email: event.currentTarget.value })}
      />
      <div className={styles.editActions}>
        <Button variant="subtle" color="gray" onClick={onDone}>
          {t('kit.cancel')}
        </Button>
        <Button type="submit" loading={pending}>
          {t('kit.save')}
        </Button>
      </div>
    </form>
  )
}

/** The form for nickname and e-mail address. */
function useIdentity(user: UserRead, onDone: () => void) {
  const t = useTranslate()
  return useForm(
    { nickname: user.nickname, email: user.email },
    {
      check: ({ nickname, email }) => ({
        nickname: Nickname.safeParse(nickname).success ? undefined : t('profile.nicknameInvalid'),
        email: Email.safeParse(email).success ? undefined : t('detail.invalidEmail'),
      }),
      async send({ nickname, email }) {
        useSession.setState({
          user: await call(updateMe, { body: { nickname: nickname.trim(), email: email.trim() } }),
        })
        toast.success(t('profile.saved'))
        onDone()
      },
      onRefusal: refusal => ({
        [refusal.key === 'emailTaken' || refusal.detail[0]?.loc.includes('email') ? 'email' : 'nickname']:
          refusalText(refusal),
      }),
    },
  )
}
