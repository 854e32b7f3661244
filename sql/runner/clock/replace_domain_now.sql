-- Replaces domain_now() with a version that reads the development clock. The new function returns the same time
-- throughout a transaction, even if the clock moves in the meantime. A setting stores the returned time until the
-- transaction ends. Rows: none. Locks: the function.
create or replace function domain_now() returns timestamptz
language plpgsql stable parallel unsafe set search_path from current as $$
declare
  memo constant text := 'baton.clock_' || 'development'::regclass::oid;
  microseconds text := nullif(current_setting(memo, true), '');
begin
  if microseconds is null then
    microseconds := set_config(memo, (
      select ((extract(epoch from coalesce(clock, pg_catalog.now())) * 1000000)::bigint
        + ahead_us)::text
      from development), true);
  end if;
  return timestamptz 'epoch' + microseconds::bigint * interval '1 microsecond';
end $$
