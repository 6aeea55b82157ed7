// The window's title on the page of a run, and its progress for screen readers.
import { VisuallyHidden } from '@mantine/core';
import { showShare } from '../numbers.ts';
import { isolate } from './isolate.ts';
import { PageTitle } from './page-title.tsx';

/** Each step of this share is announced, so that the reader is not interrupted at every event. */
const announcedStep = 0.1;

interface RunTitleProps {
  name: string;
  share: number | null;
  outcome: string;
}

/**
 * "61% · name" as the title while it runs, otherwise the name.
 * @param props.share 0 to 1 while it runs, otherwise null
 * @param props.outcome announced once it has ended
 */
export function RunTitle({ name, share, outcome }: RunTitleProps) {
  const step = Math.floor((share ?? 1) / announcedStep + 1e-9) * announcedStep;
  return (
    <>
      <PageTitle title={share === null ? name : `${showShare(share)} · ${isolate(name)}`} />
      <VisuallyHidden role="status" aria-label="Progress of the run">
        {share === null ? outcome : `${showShare(step)} done`}
      </VisuallyHidden>
    </>
  );
}
