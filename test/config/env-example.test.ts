import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/config.ts';
import { HOW_TO_GET, type SettingName } from '../../src/config/help.ts';

const file = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
const lines = file.split('\n');
const assignments = lines.filter((line) => /^\w+=/.test(line));
// Read in the same way as by `node --env-file`.
const values = new Map(Object.entries(parseEnv(file)));
const filledIn = [...values].filter(([, value]) => value !== '');

/** Settings that are empty in the file and must be set. */
const REQUIRED = {
  SLACK_BOT_TOKEN: 'xoxb-1-2-abc',
  SLACK_SIGNING_SECRET: 'f00d'.repeat(8),
  DESIGN_API_BASE_URL: 'https://api.example.com/v1',
  CARD_URL_TEMPLATE: 'https://app.example.com/card/{id}',
  ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
};

const isSetting = (name: string): name is SettingName => Object.hasOwn(HOW_TO_GET, name);

describe('.env.example', () => {
  it('names every setting once and nothing else', () => {
    const named = assignments.map((line) => line.slice(0, line.indexOf('=')));
    expect(named.toSorted()).toEqual(Object.keys(HOW_TO_GET).toSorted());
    expect([...values.keys()].toSorted()).toEqual(named.toSorted());
  });

  it('explains every setting on the line above it', () => {
    for (const line of assignments) {
      const above = lines[lines.indexOf(line) - 1] ?? '';
      expect(above, line).toMatch(/^# [A-Z].*[.…\w]$/);
      expect(above.length, above).toBeLessThanOrEqual(100);
    }
  });

  it('fills in the defaults and nothing else', () => {
    const filled = parseConfig({ ...Object.fromEntries(values), ...REQUIRED });
    expect(filled).toEqual(parseConfig(REQUIRED));
    expect(filledIn.map(([name]) => name)).toEqual(
      expect.arrayContaining(['DATABASE_URL', 'PORT', 'LOG_LEVEL', 'SLACK_API_URL']),
    );
  });

  it('matches what the app says when a setting is wrong', () => {
    expect(filledIn).not.toHaveLength(0);
    for (const [name, value] of filledIn) {
      expect(isSetting(name) && HOW_TO_GET[name]).toContain(value);
    }
  });
});
