// An idempotency key and its scope.

/** An idempotency key and its scope: "<API key id>" or "app:<account uuid>". */
export interface IdempotencyUse {
  readonly keyScope: string;
  readonly key: string;
}
