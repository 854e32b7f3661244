-- Stores a ticket that opens one stream and is valid for 30 s. The API calls the function for a user whose token the
-- API has verified. The function also deletes up to 100 expired tickets. Locks: an advisory lock (without waiting), so
-- that only one transaction at a time deletes expired tickets. Index: stream_ticket_pkey, stream_ticket_end.
create or replace function create_stream_ticket(ticket_hash bytea, content text) returns void
language plpgsql security definer set search_path from current as $$
begin
  perform require_read_committed();
  if pg_try_advisory_xact_lock('stream_ticket'::regclass::oid::bigint) then
    delete from stream_ticket t where t.hash in (
      select o.hash from stream_ticket o where o.expires_at <= pg_catalog.now() order by o.expires_at limit 100);
  end if;
  insert into stream_ticket (hash, content, expires_at)
  values (ticket_hash, create_stream_ticket.content, pg_catalog.now() + interval '30 seconds');
end $$
