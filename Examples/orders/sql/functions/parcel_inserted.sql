-- One event for each new parcel. The most parcels come one at a time, so it does nothing but append.
create or replace function parcel_inserted() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  perform append_events(tg_argv[0], array(select id::text from new_row));
  return null;
end $$
