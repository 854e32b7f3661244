-- Empties one week of messages, if all of it is older than is kept. For who may not empty it otherwise: which table it is
-- and how old its rows are is looked up here. Answers and locks: those of truncate_partition.
create or replace function truncate_messages(partition text, cutoff timestamptz) returns boolean
language plpgsql security definer set search_path from current as $$
begin
  if partition !~ '^message_([0-9]|1[0-5])$' then
    raise exception '% is no week of messages', quote_literal(left(partition, 64))
      using errcode = 'ZB032', hint = 'Nothing was removed.';
  end if;
  return truncate_partition(partition::regclass,
    least(cutoff, (select domain_now() - in_seconds(message_age) from setting)));
end $$
