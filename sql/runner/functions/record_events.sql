-- The trigger function for triggers made by hand. It records events of any table, one for each row and key:
--   create or replace trigger parcel_inserted after insert on parcel
--   referencing new table as new_row for each statement execute function record_events('parcel.new', 'id')
-- The arguments are the topic and the column whose value is the key. An UPDATE records the new rows' keys
-- (`new table as new_row`), a DELETE the old ones' (`old table as old_row`). If a table is written hundreds of times a
-- second, use a trigger that a job declares, or a function that calls append_events. A key has one text form, whatever
-- the writing session's settings for times, numbers and bytes.
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
