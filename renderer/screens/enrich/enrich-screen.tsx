/** The main flow: one page that grows from a file to a price. */

import { Center, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { Page } from '../../components/page.tsx';
import { ColumnsStep } from './columns-step.tsx';
import { FileStep } from './file-step.tsx';
import { Welcome } from './first-run/welcome.tsx';
import { useFlow } from './flow.tsx';
import { LayersAndPrice } from './price-step.tsx';

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
            <>
              <ColumnsStep upload={flow.upload} />
              <LayersAndPrice upload={flow.upload} />
            </>
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
