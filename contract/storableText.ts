/**
 * Text as both databases keep it and every upstream takes it. Half of a surrogate pair, as a tool leaves it that cut an
 * emoji in two, and NUL become U+FFFD, as pages draw them: what somebody pasted is asked, and not refused for a
 * character that nobody can see.
 */
export function storableText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '\uFFFD') : whole
}
