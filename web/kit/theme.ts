// How the tokens become a Mantine 9 theme. Checked against @mantine/core 9.7.
// Load tokens.css and kit.css after the kit's own CSS.
import { createTheme, type MantineColorsTuple } from '@mantine/core'

const green: MantineColorsTuple = ['#EEF5F0', '#E1EEE6', '#C3DCCD', '#A9CDB9', '#86C6A5', '#55A07A', '#2C7B58', '#1F6B4C', '#17543B', '#0E3A28']
const amber: MantineColorsTuple = ['#FDF7EA', '#FAEFD9', '#F0DDB4', '#E6CB94', '#E2B566', '#D3A043', '#B47812', '#855000', '#6B4000', '#4A2C00']
const red: MantineColorsTuple = ['#FDF3F1', '#FAE9E5', '#F0CFC7', '#E5B8AE', '#F09C8C', '#D06A58', '#B24434', '#A13325', '#862818', '#5E1A0E']
const gray: MantineColorsTuple = ['#FCFBF8', '#F4F2EC', '#ECE9E0', '#E6E2D8', '#D6D2C5', '#A09E94', '#8B897E', '#61655C', '#51564E', '#20241F']
/** 0 is text and 7 is the page, as the kit expects. */
const dark: MantineColorsTuple = ['#E7E5DE', '#B8B6AD', '#9C9A90', '#7A7B73', '#3B3D38', '#2E302C', '#242523', '#1B1C1A', '#151614', '#0F100E']

export const theme = createTheme({
  colors: { green, amber, red, gray, dark },
  primaryColor: 'green',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: false,
  white: '#FFFFFF',
  black: '#20241F',
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.65', xl: '1.4' },
  fontWeights: { regular: '400', medium: '500', bold: '650' },
  headings: {
    fontFamily: 'var(--sans)',
    fontWeight: '650',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '1.4' },
      h2: { fontSize: '18px', lineHeight: '1.4' },
      h3: { fontSize: '16px', lineHeight: '1.45' },
      h4: { fontSize: '14px', lineHeight: '1.5' },
      h5: { fontSize: '13px', lineHeight: '1.5' },
      h6: { fontSize: '12px', lineHeight: '1.5' },
    },
  },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '18px' },
  defaultRadius: 'md',
  shadows: { xs: 'var(--lift-1)', sm: 'var(--lift-1)', md: 'var(--lift-2)', lg: 'var(--lift-3)', xl: 'var(--lift-3)' },
  breakpoints: { xs: '30em', sm: '47.5em', md: '62.5em', lg: '75em', xl: '90em' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  focusRing: 'auto',
  activeClassName: '',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 32 } },
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    InputError: { defaultProps: { role: 'alert' } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    NumberInput: { defaultProps: { size: 'sm', hideControls: true } },
    Select: { defaultProps: { size: 'sm', allowDeselect: false, checkIconPosition: 'right' } },
    MultiSelect: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'sm', autosize: true } },
    Checkbox: { defaultProps: { size: 'xs', radius: 'xs' } },
    Switch: { defaultProps: { size: 'sm', withThumbIndicator: false } },
    SegmentedControl: { defaultProps: { size: 'xs', withItemsBorders: false } },
    Badge: { defaultProps: { variant: 'light', radius: 'xs', size: 'md', tt: 'none', fw: 400 } },
    Card: { defaultProps: { radius: 'lg', padding: 'md', withBorder: true, shadow: undefined } },
    Paper: { defaultProps: { radius: 'lg' } },
    Modal: { defaultProps: { radius: 'xl', padding: 'lg', centered: true, overlayProps: { color: 'var(--scrim)', backgroundOpacity: 1, blur: 0 }, transitionProps: { transition: 'fade-up', duration: 200 }, removeScrollProps: { removeScrollBar: false } } },
    Drawer: { defaultProps: { position: 'right', size: 460, withOverlay: false, lockScroll: false, trapFocus: false, closeOnClickOutside: false } },
    Menu: { defaultProps: { radius: 'lg', shadow: 'lg', position: 'bottom-end', offset: 6, withInitialFocusPlaceholder: false } },
    Popover: { defaultProps: { radius: 'lg', shadow: 'lg' } },
    Tooltip: { defaultProps: { openDelay: 400, radius: 'sm', fz: 'xs' } },
    Notification: { defaultProps: { radius: 'lg', withBorder: false } },
    Table: { defaultProps: { verticalSpacing: 0, horizontalSpacing: 10, highlightOnHover: true, fz: 'sm' } },
    Tabs: { defaultProps: { variant: 'default' } },
    Skeleton: { defaultProps: { radius: 'sm', animate: false } },
    Progress: { defaultProps: { color: 'var(--busy)', size: 4 } },
    Loader: { defaultProps: { type: 'dots', size: 'xs' } },
    Anchor: { defaultProps: { underline: 'always' } },
    Title: { defaultProps: { order: 1 } },
  },
})
