-- Stores a ticket for one stream. The ticket is valid for 30 s. The API must verify the user's token before the call.
-- The function also deletes up to 100 expired tickets, except tickets that another transaction is deleting. No advisory
-- lock is used, because any login could hold it and thereby block the deletion of tickets. Locks: the expired rows,
-- SKIP LOCKED. Index: stream_ticket_pkey, stream_ticket_end.
create or replace function create_stream_ticket(ticket_hash bytea, content text) returns void
language plpgsql security definer set search_path from current as $$
begin
  perform require_read_committed();
  delete from stream_ticket t
  where t.hash = any (array(
    select o.hash from stream_ticket o
    where o.expires_at <= pg_catalog.now()
    order by o.expires_at
    limit 100
    for update skip locked));
  insert into stream_ticket (hash, content, expires_at)
  values (ticket_hash, create_stream_ticket.content, pg_catalog.now() + interval '30 seconds');
end $$
