/** The log of tool calls, written by the writer thread. */
import type { ToolCallRow } from './tool-call.table.ts';

/** Calls of the tool server to the writer thread. */
export interface ToolLogCalls {
  /** Logs a tool call. Fire and forget. */
  noteToolCall(command: ToolCallRow): Promise<void>;
}
