import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'out-tests/e2e',
  timeout: 90_000,
  workers: 1, // one session bus, one tray, one keyring
  retries: 0,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env['CI']),
  reporter: [['list'], ['json', { outputFile: 'out-tests/e2e.json' }]],
  use: { trace: 'off' },
});
