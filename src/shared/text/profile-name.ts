/** What may name a profile, which is a file (H-16): one name of at most 100 characters without separators, drives, controls, unseen characters, or a dot or blank at its begin. */
export const isProfileName = (name: string): boolean =>
  name.trim() === name && name !== '' && name.length <= 100 && !/[\\/:\p{Cc}\p{Cf}]/u.test(name) && !name.startsWith('.');
