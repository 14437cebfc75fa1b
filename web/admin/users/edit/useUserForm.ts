import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Source } from '#contract/models.ts'
import { listUserPage, saveUser } from '#contract/userAdministration.ts'
import { call, type RefusedCall } from '#web/foundation/call.ts'
import { refusalText, reportFailure } from '#web/foundation/failures.ts'
import { refreshUser, useSession } from '#web/foundation/session.ts'
import { type Changes, useChanges } from '#web/admin/form/useChanges.ts'
import { listKey } from '../../table/useList.ts'
import { fetchUser, type LoadedUser } from '../state/useUsers.ts'
import { type LabelledField, useFieldTexts } from './fieldTexts.ts'
import {
  draftFrom,
  draftOf,
  type Fields,
  fieldsOf,
  fieldsOfPart,
  nameOf,
  type Part,
  sentOf,
  type UserDraft,
} from './userDraft.ts'

export type UserForm = {
  /** The stored values. */
  base: UserDraft
  draft: UserDraft
  changes: Changes<Fields>
  /** The unsaved changes, in the order of the form. */
  changed: readonly { name: string; before: unknown; after: unknown }[]
  change<P extends Part>(part: P, fields: Partial<UserDraft[P]>): void
  /** The properties of a field's row. */
  row(part: Part, field: LabelledField): FieldRow
}

export type FieldRow = {
  label: string
  changed: boolean
  mistake: string | undefined
  /** Of a source's settings: whose each value is can be asked. */
  person?: { id: number; source: Source; field: string } | undefined
}

/** The form of a person. Other people's changes to them are not lost. */
export function useUserForm({ user, row }: LoadedUser): UserForm {
  const client = useQueryClient()
  const { label } = useFieldTexts()
  const base = useMemo(() => draftOf(user, row), [user, row])
  const stored = useMemo(() => fieldsOf(base), [base])
  const id = String(user.id)
  const readAnew = () => {
    void client.invalidateQueries({ queryKey: ['admin', 'user', id] })
    void client.invalidateQueries({ queryKey: listKey(listUserPage) })
  }
  const changes = useChanges<Fields>({
    stored,
    save: async (changed, expected) => {
      await call(saveUser, { params: { id }, body: sentOf(changed, expected) })
      // Refreshes one's own session. It fails when one has taken one's own rights; the changes are stored all the same.
      if (useSession.getState().user?.id === user.id) await refreshUser().catch(reportFailure)
    },
    reload: async () => {
      const now = await fetchUser(client, id)
      readAnew()
      return fieldsOf(draftOf(now.user, now.row))
    },
    refusedFields(refusal, changed) {
      if (refusal.key === 'userNotExist') readAnew()
      return refusedFields(refusal, changed)
    },
  })
  const { values } = changes
  return {
    base,
    draft: useMemo(() => draftFrom(values), [values]),
    changes,
    changed: Object.keys(values)
      .filter(name => changes.isChanged(name))
      .map(name => ({ name, before: stored[name], after: values[name] })),
    change: (part, fields) => changes.change(fieldsOfPart(part, fields)),
    row: (part, field) => ({
      label: label(field),
      changed: changes.isChanged(`${part}.${field}`),
      mistake: changes.refused[`${part}.${field}`],
      person: part === 'openai_web' || part === 'openai_api' ? { id: user.id, source: part, field } : undefined,
    }),
  }
}

function refusedFields(refusal: RefusedCall, changed: Fields): Record<string, string> {
  const isAbout = (field: string) =>
    refusal.key === 'userAlreadyExists'
      ? field === 'username'
      : refusal.key === 'emailTaken'
        ? field === 'email'
        : refusal.detail.some(({ loc }) => loc.includes(field))
  const names = Object.keys(changed).filter(name => isAbout(nameOf(name).field))
  return Object.fromEntries(names.map(name => [name, refusalText(refusal)]))
}
