// A library of the old kind is evaluated by whoever asks for it first. Asked for here it is a task of its own, not a part of a longer one.
import 'react-dom/client'
