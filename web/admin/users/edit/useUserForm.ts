import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { listUserPage, saveUser } from '#contract/userAdministration.ts'
import { call, RefusedCall } from '#web/foundation/call.ts'
import { refusalText, reportFailure } from '#web/foundation/failures.ts'
import { refreshUser, useSession } from '#web/foundation/session.ts'
import { type Changes, useChanges } from '../../drawer/useChanges.ts'
import { listKey } from '../../table/useList.ts'
import { fetchUser, type LoadedUser } from '../state/useUser.ts'
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

/** Texts beside the fields, by the fields' names. */
type Mistakes = Readonly<Record<string, string>>

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

export type FieldRow = { label: string; changed: boolean; mistake: string | undefined }

/** The form of a person. Other people's changes to them are not lost. */
export function useUserForm({ user, row }: LoadedUser): UserForm {
  const client = useQueryClient()
  const { label } = useFieldTexts()
  const base = useMemo(() => draftOf(user, row), [user, row])
  const stored = useMemo(() => fieldsOf(base), [base])
  const [mistakes, setMistakes] = useState<Mistakes>({})
  const id = String(user.id)
  const readAnew = () => {
    void client.invalidateQueries({ queryKey: ['admin', 'user', id] })
    void client.invalidateQueries({ queryKey: listKey(listUserPage) })
  }
  const changes = useChanges<Fields>({
    stored,
    save: async (changed, expected) => {
      setMistakes({})
      try {
        await call(saveUser, { params: { id }, body: sentOf(changed, expected) })
      } catch (error) {
        setMistakes(mistakesOf(error, changed))
        if (error instanceof RefusedCall && error.key === 'userNotExist') readAnew()
        throw error
      }
      // Refreshes one's own session. It fails when one has taken one's own rights; the changes are stored all the same.
      if (useSession.getState().user?.id === user.id) await refreshUser().catch(reportFailure)
    },
    reload: async () => {
      const now = await fetchUser(client, id)
      readAnew()
      return fieldsOf(draftOf(now.user, now.row))
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
    change: (part, fields) => {
      setMistakes({})
      changes.change(fieldsOfPart(part, fields))
    },
    row: (part, field) => ({
      label: label(field),
      changed: changes.isChanged(`${part}.${field}`),
      mistake: mistakes[field],
    }),
  }
}

function mistakesOf(error: unknown, changed: Fields): Mistakes {
  if (!(error instanceof RefusedCall) || error.key === 'changedMeanwhile') return {}
  const text = refusalText(error)
  if (error.key === 'userAlreadyExists') return { username: text }
  if (error.key === 'emailTaken') return { email: text }
  const fields = Object.keys(changed).map(name => nameOf(name).field)
  const wrong = fields.filter(field => error.detail.some(({ loc }) => loc.includes(field)))
  return Object.fromEntries(wrong.map(field => [field, text]))
}
