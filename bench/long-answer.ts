const languages = {
  python: 'def total(rows):\n    """Adds up what is not void."""\n    return sum(row["amount"] for row in rows if not row.get("void"))\n',
  typescript: 'export const open = (rows: readonly Row[]): readonly Row[] =>\n  rows.filter(isOpen).toSorted((a, b) => a.at - b.at);\n',
  json: '{\n  "server": "notes",\n  "tools": ["add_note", "find_notes"],\n  "limits": { "callIdleMs": 60000 }\n}\n',
  bash: 'for file in notes/*.md; do\n  grep -l "tag: home" "$file" || echo "none in $file" >&2\ndone\n',
} as const;

const section = (number: number, [language, code]: readonly [string, string]): string => `## ${number}. What was found

The **third** row differs from the \`second\` one, which is why the sum is off by *one*. See
[the notes](https://example.com/notes/${number})
for where it came from; nothing else in the file depends on it, and the order of the rows does not matter.

1. Read the file, and keep the rows that are not void.
2. Add up their amounts:
   - whole numbers first,
   - then the rest, rounded to the cent.
3. Compare with \`totals.${number}\`.

\`\`\`${language}
${code}\`\`\`

| Row | Amount | State |
| --- | ---: | --- |
| ${number} | ${number * 17}.50 | open |
| ${number + 1} | ${number * 3}.25 | closed |

> A row that is closed twice counts once.

`;

/** An answer as models write them, with headings, lists, tables and code, of exactly `length` characters. */
export function longAnswer(length: number): string {
  const blocks = Object.entries(languages);
  let text = '';
  for (let number = 1; text.length < length; number += 1) text += section(number, blocks[number % blocks.length] ?? ['', '']);
  return text.slice(0, length);
}
