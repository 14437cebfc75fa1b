import type { SecretBox } from '#server/foundation/secrets.ts'

/** Whose secret it is, and the origin of the address that it was entered for. */
type Owner = { id: number; origin: string }

/** Goes into the seal, so that no secret can be put in another's place, or be sent to another address. */
const contextOf = ({ id, origin }: Owner): string => `upstreams/${id}/sealed_secret/${origin}`

export const sealSecret = (secretBox: SecretBox, owner: Owner, secret: string): string =>
  secretBox.seal(secret, contextOf(owner))

/** Null where it was sealed with another key, or for another address. */
export function openSecret(secretBox: SecretBox, owner: Owner, sealed: string): string | null {
  try {
    return secretBox.open(sealed, contextOf(owner))
  } catch (cause) {
    process.emitWarning(
      new Error(`the stored key of upstream ${owner.id} cannot be opened for its present address; enter it again`, {
        cause,
      }),
    )
    return null
  }
}
