/** What TypeScript's own library does not know yet. */
type TrustedTypes = { createPolicy(name: string, rules: { createHTML(markup: string): string | null }): unknown }

const ONE_REFERENCE = /^&[A-Za-z][A-Za-z0-9]{1,31};$/

/**
 * The parser's dictionary of names such as `&copy;` is the browser itself, asked through an element that is never shown.
 * Where Trusted Types are enforced, this lets exactly that pass, and no other markup from anywhere.
 */
export function allowCharacterReferences(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  try {
    trustedTypes?.createPolicy('default', { createHTML: markup => (ONE_REFERENCE.test(markup) ? markup : null) })
  } catch {
    // The page has a policy of its own, or allows none; then it is the one that decides.
  }
}
