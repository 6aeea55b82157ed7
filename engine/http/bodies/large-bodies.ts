// Admission of large JSON bodies: a limited number may be received or waiting, and one is parsed at
// a time.
//
//   enter ──> received on disk ──read──> waits ──its turn──> parsed by the thread ──> leave
//     └─ too many: busy                    └─ too long: busy
import { EngineError } from '../../contract/errors.ts';
import { largeBodiesMax, largeBodyWaitMaxMs } from '../../contract/limits/http.ts';
import type { ReadBody, ReadBodyCommand } from './read-large-body.ts';

export interface BodyPlace {
  /** Parses the body when it is its turn. Throws `busy` if that takes too long. */
  read(command: ReadBodyCommand): Promise<ReadBody>;
  leave(): void;
}

export interface LargeBodies {
  /** Throws `busy` if no place is free. */
  enter(): BodyPlace;
}

/** How many bodies may be present at once, and how long one may wait for its turn. */
export interface LargeBodyLimits {
  readonly placesMax: number;
  readonly waitMaxMs: number;
}

const productLimits: LargeBodyLimits = { placesMax: largeBodiesMax, waitMaxMs: largeBodyWaitMaxMs };

/** @param readBody parses one body; never called while another call is pending */
export function createLargeBodies(
  readBody: (command: ReadBodyCommand) => Promise<ReadBody>,
  { placesMax, waitMaxMs }: LargeBodyLimits = productLimits,
): LargeBodies {
  let places = 0;
  let isReading = false;
  const waiting: (() => void)[] = [];
  const waitForTurn = () =>
    new Promise<void>((begin, fail) => {
      if (!isReading) {
        isReading = true;
        begin();
        return;
      }
      const patience = setTimeout(() => {
        waiting.splice(waiting.indexOf(take), 1);
        fail(new EngineError('busy'));
      }, waitMaxMs);
      const take = () => {
        clearTimeout(patience);
        begin();
      };
      waiting.push(take);
    });
  const endTurn = () => {
    const next = waiting.shift();
    if (next) next();
    else isReading = false;
  };
  return {
    enter() {
      if (places >= placesMax) throw new EngineError('busy');
      places += 1;
      let hasLeft = false;
      return {
        async read(command) {
          await waitForTurn();
          try {
            return await readBody(command);
          } finally {
            endTurn();
          }
        },
        leave() {
          if (!hasLeft) places -= 1;
          hasLeft = true;
        },
      };
    },
  };
}
