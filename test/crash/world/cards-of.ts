import type { StandIns } from './stand-ins.ts';

/** How many cards the service created for the request with that title. */
export const cardsOf = ({ service }: StandIns, title: string): number =>
  service
    .calls({ operation: 'createCard', executed: true })
    .filter(({ requestBody }) => JSON.stringify(requestBody).includes(title)).length;
