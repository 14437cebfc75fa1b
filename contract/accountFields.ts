import * as z from 'zod/mini'
import { storable, withoutLineEnd } from './envelope.ts'

/** The specification, section 5, "more than 6": 7 or more characters, no spaces. The maximum limits the cost of hashing. */
export const MIN_PASSWORD_LENGTH = 7
export const MAX_PASSWORD_LENGTH = 128
export const Password = z
  .string()
  .check(
    withoutLineEnd,
    z.minLength(MIN_PASSWORD_LENGTH, 'invalidPassword'),
    z.maxLength(MAX_PASSWORD_LENGTH, 'invalidPassword'),
    z.regex(/^[^\p{Z}\p{C}]*$/u, 'invalidPassword'),
  )

/** The password in a form that holds a whole account: blank means unchanged. */
export const NewPassword = z.optional(
  z.pipe(
    z.transform((given: string | null | undefined) => (given === '' || given === null ? undefined : given)),
    z.optional(Password),
  ),
)

/**
 * Letters of any script with combining marks, which many scripts need for vowels. No invisible characters, or two names could look alike.
 */
const NAME = /^(?!.*\p{Default_Ignorable_Code_Point})[\p{L}\p{N}][\p{L}\p{N}\p{M}_.@-]*$/u
export const Username = z.string().check(z.trim(), z.normalize('NFC'), z.minLength(1), z.maxLength(32), z.regex(NAME))
/** No invisible characters, except the zero-width joiner inside an emoji sequence such as a family. */
const VISIBLE = /^(?:\p{Extended_Pictographic}[\u{FE0F}\p{EMod}]?\u{200D}(?=\p{Extended_Pictographic})|[^\p{C}])*$/u
export const Nickname = z.string().check(z.trim(), z.minLength(1), z.maxLength(64), z.regex(VISIBLE))
export const Email = z.string().check(z.trim(), z.maxLength(254), z.email('invalidEmail'))
/** The URL of a picture on this portal, or a small data URL. */
export const Avatar = z.nullable(z.string().check(z.maxLength(200_000), storable))
