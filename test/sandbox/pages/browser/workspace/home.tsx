import { useEffect } from 'react';
import { objectsOf } from '../../../../stand-ins/slack/json.ts';
import { Blocks, HeadingContext } from '../blocks/blocks.tsx';
import { SurfaceContext } from '../blocks/surface.tsx';
import { MAIN_INPUT } from '../shell/frame.tsx';
import { useSlack } from './slack-context.tsx';

/** The app's Home tab. Slack tells the app whenever somebody opens it. */
export function Home() {
  const { snapshot, act } = useSlack();
  const view = snapshot.home?.view;
  useEffect(() => {
    void act({ do: 'open-app', tab: 'home' }).catch(() => undefined);
  }, [act]);
  return (
    <section id={MAIN_INPUT} className="home" aria-label={`${snapshot.appName} home`} tabIndex={0}>
      {view ? (
        <SurfaceContext value={{ kind: 'view', viewId: view.id }}>
          <HeadingContext value="h2">
            <Blocks blocks={objectsOf(view.view.blocks)} />
          </HeadingContext>
        </SurfaceContext>
      ) : (
        <p className="shell-note">The app hasn’t shown anything here yet.</p>
      )}
    </section>
  );
}
