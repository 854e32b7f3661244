-- Returns the payload for a row of a declared table, and rejects a payload larger than 1 MiB. Every claim, retry and
-- merge copies a payload, so the limit is the same as for calls to enqueue. `source` names the table, the job and the
-- columns for the error message. Locks: none.
create or replace function limited_payload(payload jsonb, source text) returns jsonb
language plpgsql immutable as $$
begin
  if pg_column_size(payload) > 1048576 then
    raise exception 'a payload has at most 1 MiB; the one of a row of % has % bytes', source, pg_column_size(payload)
      using errcode = 'ZB007',
        hint = 'Nothing was written. Let the job read large columns by key, and declare a payload without them.';
  end if;
  return payload;
end $$
