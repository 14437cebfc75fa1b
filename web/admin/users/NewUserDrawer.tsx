import { Button, Switch } from '@mantine/core'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Email, Nickname, Password, type UserReadAdmin, Username } from '#contract/users.ts'
import { createUser, listUserPage } from '#contract/userAdministration.ts'
import { useForm } from '#web/users/useForm.ts'
import { call, type RefusedCall } from '#web/foundation/call.ts'
import { refusalText } from '#web/foundation/failures.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { AskBeforeLeaving } from '#web/admin/form/AskBeforeLeaving.tsx'
import { Drawer } from '../drawer/Drawer.tsx'
import { DrawerRow, DrawerSection, UnitInput } from '../drawer/rows.tsx'
import { listKey } from '../table/useList.ts'
import { GeneratedPassword } from './edit/GeneratedPassword.tsx'
import styles from './users.module.css'

const TEXTS = ['nickname', 'username', 'email', 'password', 'remark'] as const
const FLAGS = ['is_active', 'is_superuser', 'is_verified'] as const
const EMPTY = {
  nickname: '',
  username: '',
  email: '',
  password: '',
  remark: '',
  is_active: true,
  is_superuser: false,
  is_verified: false,
}

type NewUserDrawerProps = { onClose(): void; onMade(id: number): void }

/** Creates an account. Its first password is typed, or generated and shown once. */
export function NewUserDrawer({ onClose, onMade }: NewUserDrawerProps) {
  const t = useTranslate()
  const [made, setMade] = useState<{ user: UserReadAdmin; password: string | null } | null>(null)
  if (made === null)
    return (
      <Drawer head={{ title: t('users.add'), context: t('users.add.context'), isNew: true }} onClose={onClose}>
        <NewUserForm
          onMade={(user, password) => {
            if (password === null) onMade(user.id)
            else setMade({ user, password })
          }}
        />
      </Drawer>
    )
  const { user, password } = made
  return (
    <Drawer head={{ title: t('users.made', { nickname: user.nickname }), context: user.username }} onClose={onClose}>
      {password !== null && <GeneratedPassword password={password} onClose={() => onMade(user.id)} />}
      <div className={styles.actions}>
        <Button size="xs" onClick={() => onMade(user.id)}>
          {t('users.made.open')}
        </Button>
      </div>
    </Drawer>
  )
}

function NewUserForm({ onMade }: { onMade(user: UserReadAdmin, password: string | null): void }) {
  const t = useTranslate()
  const { mistakes, pending, change, submit, ...form } = useNewUser(onMade)
  return (
    <form onSubmit={(event: FormEvent<HTMLFormElement>) => void submit(event)} noValidate>
      {/* Not while it is sent: whoever is made is shown next. */}
      <AskBeforeLeaving
        count={pending ? 0 : [...TEXTS, ...FLAGS].filter(field => form[field] !== EMPTY[field]).length}
      />
      <DrawerSection>
        {TEXTS.map(field => (
          <DrawerRow
            key={field}
            label={t(`users.${field}`)}
            below={field === 'password' ? t('users.password.help') : undefined}
          >
            {id => (
              <UnitInput
                id={id}
                inputMode={field === 'email' ? 'email' : 'text'}
                autoComplete={field === 'password' ? 'new-password' : 'off'}
                placeholder={field === 'password' ? t('users.password.generated') : undefined}
                value={form[field]}
                error={mistakes[field]}
                onChange={value => change({ [field]: value })}
              />
            )}
          </DrawerRow>
        ))}
      </DrawerSection>
      <DrawerSection title={t('users.rights')}>
        {FLAGS.map(flag => (
          <DrawerRow key={flag} label={t(FLAG_LABELS[flag])}>
            {id => (
              <Switch
                id={id}
                checked={form[flag]}
                onChange={event => change({ [flag]: event.currentTarget.checked })}
              />
            )}
          </DrawerRow>
        ))}
      </DrawerSection>
      <div className={styles.actions}>
        <Button type="submit" size="xs" loading={pending} data-testid="create-user">
          {t('users.add')}
        </Button>
      </div>
    </form>
  )
}

const FLAG_LABELS = {
  is_active: 'users.active',
  is_superuser: 'users.superuser',
  is_verified: 'users.verified',
} as const

function useNewUser(onMade: (user: UserReadAdmin, password: string | null) => void) {
  const t = useTranslate()
  const client = useQueryClient()
  return useForm(EMPTY, {
    check: ({ nickname, username, email, password }) => ({
      ...(!Nickname.safeParse(nickname).success && { nickname: t('profile.nicknameInvalid') }),
      ...(!Username.safeParse(username).success && { username: t('users.username.wrong') }),
      ...(!Email.safeParse(email).success && { email: t('detail.invalidEmail') }),
      ...(password !== '' && !Password.safeParse(password).success && { password: t('password.invalid') }),
    }),
    async send({ password, remark, ...fields }) {
      const made = await call(createUser, {
        body: {
          ...fields,
          ...(password !== '' && { password }),
          ...(remark.trim() !== '' && { remark }),
        },
      })
      void client.invalidateQueries({ queryKey: listKey(listUserPage) })
      onMade(made.user, made.password)
    },
    onRefusal: refusal => ({ [fieldOf(refusal)]: refusalText(refusal) }),
  })
}

/** The field beside which a refusal is shown. */
function fieldOf({ key, detail }: RefusedCall): (typeof TEXTS)[number] {
  if (key === 'userAlreadyExists') return 'username'
  if (key === 'emailTaken') return 'email'
  return TEXTS.find(field => detail.some(({ loc }) => loc.includes(field))) ?? 'nickname'
}
