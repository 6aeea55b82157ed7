// The circuit breaker: when it opens, probes and closes.
import { expect, test } from 'vitest';
import {
  type CircuitBreaker,
  createCircuitBreaker,
  type Pass,
  type RequestHealth,
} from '../../../engine/providers/definitions/circuit-breaker.ts';

function open() {
  let now = 1_000_000;
  const breaker = createCircuitBreaker(() => now);
  return {
    breaker,
    skip: (ms: number) => {
      now += ms;
    },
    now: () => now,
  };
}

const admit = (breaker: CircuitBreaker): Pass => {
  const pass = breaker.admit();
  if (typeof pass === 'number') throw new Error(`open for ${pass} ms`);
  return pass;
};
const end = (breaker: CircuitBreaker, ...healths: RequestHealth[]) => {
  for (const health of healths) admit(breaker).end(health);
};

test('five failures in a row open it, and a success or an unsent request does not count', () => {
  const { breaker, now } = open();
  end(breaker, 'failed', 'failed', 'failed', 'failed', 'succeeded');
  end(breaker, 'failed', 'failed', 'unknown', 'failed', 'failed');
  expect(breaker.readState()).toEqual({ state: 'closed', opensAt: null });
  end(breaker, 'failed');
  expect(breaker.readState()).toEqual({ state: 'open', opensAt: now() + 30_000 });
  expect(breaker.admit()).toBe(30_000);
});

test('after its time it lets one probe pass, which closes it', () => {
  const { breaker, skip } = open();
  end(breaker, 'failed', 'failed', 'failed', 'failed', 'failed');
  skip(29_999);
  expect(breaker.admit()).toBe(1);
  skip(1);
  expect(breaker.readState()).toEqual({ state: 'half_open', opensAt: null });
  const probe = admit(breaker);
  expect(breaker.admit()).toBe(30_000);
  probe.end('succeeded');
  expect(breaker.readState().state).toBe('closed');
  end(breaker, 'failed', 'failed', 'failed', 'failed');
  expect(breaker.readState().state).toBe('closed');
});

test('a failed probe doubles its time, up to ten minutes; an unsent one changes nothing', () => {
  const { breaker, skip } = open();
  end(breaker, 'failed', 'failed', 'failed', 'failed', 'failed');
  skip(30_000);
  end(breaker, 'unknown');
  expect(breaker.readState().state).toBe('half_open');
  for (const ms of [60_000, 120_000, 240_000, 480_000, 600_000, 600_000]) {
    end(breaker, 'failed');
    expect(breaker.admit()).toBe(ms);
    skip(ms);
  }
  end(breaker, 'succeeded');
  end(breaker, 'failed', 'failed', 'failed', 'failed', 'failed');
  expect(breaker.admit()).toBe(30_000);
});

test('a clock that is set back does not prolong its time', () => {
  const { breaker, skip, now } = open();
  end(breaker, 'failed', 'failed', 'failed', 'failed', 'failed');
  skip(-900_000);
  expect(breaker.admit()).toBe(30_000);
  expect(breaker.readState()).toEqual({ state: 'open', opensAt: now() + 30_000 });
  skip(30_000);
  end(breaker, 'succeeded');
  expect(breaker.readState().state).toBe('closed');
});

test('requests that were in flight when it opened do not count as its probe', () => {
  const { breaker, skip } = open();
  const late = [admit(breaker), admit(breaker)];
  end(breaker, 'failed', 'failed', 'failed', 'failed', 'failed');
  skip(30_000);
  const probe = admit(breaker);
  late[0]?.end('failed');
  expect(typeof breaker.admit()).toBe('number');
  probe.end('failed');
  expect(breaker.admit()).toBe(60_000);
  late[1]?.end('succeeded');
  expect(breaker.readState().state).toBe('closed');
});
