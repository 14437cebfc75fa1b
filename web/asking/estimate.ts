/** Rounded up to 10 s below two minutes, to minutes above; a more exact one would not be true. */
export function roundedEstimate(seconds: number | null): number | null {
  if (seconds === null || seconds <= 0) return null
  const step = seconds < 120 ? 10 : 60
  return Math.ceil(seconds / step) * step
}
