import type { Tag } from '../resources.ts';

const NAMES_AND_COLOURS: [string, string, string][] = [
  ['Spring', '#d7f5dd', '#14532d'],
  ['Summer', '#fff3c4', '#713f12'],
  ['Autumn', '#ffe3cf', '#7c2d12'],
  ['Winter', '#dbeafe', '#1e3a8a'],
  ['Launch', '#5b6cff', '#ffffff'],
  ['Evergreen', '#30a46c', '#ffffff'],
  ['Internal', '#e5e7eb', '#111827'],
  ['Event', '#a259ff', '#ffffff'],
  ['Rebrand', '#111827', '#ffffff'],
  ['Q&A', '#fde2e4', '#881337'],
  ['Übersetzung', '#cffafe', '#164e63'],
  ['A/B <test>', '#fef9c3', '#000000'],
];

/** A dozen tags, always the same. */
export function demoTags(): Tag[] {
  return NAMES_AND_COLOURS.map(([name, background, text], index) => ({
    id: `tag-${index + 1}`,
    name,
    bg_color: background,
    text_color: text,
  }));
}
