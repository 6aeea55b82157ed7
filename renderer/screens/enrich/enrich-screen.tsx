/** The main flow: one page that grows from a file to a price. */

import { Center, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { Page } from '../../components/page.tsx';
import { ColumnsStep } from './columns-step.tsx';
import classes from './enrich.module.css';
import { FileStep } from './file-step.tsx';
import { useFlow } from './flow.tsx';
import { LayersStep } from './layers-step.tsx';
import { PriceStep } from './price-step.tsx';
import { Welcome } from './welcome.tsx';

export function EnrichScreen() {
  const { flow, actions } = useFlow();
  return (
    <Page
      title="Enrich"
      sentence="Drop a spreadsheet, see the price, and get every row back with the results."
    >
      {flow.name === null ? (
        <Welcome />
      ) : (
        <>
          <FileStep />
          {flow.upload && (
            // While the file is read again, its steps keep their place and cannot be used.
            <div className={classes.steps} inert={flow.sentShare !== null}>
              <ColumnsStep upload={flow.upload} />
              <LayersStep />
              <PriceStep upload={flow.upload} />
            </div>
          )}
        </>
      )}
      <Dropzone.FullScreen
        withinPortal={false}
        active
        multiple={false}
        // For the mouse only. Keyboard and screen readers use the same control on the screen
        // itself.
        activateOnKeyboard={false}
        aria-hidden
        onDrop={(files) => files[0] && void actions.choose({ file: files[0] })}
      >
        <Center h="70vh">
          <Text fw={600} size="lg">
            Drop to open the spreadsheet
          </Text>
        </Center>
      </Dropzone.FullScreen>
    </Page>
  );
}
