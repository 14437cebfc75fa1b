/**
 * On paper nothing scrolls, and only the rules for print know how wide it is. They are told how wide the widest part of each formula is that
 * cannot be parted, in its own letters (mathematics.module.css).
 */
function measureFormulas(): void {
  const measured = [...document.querySelectorAll<HTMLElement>('.katex-display')].map(formula => {
    const parts = [...formula.querySelectorAll<HTMLElement>('.katex-base')].map(part => part.offsetWidth)
    return { formula, widest: Math.max(1, ...parts) / parseFloat(getComputedStyle(formula).fontSize) }
  })
  // All are read before one is written: otherwise each would be laid out anew.
  for (const { formula, widest } of measured) formula.style.setProperty('--widest', String(widest))
}

window.addEventListener('beforeprint', measureFormulas)
