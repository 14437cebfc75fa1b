// A CommonJS library is evaluated by its first importer. Imported here, that is a task of its own and not part of a longer one.
import 'react-dom/client'
