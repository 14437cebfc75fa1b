// Teaches KaTeX \ce and \pu. Apart from drawMathematics.ts, since few formulas are of chemistry.
import 'katex/contrib/mhchem'
