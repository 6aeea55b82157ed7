/** The log of tool calls, written by the writer thread. */
import type { ToolCallRow } from './tool-call.table.ts';

/** What the tool server tells the writer thread. */
export interface ToolLogCalls {
  /** Notes a call of a tool. Fire and forget. */
  noteToolCall(command: ToolCallRow): Promise<void>;
}
