// The part of XMLHttpRequest that the interface uses for files, without a network.

export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Creates the class; `respond` rejects to simulate a missing response. */
export function createFakeXhr(respond: (sent: Sent) => Promise<Response>) {
  class FakeXhr {
    readonly upload: { onprogress: ((event: ProgressEvent) => void) | null } = { onprogress: null };
    readonly #headers = new Headers();
    #method = '';
    #url = '';
    #isAborted = false;
    responseType = '';
    status = 0;
    response: unknown = null;
    onload: (() => void) | null = null;
    onerror: (() => void) | null = null;
    onabort: (() => void) | null = null;

    open(method: string, url: string) {
      this.#method = method;
      this.#url = url;
    }

    setRequestHeader(name: string, value: string) {
      this.#headers.set(name, value);
    }

    abort() {
      if (this.#isAborted) return;
      this.#isAborted = true;
      this.onabort?.();
    }

    send(body: unknown) {
      const sent = { method: this.#method, url: this.#url, headers: this.#headers, body };
      void respond(sent).then(
        async (response) => {
          this.status = response.status;
          this.response = await response.json();
          if (!this.#isAborted) this.onload?.();
        },
        () => {
          if (!this.#isAborted) this.onerror?.();
        },
      );
    }
  }
  return FakeXhr as unknown as typeof XMLHttpRequest;
}
