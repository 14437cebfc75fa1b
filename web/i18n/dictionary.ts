import type { zhCN } from './zh-CN.ts'
import type { account } from './zh-CN/account.ts'
import type { admin } from './zh-CN/admin.ts'
import type { attachments } from './zh-CN/attachments.ts'
import type { audit } from './zh-CN/audit.ts'
import type { lending } from './zh-CN/lending.ts'
import type { instructions } from './zh-CN/instructions.ts'
import type { keys } from './zh-CN/keys.ts'
import type { keeping } from './zh-CN/keeping.ts'
import type { invitation } from './zh-CN/invitation.ts'
import type { signIn } from './zh-CN/signIn.ts'
import type { transfer } from './zh-CN/transfer.ts'
import type { shares } from './zh-CN/shares.ts'
import type { gifts } from './zh-CN/gifts.ts'
import type { quiet } from './zh-CN/quiet.ts'
import type { usage } from './zh-CN/usage.ts'
import type { notices } from './zh-CN/notices.ts'
import type { oversight } from './zh-CN/oversight.ts'

/** The texts of the default language have the list of keys; the other languages are typed by it. */
type Originals = typeof zhCN &
  Omit<typeof admin, keyof typeof zhCN> &
  typeof account &
  typeof attachments &
  typeof audit &
  typeof lending &
  typeof instructions &
  typeof keeping &
  typeof keys &
  typeof invitation &
  typeof signIn &
  typeof transfer &
  typeof shares &
  typeof gifts &
  typeof quiet &
  typeof usage &
  typeof notices &
  typeof oversight
export type MessageKey = keyof Originals
/** What every screen may need, and what is loaded only for administrators; of a key that both have, theirs is shown. */
export type FirstTexts = TextsOf<typeof zhCN>
export type AdminTexts = TextsOf<typeof admin>
/** What is loaded with the first dialog of the user menu. */
export type AccountTexts = TextsOf<typeof account>
/** What is loaded with the first file of a question. */
export type AttachmentTexts = TextsOf<typeof attachments>
/** What is loaded with the line that says what a model is told first. */
export type InstructionTexts = TextsOf<typeof instructions>
/** What is loaded with the first conversation that is gone soon, or was deleted. */
export type KeepingTexts = TextsOf<typeof keeping>
/** What is loaded with the page that connects other tools. */
export type KeyTexts = TextsOf<typeof keys>
/** What is loaded for somebody who was invited. */
export type InvitationTexts = TextsOf<typeof invitation>
/** What is loaded when a provider signed nobody in. */
export type SignInTexts = TextsOf<typeof signIn>
/** What is loaded with the first export or import. */
export type TransferTexts = TextsOf<typeof transfer>
/** What is loaded with the first account of which everybody has a part. */
export type ShareTexts = TextsOf<typeof shares>
/** What is loaded when such an account is opened. */
export type GiftTexts = TextsOf<typeof gifts>
/** What is loaded with the first that is shown of what somebody used. */
export type UsageTexts = TextsOf<typeof usage>
/** What is loaded with the first question that waits until it is quiet. */
export type QuietTexts = TextsOf<typeof quiet>
/** What is loaded with the audit. */
export type AuditTexts = TextsOf<typeof audit>
/** What is loaded with who lends and borrows. */
export type LendingTexts = TextsOf<typeof lending>
/** What is loaded where somebody's conversation was read. */
export type OversightTexts = TextsOf<typeof oversight>
/** What is loaded where somebody may want notices by the browser. */
export type NoticeTexts = TextsOf<typeof notices>
/** Texts that are loaded when they are needed. */
export type AreaTexts = {
  account: AccountTexts
  attachments: AttachmentTexts
  instructions: InstructionTexts
  keeping: KeepingTexts
  keys: KeyTexts
  invitation: InvitationTexts
  signIn: SignInTexts
  transfer: TransferTexts
  shares: ShareTexts
  gifts: GiftTexts
  quiet: QuietTexts
  usage: UsageTexts
  audit: AuditTexts
  lending: LendingTexts
  oversight: OversightTexts
  notices: NoticeTexts
  admin: AdminTexts
}
export type Area = keyof AreaTexts
export type Messages = FirstTexts &
  Partial<
    AdminTexts &
      AccountTexts &
      AttachmentTexts &
      InstructionTexts &
      KeepingTexts &
      KeyTexts &
      InvitationTexts &
      SignInTexts &
      TransferTexts &
      ShareTexts &
      GiftTexts &
      QuietTexts &
      UsageTexts &
      AuditTexts &
      LendingTexts &
      OversightTexts &
      NoticeTexts
  >
export type TextsOf<Area> = { readonly [Key in keyof Area]: string }

/** The slots of a text: '{count} / {total}' has count and total. */
type SlotsOf<Text extends string> = Text extends `${string}{${infer Slot}}${infer Rest}` ? Slot | SlotsOf<Rest> : never

export type SlotValue = string | number

type ValuesOf<Key extends MessageKey> = [SlotsOf<Originals[Key]>] extends [never]
  ? []
  : [values: Readonly<Record<SlotsOf<Originals[Key]>, SlotValue>>]

/** Keys of texts without slots. */
export type PlainKey = { [Key in MessageKey]: ValuesOf<Key> extends [] ? Key : never }[MessageKey]

/** The text of a key. Without the values of its slots it does not compile. */
export type Translate = <Key extends MessageKey>(key: Key, ...values: ValuesOf<Key>) => string

/** A text before, at and after the value of a slot. */
export type Parts = readonly [before: string, value: string, behind: string]

/** The same in parts around one slot, whose value is rendered in another way. */
export type TranslateAround = <Key extends MessageKey>(
  key: Key,
  slot: SlotsOf<Originals[Key]>,
  ...values: ValuesOf<Key>
) => Parts
