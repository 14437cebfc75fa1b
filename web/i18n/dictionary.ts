import type { zhCN } from './zh-CN.ts'

/** The default language is the list of keys; the others are typed by it. */
export type MessageKey = keyof typeof zhCN
export type Messages = Record<MessageKey, string>
export type TextsOf<Area> = { readonly [Key in keyof Area]: string }

/** Names of the slots of a text: '{count} / {total}' has count and total. */
export type SlotsOf<Text extends string> = Text extends `${string}{${infer Slot}}${infer Rest}`
  ? Slot | SlotsOf<Rest>
  : never

export type SlotValue = string | number

export type ValuesOf<Key extends MessageKey> = [SlotsOf<(typeof zhCN)[Key]>] extends [never]
  ? []
  : [values: Readonly<Record<SlotsOf<(typeof zhCN)[Key]>, SlotValue>>]

/** Keys of texts without slots: titles, labels, whatever a table may name. */
export type PlainKey = { [Key in MessageKey]: ValuesOf<Key> extends [] ? Key : never }[MessageKey]

/** Gives the text of a key; its slots must be filled, or it does not compile. */
export type Translate = <Key extends MessageKey>(key: Key, ...values: ValuesOf<Key>) => string

/** A text before, at and behind the value of a slot. */
export type Parts = readonly [before: string, value: string, behind: string]

/** The same, with one of its slots apart, to be drawn otherwise. */
export type TranslateAround = <Key extends MessageKey>(
  key: Key,
  slot: SlotsOf<(typeof zhCN)[Key]>,
  ...values: ValuesOf<Key>
) => Parts
