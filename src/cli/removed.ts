// Commands that 0.1.0 or a checkout before 0.2.0 had, with what to use instead. A line stays for one release.
export const REMOVED_COMMANDS: Readonly<Record<string, string>> = {
  tail: 'Use terce events --follow.',
  login: 'Set TERCE_URL and TERCE_API_KEY.',
  logout: 'Unset TERCE_URL and TERCE_API_KEY.',
  open: 'Open the address that terce prints when it starts.',
  request: 'Use curl; /docs of a server describes every path.',
  completion: 'Run terce --help for the list of commands.',
}
