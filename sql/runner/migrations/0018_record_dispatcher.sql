-- The server process of the dispatcher's connection. While it exists, a worker that has lost its connection for
-- heartbeats is not killed, however long it needs for a new one. Null: unknown, for example behind a pooler.
alter table worker
  add column dispatcher_pid integer,
  add column dispatcher_start timestamptz;
