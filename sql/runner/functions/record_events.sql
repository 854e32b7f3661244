-- Records one event for each key, as the trigger function of manually created triggers on any table:
--   create or replace trigger parcel_inserted after insert on parcel
--   referencing new table as new_row for each statement execute function record_events('parcel.new', 'id')
-- The arguments are the topic and the key column. An UPDATE trigger records keys of new rows (`new table as new_row`),
-- a DELETE trigger keys of old rows (`old table as old_row`). For hundreds of writes per second, use a trigger that a
-- job declares, or a function that calls append_events. Keys do not depend on the session's settings.
create or replace function record_events() returns trigger
language plpgsql security definer set search_path from current set timezone to 'UTC'
set intervalstyle to 'postgres' set extra_float_digits to 1 set bytea_output to 'hex' as $$
declare
  keys text[];
begin
  if tg_op = 'DELETE' then
    keys := array(select distinct to_jsonb(o) ->> tg_argv[1] from old_row o);
  else
    keys := array(select distinct to_jsonb(n) ->> tg_argv[1] from new_row n);
  end if;
  if keys <> '{}' then
    perform append_events(tg_argv[0], keys);
  end if;
  return null;
end $$
