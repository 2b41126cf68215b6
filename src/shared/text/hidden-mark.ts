/** What stands in arguments and addresses in place of text that looks secret. */
export const hiddenMark = '•••';
