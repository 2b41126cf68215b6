/** Whether a variable's or header's name says that its value is a secret. Such a value is never kept in the open. */
export const looksSecret = (name: string): boolean =>
  /(^|[^a-z])(api[-_ ]?key|key|token|secret|passw(or)?d|passphrase|pwd|auth|authorization|credentials?|cookie|private|assertion)([^a-z]|$)/i.test(name.replace(/([a-z])([A-Z])/g, '$1_$2')) ||
  /(apikey|token|secret|password|credential)/i.test(name);
