/**
 * Order: the kit's own (in the layer `mantine`, so that parts loaded later never come before ours), the tokens, then ours.
 * Parts that only some screens use are imported where they are used, always as `.layer.css`.
 */
import './layers.css'
import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/global.layer.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/Loader.layer.css'
import '@mantine/core/styles/ActionIcon.layer.css'
import '@mantine/core/styles/Button.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import './tokens.css'
import './mantineVariables.css'
import './kit.css'
import './base.css'
