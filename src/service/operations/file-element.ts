export const FILE_FORMATS = ['url', 'object'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** An element of the file arrays of the create operation (API reference, 4.1). */
export type FileElement = string | { name: string; url: string };

/**
 * The API reference doesn't show the shape of these elements. This is the only place that decides it, by a setting.
 */
export function fileElement(file: { name: string; url: string }, format: FileFormat): FileElement {
  switch (format) {
    case 'url':
      return file.url;
    case 'object':
      return { name: file.name, url: file.url };
  }
}
