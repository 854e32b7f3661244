-- Grants the privileges to read the user's identity. docs/concepts/security.md describes these privileges in the
-- "Identity" section.
grant execute on function current_actor to {user}, {anon}, {api};
grant select on claim_key to {definer};
-- The definer must be able to read the start times of authenticator sessions, because a claim may be bound to a
-- session. The authenticator role has no privileges that the definer could inherit.
grant {authenticator} to {definer};
-- Only the API's functions read and write stream tickets.
grant select, insert, delete on stream_ticket to {definer};
-- FOR UPDATE requires the UPDATE privilege on at least one column. The API's functions skip tickets that another
-- transaction is deleting.
grant update (expires_at) on stream_ticket to {definer};
