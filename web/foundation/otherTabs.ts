import { readStored, writeStored } from './stored.ts'

/** Whose the session is: a browser has one, for all of its tabs. */
const PERSON = 'person'

export function tellPerson(user_id: number | null): void {
  writeStored(PERSON, user_id === null ? null : String(user_id))
}

/** Calls when another tab has signed out, or has signed somebody in: what is open here is not theirs to see, nor to ask in. */
export function onPerson(listener: (user_id: number | null) => void): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === PERSON) listener(newValue === null ? null : Number(newValue))
  })
  // A page that comes back as it was has heard nothing meanwhile.
  window.addEventListener('pageshow', ({ persisted }) => {
    const person = readStored(PERSON)
    if (persisted) listener(person === null ? null : Number(person))
  })
}
