import { describe, expect, it } from 'vitest';
import type { ProfileReport } from '../../../shared/model/profile.ts';
import { isProfileCommand, profileOffers } from './profile-command.ts';

const report = (name: string, more: Partial<ProfileReport> = {}): ProfileReport => ({ name, scope: 'global', path: `/p/${name}.toml`, extends: [], mcp: true, servers: [], issues: [], shadowed: false, ...more });
const all = [report('research', { description: 'Looks things up' }), report('My work', { model: 'm1' }), report('no research'), report('default', { scope: 'built-in' })];
const labels = (text: string, chosen?: string) => profileOffers(text, all, chosen).map(({ label }) => label);

describe('/profile in the composer', () => {
  it('is what begins with it, and nothing else is kept from the model', () => {
    for (const text of ['/p', '/profile', '/profile ', '/profile My work']) expect(isProfileCommand(text), text).toBe(true);
    for (const text of ['', 'profile', '/profiles', '/path/to', 'see /profile x', '/mcp']) expect(isProfileCommand(text), text).toBe(false);
  });

  it('waits for a name, and completes it: those that begin like it first, names with blanks too', () => {
    expect(profileOffers('/', all, undefined)).toEqual([{ text: '/profile ', label: '/profile', says: 'Choose the profile of this chat, from its next run on', profile: undefined }]);
    expect(labels('/profile ')).toEqual(['My work', 'no research', 'research']);
    expect(labels('/profile re')).toEqual(['research', 'no research']);
    expect(profileOffers('/profile my w', all, undefined)).toEqual([{ text: '/profile My work', label: 'My work', says: 'm1', profile: 'My work' }]);
    expect(labels('/profile nobody')).toEqual([]);
    expect(profileOffers('/profile re', undefined, undefined)).toEqual([]);
  });

  it('takes a chosen one away again, unless a profile has that name', () => {
    expect(labels('/profile ')).not.toContain('none');
    expect(profileOffers('/profile no p', all, 'research')).toMatchObject([{ text: '/profile none', profile: null }]);
    expect(profileOffers('/profile none', [...all, report('none')], 'research')).toMatchObject([{ label: 'none', profile: 'none' }]);
  });

  it('says what is wrong with one, else what it is for', () => {
    const wrong = report('bad', { description: 'Fine', issues: [{ code: 'unreadable', severity: 'error', file: '/p/bad.toml', path: '', message: 'Not TOML' }] });
    expect(profileOffers('/profile ', [wrong, ...all], undefined).map(({ says }) => says)).toEqual(['Has a problem: Not TOML', 'm1', '', 'Looks things up']);
  });
});
