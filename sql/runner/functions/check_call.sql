-- Rejects invalid arguments of enqueue. An error message never contains the complete text of a long argument. `place`
-- is appended to each error message, and identifies the run if one call enqueues several runs.
-- needs: is_key
create or replace function check_call(needs_key boolean, key text, payload jsonb, run_at timestamptz,
  priority integer, replaces boolean, place text default '')
returns void
language plpgsql as $$
begin
  if key is null and needs_key then
    raise exception 'this job reads its keys, so a run of it needs one%', place
      using errcode = 'ZB006', hint = 'Nothing was enqueued. Give the key of one run.';
  end if;
  if not is_key(key) then
    raise exception 'a key has 1 to 256 bytes and no control characters%', place
      using errcode = 'ZB006', hint = 'Nothing was enqueued. Give the key of one run.';
  end if;
  if key is null and replaces then
    raise exception 'a run without a key replaces nothing%', place
      using errcode = 'ZB006', hint = 'Nothing was enqueued. Give the key whose run is moved.';
  end if;
  -- The payload is limited, because every claim, retry and merge copies it. pg_column_size measures a copy, because a
  -- payload from a table may be compressed.
  if pg_column_size(jsonb_build_array(payload)) > 1048576 + 8 then
    raise exception 'a payload has at most 1 MiB; this one has % bytes%',
        pg_column_size(jsonb_build_array(payload)) - 8, place
      using errcode = 'ZB007', hint = 'Nothing was enqueued. Keep the data in a table and give its id.';
  end if;
  -- Instants after the year 9999 are rejected, because clients cannot represent them.
  if run_at = '-infinity' or run_at >= timestamptz '10000-01-01 00:00Z' then
    raise exception 'a run is asked for at an instant, not at %', run_at || place
      using errcode = 'ZB008',
        hint = 'Nothing was enqueued. Give one up to the year 9999, or leave run_at out for as soon as possible.';
  end if;
  if priority not between 1 and 9 then
    raise exception 'a priority is 1 to 9, not %', priority || place
      using errcode = 'ZB012', hint = 'Nothing was enqueued. 1 goes first, 9 last; none is the job''s own.';
  end if;
end $$
