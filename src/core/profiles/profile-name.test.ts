import { describe, expect, it } from 'vitest';
import { profileName } from './profile-name.ts';

describe('a profile’s name', () => {
  it.each(['', ' ', '.', '..', '../x', 'a/b', 'a\\b', '/etc/x', 'C:x', 'C:\\x', '.hidden', 'a\0b', 'a\nb', ' a', 'x'.repeat(101)])('is not %j', (name) => {
    expect(() => profileName(name)).toThrow(expect.objectContaining({ code: 'request/invalid' }));
  });
  it.each(['default', 'my profile', 'ünïcode', 'a.b', 'a..b', 'x'.repeat(100)])('may be %j', (name) => {
    expect(profileName(name)).toBe(name);
  });
});
