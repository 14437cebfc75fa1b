import type { zhCN } from './zh-CN.ts'
import type { admin } from './zh-CN/admin.ts'
import type { attachments } from './zh-CN/attachments.ts'
import type { instructions } from './zh-CN/instructions.ts'

/** The texts of the default language have the list of keys; the other languages are typed by it. */
type Originals = typeof zhCN & Omit<typeof admin, keyof typeof zhCN> & typeof attachments & typeof instructions
export type MessageKey = keyof Originals
/** What every screen may need, and what is loaded only for administrators; of a key that both have, theirs is shown. */
export type FirstTexts = TextsOf<typeof zhCN>
export type AdminTexts = TextsOf<typeof admin>
/** What is loaded with the first file of a question. */
export type AttachmentTexts = TextsOf<typeof attachments>
/** What is loaded with the line that says what a model is told first. */
export type InstructionTexts = TextsOf<typeof instructions>
/** Texts that are loaded when they are needed. */
export type AreaTexts = { attachments: AttachmentTexts; instructions: InstructionTexts; admin: AdminTexts }
export type Area = keyof AreaTexts
export type Messages = FirstTexts & Partial<AdminTexts & AttachmentTexts & InstructionTexts>
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
