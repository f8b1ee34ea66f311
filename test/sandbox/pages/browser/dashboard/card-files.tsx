import type { CardFileShown } from '../../snapshots/dashboard-snapshot.ts';

/** A card's files: pictures as pictures, everything else by name. */
export function CardFiles({ files }: { files: CardFileShown[] }) {
  if (files.length === 0) return null;
  return (
    <ul className="files" aria-label="Files">
      {files.map(({ id, name, type, download, picture, address }) => (
        <li key={id}>
          <a href={address} target="_blank" rel="noreferrer">
            {picture ? (
              <img src={picture} alt="" width="160" height="90" loading="lazy" />
            ) : (
              <span className="file-kind" aria-hidden="true">
                {name.split('.').at(-1)}
              </span>
            )}
            <span className="file-name">{name}</span>
          </a>
          <small>{download ? `${type} · ${download}` : type}</small>
        </li>
      ))}
    </ul>
  );
}
