-- A template: the function behind a trigger that a job declares, made once by `migrate`. Plain static SQL,
-- because it is in the write path.
-- Rows: none. Locks: none of the table's.
create or replace function {function}() returns trigger
language plpgsql security definer set search_path from current{settings} as $$
declare
  segment smallint := (select current from event_segment);
  origin text := nullif(current_setting('baton.origin', true), '');
begin
  if segment = 0 then
    insert into event_0 ({columns}, origin)
    select e.*, case when origin >= '16' then refuse_origin(origin) else origin end
    from (
    {events}) e;
  elsif segment = 1 then
    insert into event_1 ({columns}, origin)
    select e.*, case when origin >= '16' then refuse_origin(origin) else origin end
    from (
    {events}) e;
  else
    insert into event_2 ({columns}, origin)
    select e.*, case when origin >= '16' then refuse_origin(origin) else origin end
    from (
    {events}) e;
  end if;
  return null;
end $$
