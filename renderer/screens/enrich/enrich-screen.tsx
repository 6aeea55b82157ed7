/** The main flow: one page that grows from a file to a price. */

import { Page } from '../../components/page.tsx';
import { CheckRows } from './check-rows.tsx';
import { ColumnsStep } from './columns-step.tsx';
import classes from './enrich.module.css';
import { FileStep } from './file-step.tsx';
import { Welcome } from './first-run/welcome.tsx';
import { useFlow } from './flow.tsx';
import { useOpenFiles } from './open-files.tsx';
import { PasteButton, usePaste } from './paste-list.tsx';
import { LayersAndPrice } from './price-step.tsx';
import { WaitingFiles } from './several/waiting-files.tsx';
import { AppliedTemplate, TemplatesButton } from './templates.tsx';

export function EnrichScreen() {
  const { flow } = useFlow();
  const openFiles = useOpenFiles();
  usePaste();
  return (
    <Page
      title="Enrich"
      sentence={
        'Your list comes back with the current job, email and phone of each person that your ' +
        'own data knows.'
      }
      action={flow.name === null && <PasteButton />}
    >
      <WaitingFiles />
      {flow.name === null ? (
        <Welcome />
      ) : (
        <>
          <FileStep onFiles={openFiles} />
          {flow.upload && (
            // While the file is read again, its steps keep their place and cannot be used.
            <div className={classes.steps} inert={flow.sentShare !== null}>
              <ColumnsStep
                upload={flow.upload}
                templates={<TemplatesButton upload={flow.upload} />}
                lasting={
                  <>
                    <CheckRows upload={flow.upload} />
                    <AppliedTemplate upload={flow.upload} />
                  </>
                }
              />
              <LayersAndPrice upload={flow.upload} />
            </div>
          )}
        </>
      )}
    </Page>
  );
}
