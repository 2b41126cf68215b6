import { SettingGroup } from './setting-group.tsx';

/** Servers that other programs on this computer use, and those that come as text. */
export const DiscoverySection = () => (
  <SettingGroup title="Discovery & import" means="Servers that other programs on this computer use.">{null}</SettingGroup>
);
