const BROWSERS = [
  ['Edge', /\bEdgA?\//],
  ['Firefox', /\bFirefox\/|\bFxiOS\//],
  ['Opera', /\bOPR\//],
  ['Chrome', /\bChrome\/|\bCriOS\//],
  ['Safari', /\bSafari\//],
] as const
const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const

/** "Chrome, Windows" of a browser's user agent; of any other program the first word. Null without one. */
export function deviceOf(user_agent: string | null, comma: string): string | null {
  if (user_agent === null || user_agent.trim() === '') return null
  const known = [nameIn(BROWSERS, user_agent), nameIn(SYSTEMS, user_agent)].filter(name => name !== undefined)
  return known.length > 0 ? known.join(comma) : (user_agent.trim().split(/\s/)[0] ?? null)
}

function nameIn(table: readonly (readonly [string, RegExp])[], user_agent: string): string | undefined {
  return table.find(([, pattern]) => pattern.test(user_agent))?.[0]
}
