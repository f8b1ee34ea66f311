import { productsOf, type RequestType } from '../resources.ts';

/** Six request types, with lists that a form must handle: empty, with one entry, long, with long names. */
export function demoRequestTypes(partnerName: string): RequestType[] {
  const [graphics, video, graphicsVideo, partnerGraphics, partnerPlus] = productsOf(partnerName);
  const products = (...names: (string | undefined)[]) => names.filter((name) => name !== undefined);
  return [
    {
      id: 'type-social',
      name: 'Social media',
      products: products(graphics, video, graphicsVideo),
      formats: ['PNG', 'JPG', 'GIF', 'MP4'],
      softwares: ['Photoshop', 'Illustrator', 'Figma'],
    },
    {
      id: 'type-presentation',
      name: 'Presentation',
      products: products(graphics, partnerGraphics, partnerPlus),
      formats: ['PPTX', 'PDF', 'KEY'],
      softwares: ['PowerPoint', 'Keynote', 'Google Slides'],
    },
    {
      id: 'type-video',
      name: 'Video & motion',
      products: products(video),
      formats: ['MP4', 'MOV', 'GIF'],
      softwares: ['After Effects', 'Premiere Pro'],
    },
    { id: 'type-other', name: 'Something else', products: [], formats: [], softwares: [] },
    {
      id: 'type-print',
      name: 'Print',
      products: products(graphics),
      formats: [
        ...['PDF', 'PDF/X-1a', 'PDF/X-4', 'EPS', 'AI', 'INDD', 'IDML'],
        ...['TIFF', 'PSD', 'PNG', 'JPG', 'SVG', 'DXF'],
      ],
      softwares: ['InDesign', 'Illustrator'],
    },
    {
      id: 'type-campaign',
      name: 'Integrated campaign with adaptations for every market, channel, language and season of the year',
      products: products(graphics, video, graphicsVideo, partnerGraphics, partnerPlus),
      formats: ['PNG', 'PDF', 'MP4'],
      softwares: ['Figma'],
    },
  ];
}
